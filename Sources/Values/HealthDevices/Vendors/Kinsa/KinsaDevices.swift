// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Kinsa's QuickCare and Smart Stick.
  package static let kinsa = DeviceModel(
    id: 10_400, type: .thermometer, manufacturer: "Kinsa", model: "QuickCare",
    instructions: takeTemperature, connectTimeout: .seconds(60), readTimeout: .seconds(90),
    advertisementFilter: AdvertisementFilter(services: [GATTAttribute.kinsaMessage.service]),
    drivers: [.kinsa])
}

extension Manufacturer {
  static let kinsa = Manufacturer(devices: [.kinsa])
}
