// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Etekcity Fit 8S: broadcasts weight and impedance.
  package static let etekcityFit8S = DeviceModel(
    id: 10504, type: .weightScale, manufacturer: "Etekcity", model: "Fit 8S",
    instructions: standingBarefoot, readingInstructions: standingOn,
    connectTimeout: .seconds(90), readTimeout: .seconds(45),
    advertisementFilter: AdvertisementFilter(services: ["FFD0"], companies: [0x06D0]),
    broadcast: .etekcity)

  /// Etekcity ESF-551.
  package static let etekcityESF551 = scale(
    10515, "Etekcity", "ESF-551", ["FFF0"], ["Etekcity Smart Fitness Scale"], [.etekcityESF551])
}

extension Manufacturer {
  static let etekcity = Manufacturer(devices: [.etekcityFit8S, .etekcityESF551])
}
