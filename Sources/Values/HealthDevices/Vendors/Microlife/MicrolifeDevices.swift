// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Microlife monitors with Bluetooth: BP3GY1-2N, BP3GX1 and their like.
  package static let microlife = DeviceModel(
    id: 10107, type: .bloodPressure, manufacturer: "Microlife", model: "BP3 Bluetooth models",
    instructions: "Hold START for about eight seconds, until the Bluetooth sign appears.",
    pairingInstructions: "Hold START for about eight seconds, until the Bluetooth sign appears.",
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(120), readTimeout: .seconds(120),
    advertisementFilter: AdvertisementFilter(
      services: ["FFF0"], namePrefixes: ["BP3", "B6 Connect"]),
    drivers: [.microlife])
}

extension Manufacturer {
  static let microlife = Manufacturer(devices: [.microlife], forbidden: ForbiddenCommand.microlife)
}
