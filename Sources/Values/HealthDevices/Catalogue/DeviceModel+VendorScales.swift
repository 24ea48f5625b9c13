// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Pyle PHLSCBT4, which advertises as "Samico Scales".
  public static let pylePHLSCBT4 = scale(
    11, "Pyle", "PHLSCBT4", ["FFF0"], ["Samico Scales"], [.samicoScale], readTimeout: .seconds(60))

  /// Welch Allyn RPM-Scale100: gives out a password when it is paired.
  public static let welchAllynRPMScale100 = DeviceModel(
    id: 21, type: .weightScale, manufacturer: "Welch Allyn", model: "RPM-Scale100",
    instructions: standingStill,
    pairingInstructions: "Hold the button under the scale until the display shows that it pairs.",
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(90), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: ["7802"], namePrefixes: ["SC100"]),
    drivers: [.transtekScale])

  /// ChoiceMMed iChoice S1: its protocol is not public, so that it is not read.
  public static let choiceMMedS1 = DeviceModel(
    id: 26, type: .weightScale, manufacturer: "ChoiceMMed", model: "iChoice S1",
    instructions: standingStill, isDisabled: true,
    connectTimeout: .seconds(90), readTimeout: .seconds(30),
    advertisementFilter: AdvertisementFilter(services: [], namePrefixes: ["iChoice"]))

  /// Renpho R-MSC04 and ES-CS20M.
  public static let renphoMSC04 = scale(
    10510, "Renpho", "R-MSC04, ES-CS20M", ["1A10"], [], [.renphoScale])

  /// QN's scales, sold by Renpho, FitIndex, Arboleaf and others.
  public static let qnScale = scale(
    10511, "Renpho", "QN-Scale family", ["FFF0", "FFE0"],
    ["QN-Scale", "Renpho-Scale", "SEB-SCALE"], [.qnScale, .qnScaleFFE0])

  /// Hutbit and its kin.
  public static let hutbitScale = scale(
    10512, "Hutbit", "Smart Scale", ["FFB0"], ["Hutbit"], [.hutbit])

  /// Runstar R6.
  public static let runstarR6 = scale(
    10513, "Runstar", "R6", ["FFB0"], ["Runstar-R6"], [.icomonScale])

  /// Koogeek S1.
  public static let koogeekS1 = scale(
    10514, "Koogeek", "S1", ["FFF0"], ["Koogeek-S1"], [.koogeekS1])

  /// Etekcity ESF-551.
  public static let etekcityESF551 = scale(
    10515, "Etekcity", "ESF-551", ["FFF0"], ["Etekcity Smart Fitness Scale"], [.etekcityESF551])

  /// 1byone, and Eufy C1, P1 and A1.
  public static let eufyC1 = scale(
    10517, "Eufy, 1byone", "C1, P1, A1", ["FFF0"],
    ["eufy T9146", "eufy T9147", "eufy T9120", "Health Scale"], [.oneByone])

  /// Yunmai Mini, SE and their kin.
  public static let yunmaiScale = scale(
    10518, "Yunmai", "Mini, SE", ["FFE0"], ["YUNMAI-"], [.yunmai])

  /// Trisa body scales, and those of ADE, which are made by Transtek like them.
  public static let trisaScale = DeviceModel(
    id: 10520, type: .weightScale, manufacturer: "Trisa, ADE", model: "Body scale",
    instructions: standingBarefoot,
    pairingInstructions: "Hold the button under the scale until the display shows that it pairs.",
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(90), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(
      services: ["7802"], namePrefixes: ["01257B", "11257B"]),
    drivers: [.transtekScale, .adeScale])

  /// Medisana BS430, BS440 and BS444.
  public static let medisanaBS4xx = scale(
    10522, "Medisana", "BS430, BS440, BS444", ["78B2"], [], [.medisanaScale])

  /// Beurer BF700, BF710 and BF800, Sanitas SBF70 and SBF75 and their kin.
  public static let beurerBF700 = scale(
    10530, "Beurer", "BF700, BF710, BF800", ["FFE0"],
    [
      "BF-700", "BF-800", "BEURER BF700", "BEURER BF710", "BEURER BF800", "BF700", "SANITAS SBF70",
      "SBF75", "AICDSCALE1", "RT-Libra", "Libra-",
    ], [.beurerScale])

  static let vendorScales = [
    pylePHLSCBT4, welchAllynRPMScale100, choiceMMedS1, renphoMSC04, qnScale, hutbitScale,
    runstarR6, koogeekS1, etekcityESF551, eufyC1, yunmaiScale, trisaScale,
    medisanaBS4xx, beurerBF700,
  ]

  /// A scale that is connected while somebody stands on it.
  private static func scale(
    _ id: Int, _ manufacturer: String, _ model: String, _ services: [String], _ names: [String],
    _ drivers: [DriverModel], readTimeout: Duration = .seconds(90)
  ) -> DeviceModel {
    DeviceModel(
      id: id, type: .weightScale, manufacturer: manufacturer, model: model,
      instructions: standingBarefoot, readingInstructions: standingOn,
      connectTimeout: .seconds(90), readTimeout: readTimeout,
      advertisementFilter: AdvertisementFilter(services: services, namePrefixes: names),
      drivers: drivers)
  }
}
