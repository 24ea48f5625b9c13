// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Pyle PHTM20BT: an ear and forehead thermometer; it advertises another service than it has.
  package static let pylePHTM20BT = DeviceModel(
    id: 1, type: .thermometer, manufacturer: "Pyle", model: "PHTM20BT",
    instructions: "Switch the thermometer on and take the temperature. Keep the phone near.",
    connectTimeout: .seconds(30), readTimeout: .seconds(30),
    advertisementFilter: AdvertisementFilter(services: ["FFF0"], namePrefixes: ["Tem BH"]),
    drivers: [.thermometerProfile]
  ).heard(.sometimesMissed)

  /// Pyle PHTM10BT: as the PHTM20BT, which has the same name in the air.
  package static let pylePHTM10BT = DeviceModel(
    id: 12, type: .thermometer, manufacturer: "Pyle", model: "PHTM10BT",
    instructions: "Switch the thermometer on and take the temperature. Keep the phone near.",
    connectTimeout: .seconds(30), readTimeout: .seconds(30),
    advertisementFilter: AdvertisementFilter(services: ["FFF0"], namePrefixes: ["Tem BH"]),
    drivers: [.thermometerProfile]
  ).heard(.sometimesMissed)
}

extension Manufacturer {
  static let pyle = Manufacturer(devices: [.pylePHTM20BT, .pylePHTM10BT])
}
