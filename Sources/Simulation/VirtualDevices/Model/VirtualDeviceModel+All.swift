// SPDX-License-Identifier: Apache-2.0

import HealthDevices

extension VirtualDeviceModel {
  /// All kinds, sorted by name.
  public static let all: [VirtualDeviceModel] = [
    bloodPressureMonitors, bloodPressureDevices, glucoseMeters, continuousGlucoseMonitors,
    oximeters,
    oneTouchDevices, taiDocDevices, vendorThermometers, biolandDevices,
    profileOximeters, thermometers, weightScales, heartRateSensors, broadcastScales, streamScales,
    profileSenders,
    transtekScales, beurerScales, [exingtechY1],
  ]
  .flatMap { $0 }
  .sorted { $0.id < $1.id }

  /// The model of a name.
  ///
  /// - Parameter id: Its name, for instance `bm54`; `santorio simulate --list` lists all.
  public init?(id: String) {
    guard let model = Self.all.first(where: { $0.id == id }) else { return nil }
    self = model
  }

  /// The models that are recognised as one entry of the catalogue of devices.
  ///
  /// - Parameter peripheralID: The number of the entry.
  /// - Returns: The models, sorted by name; none for a device without a virtual one.
  public static func models(of peripheralID: Int) -> [VirtualDeviceModel] {
    all.filter { $0.peripheralID == peripheralID }
  }

  static let bloodPressureMonitors = [ua651BLE(), bm54()]
}
