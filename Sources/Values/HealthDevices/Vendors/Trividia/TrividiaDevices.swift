// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Nipro TRUE METRIX AIR: sends after a test, and when Bluetooth is chosen in its menu.
  package static let niproTrueMetrixAir = glucose(
    15, "Nipro", "TRUE METRIX AIR", names: ["NiproBGM", "TRUEAIR"],
    instructions: "With the meter off, press its button until the Bluetooth sign blinks.",
    pairing: """
      Hold the meter's buttons until its Bluetooth setting appears and choose pairing. Enter on the \
      phone the code that the meter shows.
      """,
    driver: .glucoseProfile)
}

extension Manufacturer {
  static let trividia = Manufacturer(devices: [.niproTrueMetrixAir])
}
