// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// i-SENS CareSens N Premier BT, Dual and S Fit, and the ReliOn Platinum of the same
  /// manufacturer.
  package static let careSens = glucose(
    10201, "i-SENS", "CareSens N Premier, Dual, S Fit",
    names: ["CareSens", "ReliOn 2395", "ReliOn 0015"],
    instructions: "Switch the meter on. It sends while the Bluetooth sign is shown.",
    pairing: """
      With the meter off, hold its left button until the Bluetooth sign blinks. Enter the code \
      that the meter shows or its label bears.
      """,
    driver: .careSens)
}

extension Manufacturer {
  static let iSens = Manufacturer(devices: [.careSens])
}
