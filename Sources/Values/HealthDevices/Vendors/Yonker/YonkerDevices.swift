// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Yonker YK-IBPA1 and YK-BPW5, also sold by Yongrow and METIKO.
  package static let yonker = DeviceModel(
    id: 10109, type: .bloodPressure, manufacturer: "Yonker", model: "YK-IBPA1",
    instructions: "Take a measurement first; the phone connects when it is done.",
    connectTimeout: .seconds(120), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(
      services: ["CDEACD80-5235-4C07-8846-93A37EE6B86D"], namePrefixes: ["YK-"]),
    drivers: [.yonkerBloodPressure])
}

extension Manufacturer {
  static let yonker = Manufacturer(devices: [.yonker])
}
