// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Renpho ES-WBE28.
  package static let renphoESWBE28 = DeviceModel(
    id: 10_561, type: .weightScale, manufacturer: "Renpho", model: "ES-WBE28",
    instructions: stepOn, appearsAfterMeasurement: true,
    connectTimeout: .seconds(90), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: ["181D", "181B"], namePrefixes: ["Renpho"]),
    drivers: [.renphoESWBE28])

  /// Renpho R-MSC04 and ES-CS20M.
  package static let renphoMSC04 = scale(
    10510, "Renpho", "R-MSC04, ES-CS20M", ["1A10"], [], [.renphoScale])
}

extension Manufacturer {
  static let renpho = Manufacturer(devices: [.renphoESWBE28, .renphoMSC04])
}
