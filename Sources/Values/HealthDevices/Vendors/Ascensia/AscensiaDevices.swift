// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Ascensia Contour Next One, Plus One and Plus Elite.
  package static let contourNextOne = glucose(
    10200, "Ascensia", "Contour Next One, Plus One, Plus Elite", names: ["Contour"],
    instructions: "Make a test, or press OK so that the meter switches on. Keep the phone near.",
    pairing: """
      With the meter off, hold its OK button until the blue light blinks. Compare the meter's \
      number with the one the phone shows.
      """,
    driver: .contour)
}

extension Manufacturer {
  static let ascensia = Manufacturer(devices: [.contourNextOne])
}
