// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Viatom and Wellue BP2, BP2A, BP2W and Checkme BP2.
  package static let viatomBP2 = DeviceModel(
    id: 10105, type: .bloodPressure, manufacturer: "Viatom", model: "BP2",
    instructions: "Switch the monitor on and measure with its button. Keep the phone near.",
    connectTimeout: .seconds(60), readTimeout: .seconds(300),
    advertisementFilter: AdvertisementFilter(
      services: ["14839AC4-7D7E-415C-9A42-167340CF2339"],
      namePrefixes: ["BP2", "Checkme BP2", "LP-BP2"]),
    drivers: [.viatomBP2])

  // A ring may have many nights to send, half a minute each.

  /// Viatom (Wellue) O2Ring, Checkme O2, SleepU, KidsO2, O2 Max: rings that record the night.
  package static let viatomO2Ring = DeviceModel(
    id: 10301, type: .pulseOximeter, manufacturer: "Viatom", model: "O2Ring",
    instructions: ring, readingInstructions: holdStill,
    connectTimeout: .seconds(60), readTimeout: .seconds(600),
    advertisementFilter: AdvertisementFilter(
      services: [],
      namePrefixes: [
        "O2Ring", "Checkme O2", "CheckO2", "SleepO2", "SleepU", "KidsO2", "O2NCI",
        "O2M", "CMRing",
      ]),
    drivers: [.viatomRing])

  /// Viatom (Wellue) O2Ring-S, S8-AW, SHQO2Pro and Band-WU, as they advertise when they are not
  /// recording.
  package static let viatomO2RingS = DeviceModel(
    id: 10302, type: .pulseOximeter, manufacturer: "Viatom", model: "O2Ring-S",
    instructions: ring, readingInstructions: holdStill,
    connectTimeout: .seconds(60), readTimeout: .seconds(600),
    advertisementFilter: AdvertisementFilter(
      services: [], namePrefixes: ["S8-AW", "SHQO2Pro", "Band-WU"]),
    drivers: [.oxyIIRing])

  /// Viatom PC-60FW, PC-60NW and POD.
  package static let viatomPC60FW = DeviceModel(
    id: 10303, type: .pulseOximeter, manufacturer: "Viatom", model: "PC-60FW",
    instructions: clip, readingInstructions: holdStill,
    connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(
      services: [], namePrefixes: ["PC-60FW", "PC-60NW", "POD"]),
    drivers: [.pc60])

  private static let ring = """
    Take the ring off and wait until its recording is over, or wear it for a value of the moment.
    """
}

extension Manufacturer {
  static let viatom = Manufacturer(
    devices: [.viatomBP2, .viatomO2Ring, .viatomO2RingS, .viatomPC60FW],
    forbidden: ForbiddenCommand.viatom)
}
