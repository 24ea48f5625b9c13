// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// The Bioland G-500, which advertises no service that is known for certain.
  package static let biolandG500 = DeviceModel(
    id: 10_252, type: .glucoseMeter, manufacturer: "Bioland", model: "G-500",
    instructions: "Test your blood glucose and leave the meter on, near the phone.",
    connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: [], namePrefixes: ["Bioland"]),
    drivers: [.bioland])
}

extension Manufacturer {
  static let bioland = Manufacturer(devices: [.biolandG500])
}
