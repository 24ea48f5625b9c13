// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// JKS50F and oximeters built alike, which call themselves "OXIMETER".
  package static let jks50f = DeviceModel(
    id: 10307, type: .pulseOximeter, manufacturer: "Guangdong Health", model: "JKS50F",
    instructions: clip, readingInstructions: holdStill,
    connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: [], namePrefixes: ["OXIMETER"]),
    drivers: [.jks50f])
}

extension Manufacturer {
  static let guangdongHealth = Manufacturer(devices: [.jks50f])
}
