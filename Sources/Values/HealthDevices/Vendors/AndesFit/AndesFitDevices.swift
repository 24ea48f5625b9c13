// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// AndesFit ADF-B19 and BPM_01.
  package static let andesFitADFB19 = DeviceModel(
    id: 10111, type: .bloodPressure, manufacturer: "AndesFit", model: "ADF-B19",
    instructions: measureAndWait,
    connectTimeout: .seconds(120), readTimeout: .seconds(120),
    advertisementFilter: AdvertisementFilter(
      services: ["FFF0"], namePrefixes: ["ADF-B", "BPM_01"]),
    drivers: [.andesFitBloodPressure])
}

extension Manufacturer {
  static let andesFit = Manufacturer(devices: [.andesFitADFB19])
}
