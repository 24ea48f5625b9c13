// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Beurer BM54, BM57, BM64, BM67, BM81, BC54, BC57, BC87 and the Sanitas models built like them.
  package static let beurerBM54 = DeviceModel(
    id: 10100, type: .bloodPressure, manufacturer: "Beurer", model: "BM54 family",
    instructions: "Take a measurement, or press M1 or M2 on the monitor. Keep the phone near.",
    pairingInstructions: """
      Switch Bluetooth on in the monitor's settings and take a measurement. If the phone asks for a \
      code, enter the one that the monitor shows.
      """,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(180), readTimeout: .seconds(120),
    advertisementFilter: AdvertisementFilter(
      services: ["1810"],
      namePrefixes: ["BM5", "BM6", "BM8", "BM 5", "BM 6", "BM 8", "BC5", "BC8", "SBM", "SBC"]),
    drivers: [.beurerBloodPressure])

  /// Beurer BM85, BM48 and BM59, and Elite 900, whose values have a layout of their own.
  package static let beurerBM85 = DeviceModel(
    id: 10101, type: .bloodPressure, manufacturer: "Beurer", model: "BM85 family",
    instructions: "Take a measurement, or press M1 or M2 on the monitor. Keep the phone near.",
    pairingInstructions: beurerBM54.pairingInstructions,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(180), readTimeout: .seconds(120),
    advertisementFilter: AdvertisementFilter(
      services: ["1810"],
      namePrefixes: ["Beurer BM", "BM85", "BM 85", "BM48", "BM 48", "BM59", "BM 59", "Elite 900"]),
    drivers: [.beurerBloodPressure])

  /// Beurer GL49, GL50 evo, GL60 and others of the GL series with Bluetooth.
  package static let beurerGL = glucose(
    10202, "Beurer", "GL series", names: ["GL4", "GL5", "GL6", "Beurer GL"],
    instructions: "Switch on the meter and let it transfer its values. Keep the phone near.",
    pairing: "Switch on Bluetooth in the meter's menu. Enter the code that the meter shows.",
    driver: .beurerGlucose)

  /// Beurer PO60, which keeps its measurements.
  package static let beurerPO60 = DeviceModel(
    id: 10306, type: .pulseOximeter, manufacturer: "Beurer", model: "PO60",
    instructions: "Measure with the oximeter, then keep it near the phone.",
    appearsAfterMeasurement: true,
    connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: [], namePrefixes: ["PO60"]),
    drivers: [.po60])

  /// Beurer BF105, BF500, BF720, BF788, BF915, BF950 and Sanitas SBF72, SBF73: scales with users
  /// that keep to the services of the Bluetooth SIG.
  package static let beurerBF720 = DeviceModel(
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

  /// Beurer FT85, FT90, FT95: bond once, one measurement each time.
  package static let beurerFT95 = DeviceModel(
    id: 10_461, type: .thermometer, manufacturer: "Beurer", model: "FT 85, FT 90, FT 95",
    instructions: "Take the temperature with the thermometer. Keep the phone near.",
    pairingInstructions: "Switch the thermometer on while its Bluetooth is enabled.",
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(
      services: ["1809"], namePrefixes: ["FT85", "FT90", "FT95"]),
    drivers: [.thermometerProfile])

  /// Beurer BF700, BF710 and BF800, Sanitas SBF70 and SBF75 and their kin.
  package static let beurerBF700 = scale(
    10530, "Beurer", "BF700, BF710, BF800", ["FFE0"],
    [
      "BF-700", "BF-800", "BEURER BF700", "BEURER BF710", "BEURER BF800", "BF700", "SANITAS SBF70",
      "SBF75", "AICDSCALE1", "RT-Libra", "Libra-",
    ], [.beurerScale])
}

extension Manufacturer {
  static let beurer = Manufacturer(
    devices: [
      .beurerBM54, .beurerBM85, .beurerGL, .beurerPO60, .beurerBF720, .beurerFT95, .beurerBF700,
    ], forbidden: ForbiddenCommand.beurer)
}
