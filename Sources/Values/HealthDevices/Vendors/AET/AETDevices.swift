// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// The AET-WD thermometers.
  package static let aetWD = DeviceModel(
    id: 10_403, type: .thermometer, manufacturer: "AET", model: "AET-WD",
    instructions: takeTemperature, connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: [], namePrefixes: ["AET-WD"]),
    drivers: [.aetThermometer])
}

extension Manufacturer {
  static let aet = Manufacturer(devices: [.aetWD])
}
