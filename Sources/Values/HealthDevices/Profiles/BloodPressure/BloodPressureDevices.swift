// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Any monitor that keeps to the Blood Pressure Profile of the Bluetooth SIG.
  public static let genericBloodPressure = DeviceModel(
    id: 3000, type: .bloodPressure, manufacturer: "", model: "Blood pressure monitor",
    instructions: "Take a measurement with the monitor. Keep the phone near.",
    pairingInstructions: genericPairing,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(180), readTimeout: .seconds(120),
    advertisementFilter: AdvertisementFilter(services: ["1810"]),
    drivers: [.bloodPressureProfile])

  static let bloodPressureDevices = [genericBloodPressure]
}
