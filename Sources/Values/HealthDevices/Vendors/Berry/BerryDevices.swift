// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Berry BM1000, BM1000B, BM1000C and BM1000E.
  package static let berryBM1000 = DeviceModel(
    id: 10305, type: .pulseOximeter, manufacturer: "Berry", model: "BM1000",
    instructions: clip, readingInstructions: holdStill,
    connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(
      services: [GATTAttribute.berryPackets.service], namePrefixes: ["BerryMed", "BM1000"]),
    drivers: [.berry])
}

extension Manufacturer {
  static let berry = Manufacturer(devices: [.berryBM1000])
}
