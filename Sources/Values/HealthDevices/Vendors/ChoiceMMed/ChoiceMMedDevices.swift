// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// ChoiceMMed MD300C228 and MD300C208, sold as "iChoice".
  package static let choiceMMedMD300C228 = DeviceModel(
    id: 25, type: .pulseOximeter, manufacturer: "ChoiceMMed", model: "MD300C228",
    instructions: clip, readingInstructions: holdStill,
    connectTimeout: .seconds(60), readTimeout: .seconds(30),
    // Its service ends in the device's address: no scan can ask for it.
    advertisementFilter: AdvertisementFilter(services: [], namePrefixes: ["iChoice"]),
    drivers: [.choiceMMedOximeter])

  /// ChoiceMMed iChoice S1: its protocol is not public, so that it is not read.
  package static let choiceMMedS1 = DeviceModel(
    id: 26, type: .weightScale, manufacturer: "ChoiceMMed", model: "iChoice S1",
    instructions: standingStill, disabledReason: "Its protocol is not public.",
    connectTimeout: .seconds(90), readTimeout: .seconds(30),
    advertisementFilter: AdvertisementFilter(services: [], namePrefixes: ["iChoice"]))
}

extension Manufacturer {
  static let choiceMMed = Manufacturer(devices: [.choiceMMedMD300C228, .choiceMMedS1])
}
