// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Welch Allyn RPM-BP100 (Home 1500 and 1700), made by Transtek.
  package static let welchAllynRPMBP100 = DeviceModel(
    id: 22, type: .bloodPressure, manufacturer: "Welch Allyn", model: "RPM-BP100",
    instructions: measureAndWait,
    pairingInstructions: """
      With the cuff off, hold the START button of the monitor until the Bluetooth sign blinks.
      """,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(180), readTimeout: .seconds(120),
    advertisementFilter: AdvertisementFilter(services: ["7809"]),
    drivers: [.transtekBloodPressure])

  /// Welch Allyn RPM-Scale100: gives out a password when it is paired.
  package static let welchAllynRPMScale100 = DeviceModel(
    id: 21, type: .weightScale, manufacturer: "Welch Allyn", model: "RPM-Scale100",
    instructions: standingStill,
    pairingInstructions: "Hold the button under the scale until the display shows that it pairs.",
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(90), readTimeout: .seconds(30),
    advertisementFilter: AdvertisementFilter(services: ["7802"], namePrefixes: ["SC100"]),
    drivers: [.transtekScale])

  /// Trisa body scales, and those of ADE, which are made by Transtek like them.
  package static let trisaScale = DeviceModel(
    id: 10520, type: .weightScale, manufacturer: "Trisa, ADE", model: "Body scale",
    instructions: standingBarefoot,
    pairingInstructions: "Hold the button under the scale until the display shows that it pairs.",
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(90), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(
      services: ["7802"], namePrefixes: ["01257B", "11257B"]),
    drivers: [.transtekScale, .adeScale])
}

extension Manufacturer {
  static let transtek = Manufacturer(devices: [
    .welchAllynRPMBP100, .welchAllynRPMScale100, .trisaScale,
  ])
}
