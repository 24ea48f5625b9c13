// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Pyle PHBPB20, made by Samico.
  package static let pylePHBPB20 = DeviceModel(
    id: 3, type: .bloodPressure, manufacturer: "Pyle", model: "PHBPB20",
    instructions: "Put on the cuff, switch the monitor on and press START when it is connected.",
    connectTimeout: .seconds(180), readTimeout: .seconds(120),
    advertisementFilter: AdvertisementFilter(services: ["FFF0"], namePrefixes: ["Samico BP"]),
    drivers: [.samicoBloodPressure])

  /// Pyle PHLSCBT4, which advertises as "Samico Scales".
  package static let pylePHLSCBT4 = scale(
    11, "Pyle", "PHLSCBT4", ["FFF0"], ["Samico Scales"], [.samicoScale], readTimeout: .seconds(30))
}

extension Manufacturer {
  static let samico = Manufacturer(devices: [.pylePHBPB20, .pylePHLSCBT4])
}
