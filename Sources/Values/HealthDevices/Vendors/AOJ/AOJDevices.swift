// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// The AOJ-20A, an ear and forehead thermometer.
  package static let aoj20A = DeviceModel(
    id: 10_402, type: .thermometer, manufacturer: "AOJ", model: "AOJ-20A",
    instructions: takeTemperature, connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: [], namePrefixes: ["AOJ-20A"]),
    drivers: [.aojThermometer])
}

extension Manufacturer {
  static let aoj = Manufacturer(devices: [.aoj20A])
}
