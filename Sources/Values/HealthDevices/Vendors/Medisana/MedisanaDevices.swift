// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Medisana BU 530, BU 540 and BU 570 connect.
  package static let medisanaBU5xx = DeviceModel(
    id: 10108, type: .bloodPressure, manufacturer: "Medisana", model: "BU 5xx connect",
    instructions: measureAndWait, pairingInstructions: genericPairing,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(180), readTimeout: .seconds(120),
    advertisementFilter: AdvertisementFilter(services: ["1810"], namePrefixes: ["BU 5", "BU5"]),
    drivers: [.bloodPressureProfile])

  /// Medisana BS430, BS440 and BS444.
  package static let medisanaBS4xx = scale(
    10522, "Medisana", "BS430, BS440, BS444", ["78B2"], [], [.medisanaScale])
}

extension Manufacturer {
  static let medisana = Manufacturer(devices: [.medisanaBU5xx, .medisanaBS4xx])
}
