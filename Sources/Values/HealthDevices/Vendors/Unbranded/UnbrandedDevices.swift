// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// FS20F and oximeters built alike.
  package static let fs20f = DeviceModel(
    id: 10308, type: .pulseOximeter, manufacturer: "", model: "FS20F",
    instructions: clip, readingInstructions: holdStill,
    connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(
      services: [], namePrefixes: ["FS20F", "VTM 20F", "Tv221u", "Medical"]),
    drivers: [.fs20f])
}

extension Manufacturer {
  static let unbranded = Manufacturer(devices: [.fs20f])
}
