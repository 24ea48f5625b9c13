// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Any thermometer that keeps to the Health Thermometer Profile of the Bluetooth SIG.
  public static let genericThermometer = DeviceModel(
    id: 4000, type: .thermometer, manufacturer: "", model: "Thermometer",
    instructions: "Take the temperature with the thermometer. Keep the phone near.",
    appearsAfterMeasurement: true,
    connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: ["1809"]), drivers: [.thermometerProfile])

  static let thermometerDevices = [genericThermometer]
}
