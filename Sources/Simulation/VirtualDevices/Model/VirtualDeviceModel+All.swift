// SPDX-License-Identifier: Apache-2.0

import HealthDevices

extension VirtualDeviceModel {
  /// All kinds, sorted by name.
  public static let all: [VirtualDeviceModel] = [
    bloodPressureMonitors, bloodPressureDevices, licensedDevices, glucoseMeters, oximeters,
    oneTouchDevices, taiDocDevices, vendorThermometers, biolandDevices,
    profileOximeters, thermometers, weightScales, heartRateSensors, broadcastScales, streamScales,
    profileSenders,
    transtekScales, beurerScales,
  ]
  .flatMap { $0 }
  .sorted { $0.id < $1.id }

  static let licensedDevices = [
    jazzWireless2(), cvsHealthMeter(), coagulationMeter(), cvsBodyScale,
  ]

  static let bloodPressureMonitors = [ua651BLE(), bm54()]
}
