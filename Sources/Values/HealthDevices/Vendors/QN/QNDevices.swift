// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// QN's scales without a connection, sold as Renpho and others.
  package static let qnBroadcastScale = DeviceModel(
    id: 10503, type: .weightScale, manufacturer: "Renpho", model: "Scale (broadcasting)",
    instructions: standingStill, readingInstructions: standingOn,
    connectTimeout: .seconds(90), readTimeout: .seconds(45),
    advertisementFilter: AdvertisementFilter(services: [], companies: [0xFFFF]), broadcast: .qnScale
  )

  /// QN's scales, sold by Renpho, FitIndex, Arboleaf and others.
  package static let qnScale = scale(
    10511, "Renpho", "QN-Scale family", ["FFF0", "FFE0"],
    ["QN-Scale", "Renpho-Scale", "SEB-SCALE"], [.qnScale, .qnScaleFFE0])
}

extension Manufacturer {
  static let qn = Manufacturer(devices: [.qnBroadcastScale, .qnScale])
}
