// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Pyle PHTM20BT: an ear and forehead thermometer; it advertises another service than it has.
  public static let pylePHTM20BT = DeviceModel(
    id: 1, type: .thermometer, manufacturer: "Pyle", model: "PHTM20BT",
    instructions: "Switch the thermometer on and take the temperature. Keep the phone near.",
    connectTimeout: .seconds(30), readTimeout: .seconds(30),
    advertisementFilter: AdvertisementFilter(services: ["FFF0"], namePrefixes: ["Tem BH"]),
    drivers: [.thermometerProfile])

  /// Pyle PHTM10BT: as the PHTM20BT, which has the same name in the air.
  public static let pylePHTM10BT = DeviceModel(
    id: 12, type: .thermometer, manufacturer: "Pyle", model: "PHTM10BT",
    instructions: "Switch the thermometer on and take the temperature. Keep the phone near.",
    connectTimeout: .seconds(30), readTimeout: .seconds(30),
    advertisementFilter: AdvertisementFilter(services: ["FFF0"], namePrefixes: ["Tem BH"]),
    drivers: [.thermometerProfile])

  /// Any thermometer that keeps to the Health Thermometer Profile of the Bluetooth SIG.
  public static let genericThermometer = DeviceModel(
    id: 4000, type: .thermometer, manufacturer: "", model: "Thermometer",
    instructions: "Take the temperature with the thermometer. Keep the phone near.",
    appearsAfterMeasurement: true,
    connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: ["1809"]), drivers: [.thermometerProfile])

  /// A&D UT-201BLE, also sold as Nipro NSM-1BLE: sends about a minute after a measurement, what it
  /// could not send the next time.
  public static let aAndDUT201BLE = DeviceModel(
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

  /// Beurer FT85, FT90, FT95: bond once, one measurement each time.
  public static let beurerFT95 = DeviceModel(
    id: 10_461, type: .thermometer, manufacturer: "Beurer", model: "FT 85, FT 90, FT 95",
    instructions: "Take the temperature with the thermometer. Keep the phone near.",
    pairingInstructions: "Switch the thermometer on while its Bluetooth is enabled.",
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(
      services: ["1809"], namePrefixes: ["FT85", "FT90", "FT95"]),
    drivers: [.thermometerProfile])

  static let thermometers = [
    pylePHTM20BT, pylePHTM10BT, genericThermometer, aAndDUT201BLE, beurerFT95,
  ]
}
