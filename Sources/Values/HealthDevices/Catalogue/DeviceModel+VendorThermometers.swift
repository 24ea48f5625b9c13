// SPDX-License-Identifier: Apache-2.0

import HealthGATT

// These send their result as soon as it is there, and keep none: they are connected while one
// measures.
extension DeviceModel {
  /// Kinsa's QuickCare and Smart Stick.
  public static let kinsa = DeviceModel(
    id: 10_400, type: .thermometer, manufacturer: "Kinsa", model: "QuickCare",
    instructions: takeTemperature, connectTimeout: .seconds(60), readTimeout: .seconds(90),
    advertisementFilter: AdvertisementFilter(services: [Attribute.kinsaMessage.service]),
    drivers: [.kinsa])

  /// Jumper's JPD-FR thermometers.
  public static let jumperJPDFR = DeviceModel(
    id: 10_401, type: .thermometer, manufacturer: "Jumper", model: "JPD-FR",
    instructions: takeTemperature, connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: [], namePrefixes: ["My Thermometer"]),
    drivers: [.jumperThermometer])

  /// The AOJ-20A, an ear and forehead thermometer.
  public static let aoj20A = DeviceModel(
    id: 10_402, type: .thermometer, manufacturer: "AOJ", model: "AOJ-20A",
    instructions: takeTemperature, connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: [], namePrefixes: ["AOJ-20A"]),
    drivers: [.aojThermometer])

  /// The AET-WD thermometers.
  public static let aetWD = DeviceModel(
    id: 10_403, type: .thermometer, manufacturer: "AET", model: "AET-WD",
    instructions: takeTemperature, connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: [], namePrefixes: ["AET-WD"]),
    drivers: [.aetThermometer])

  static let vendorThermometers = [kinsa, jumperJPDFR, aoj20A, aetWD]

  private static let takeTemperature =
    "Switch the thermometer on, wait until it is connected, and take your temperature."
}
