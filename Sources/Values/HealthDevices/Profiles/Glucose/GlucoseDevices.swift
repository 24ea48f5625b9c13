// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Any meter that keeps to the Glucose Profile of the Bluetooth SIG.
  public static let genericGlucose = glucose(
    1000, "", "Glucose meter",
    instructions: "Switch on the meter's Bluetooth. Keep the phone near.",
    pairing: genericPairing, driver: .glucoseProfile)

  static let glucoseDevices = [genericGlucose]
}
