// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// A&D UC-352BLE of the first generation, with A&D's own service.
  public static let aAndDUC352BLEOwnService = DeviceModel(
    id: 14, type: .weightScale, manufacturer: "A&D", model: "UC-352BLE (first generation)",
    instructions: stepOn, pairingInstructions: aAndDPairing,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(90), readTimeout: .seconds(30),
    advertisementFilter: AdvertisementFilter(
      services: ["23434100-1FE4-1EFF-80CB-00FF78297D8B"],
      namePrefixes: ["A&D_UC-352BLE", "AD_UC-352BLE"]),
    drivers: [.aAndDWeightScale])

  /// Omron HN-290T.
  public static let omronHN290T = DeviceModel(
    id: 27, type: .weightScale, manufacturer: "Omron", model: "HN-290T",
    instructions: stepOn,
    pairingInstructions: "Hold the Bluetooth button of the scale until its display blinks.",
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(90), readTimeout: .seconds(30),
    advertisementFilter: AdvertisementFilter(
      services: ["181D"], namePrefixes: ["BLEsmart_00010105"]),
    drivers: [.weightScaleProfile])

  /// A&D UC-352BLE and UC-355 with the Weight Scale Service.
  public static let aAndDUC352BLE = DeviceModel(
    id: 31, type: .weightScale, manufacturer: "A&D", model: "UC-352BLE",
    instructions: stepOn, pairingInstructions: aAndDPairing,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(90), readTimeout: .seconds(30),
    advertisementFilter: AdvertisementFilter(
      services: ["181D"], namePrefixes: ["A&D_UC-352BLE", "AD_UC-352BLE", "A&D_UC-355"]),
    drivers: [.weightScaleProfile])

  /// Any scale that keeps to the Weight Scale Profile of the Bluetooth SIG.
  public static let genericWeightScale = DeviceModel(
    id: 5000, type: .weightScale, manufacturer: "", model: "Weight scale",
    instructions: stepOn, pairingInstructions: genericPairing,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(90), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: ["181D"]), drivers: [.weightScaleProfile])

  /// Any scale with the Body Composition Service of the Bluetooth SIG.
  public static let genericBodyComposition = DeviceModel(
    id: 7000, type: .weightScale, manufacturer: "", model: "Body composition scale",
    instructions: stepOnBarefoot, pairingInstructions: genericPairing,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(90), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: ["181B"]),
    drivers: [.weightScaleProfile, .bodyCompositionProfile])

  /// Beurer BF105, BF500, BF720, BF788, BF915, BF950 and Sanitas SBF72, SBF73: scales with users
  /// that keep to the services of the Bluetooth SIG.
  public static let beurerBF720 = DeviceModel(
    id: 10_560, type: .weightScale, manufacturer: "Beurer",
    model: "BF 720 and others with users",
    instructions: stepOnBarefoot,
    pairingInstructions: """
      Step on the scale so that it is on, and keep the phone near. The scale makes a new user for you.
      """,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(90), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(
      services: ["181D", "181B"],
      namePrefixes: [
        "BF105", "BF500", "BF720", "BF788", "BF915", "BF950", "SBF72", "SBF73", "Beurer BF",
      ]),
    drivers: [.weightScaleProfile])

  /// Renpho ES-WBE28.
  public static let renphoESWBE28 = DeviceModel(
    id: 10_561, type: .weightScale, manufacturer: "Renpho", model: "ES-WBE28",
    instructions: stepOn, appearsAfterMeasurement: true,
    connectTimeout: .seconds(90), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: ["181D", "181B"], namePrefixes: ["Renpho"]),
    drivers: [.renphoESWBE28])

  static let scales = [
    aAndDUC352BLEOwnService, omronHN290T, aAndDUC352BLE, genericWeightScale,
    genericBodyComposition, beurerBF720, renphoESWBE28,
  ]

  static let stepOn = "Step on the scale and stand still until it shows your weight."
  static let stepOnBarefoot = """
    Step on the scale barefoot and stand still until it has measured.
    """
  private static let aAndDPairing = """
    Press the button on the underside of the scale until its display shows that it pairs.
    """
}
