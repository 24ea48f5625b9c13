// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Scales of the OKOK app that broadcast by its version 2.0.
  package static let okokScale = DeviceModel(
    id: 10505, type: .weightScale, manufacturer: "", model: "OKOK scale",
    instructions: standingBarefoot, readingInstructions: standingOn,
    connectTimeout: .seconds(90), readTimeout: .seconds(45),
    advertisementFilter: AdvertisementFilter(services: [], companies: [0x20CA]), broadcast: .okokV20
  )
}

extension Manufacturer {
  static let chipsea = Manufacturer(devices: [.okokScale])
}
