// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Nonin 3230, and 3231: advertises as long as a finger is in it.
  package static let nonin3230 = DeviceModel(
    id: 13, type: .pulseOximeter, manufacturer: "Nonin", model: "3230",
    instructions: clip, readingInstructions: holdStill,
    connectTimeout: .seconds(60), readTimeout: .seconds(30),
    advertisementFilter: AdvertisementFilter(
      services: [GATTAttribute.noninOximetry.service], namePrefixes: ["Nonin3230", "Nonin3231"]),
    drivers: [.nonin]
  ).heard(.hardlyHeard)

  /// Nonin 3150 BLE (WristOx2), worn on the wrist.
  package static let nonin3150 = DeviceModel(
    id: 10300, type: .pulseOximeter, manufacturer: "Nonin", model: "WristOx2 3150 BLE",
    instructions: "Put the sensor on a finger. The oximeter switches itself on.",
    readingInstructions: holdStill,
    pairingInstructions: """
      Take the batteries out and put them in again: for two minutes the oximeter accepts a new phone.
      """,
    requiresPairing: true, connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(
      services: [GATTAttribute.noninOximetry.service], namePrefixes: ["Nonin3150"]),
    drivers: [.nonin]
  ).heard(.hardlyHeard)
}

extension Manufacturer {
  static let nonin = Manufacturer(devices: [.nonin3230, .nonin3150])
}
