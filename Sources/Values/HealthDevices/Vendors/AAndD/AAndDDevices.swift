// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// A&D UA-651BLE: advertises for about a minute after a measurement, and while it pairs.
  package static let aAndDUA651BLE = DeviceModel(
    id: 2, type: .bloodPressure, manufacturer: "A&D", model: "UA-651BLE",
    instructions: """
      Sit down, put on the cuff and press START on the monitor. Keep the phone near.
      """,
    pairingInstructions: """
      With the cuff off, hold the START button of the monitor until the display shows "Pr".
      """,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(180), readTimeout: .seconds(120),
    advertisementFilter: AdvertisementFilter(services: ["1810"], namePrefixes: ["A&D_UA-651BLE"]),
    drivers: [.bloodPressureProfile])

  /// A&D UC-352BLE of the first generation, with A&D's own service.
  package static let aAndDUC352BLEOwnService = DeviceModel(
    id: 14, type: .weightScale, manufacturer: "A&D", model: "UC-352BLE (first generation)",
    instructions: stepOn, pairingInstructions: aAndDPairing,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(90), readTimeout: .seconds(30),
    advertisementFilter: AdvertisementFilter(
      services: ["23434100-1FE4-1EFF-80CB-00FF78297D8B"],
      namePrefixes: ["A&D_UC-352BLE", "AD_UC-352BLE"]),
    drivers: [.aAndDWeightScale])

  /// A&D UC-352BLE and UC-355 with the Weight Scale Service.
  package static let aAndDUC352BLE = DeviceModel(
    id: 31, type: .weightScale, manufacturer: "A&D", model: "UC-352BLE",
    instructions: stepOn, pairingInstructions: aAndDPairing,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(90), readTimeout: .seconds(30),
    advertisementFilter: AdvertisementFilter(
      services: ["181D"], namePrefixes: ["A&D_UC-352BLE", "AD_UC-352BLE", "A&D_UC-355"]),
    drivers: [.weightScaleProfile])

  /// A&D UT-201BLE, also sold as Nipro NSM-1BLE: sends about a minute after a measurement, what it
  /// could not send the next time.
  package static let aAndDUT201BLE = DeviceModel(
    id: 10_460, type: .thermometer, manufacturer: "A&D", model: "UT-201BLE",
    instructions: """
      Take the temperature until the thermometer beeps. It sends by itself within a minute.
      """,
    pairingInstructions: """
      With the thermometer off, hold its button until the display shows that it pairs.
      """,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(180), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(
      services: ["1809"], namePrefixes: ["A&D_UT201BLE", "NSM-1BLE"]),
    drivers: [.thermometerProfile])

  private static let aAndDPairing = """
    Press the button on the underside of the scale until its display shows that it pairs.
    """
}

extension Manufacturer {
  static let aAndD = Manufacturer(
    devices: [.aAndDUA651BLE, .aAndDUC352BLEOwnService, .aAndDUC352BLE, .aAndDUT201BLE],
    forbidden: ForbiddenCommand.aAndD)
}
