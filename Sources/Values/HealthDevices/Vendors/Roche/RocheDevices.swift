// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Roche Accu-Chek Aviva Connect: its clock cannot be set by radio.
  public static let accuChekAvivaConnect = glucose(
    23, "Roche", "Accu-Chek Aviva Connect", names: ["Accu-Chek"],
    instructions: accuChekReading, pairing: accuChekPairing, driver: .accuChek)

  /// Roche Accu-Chek Guide and Guide Me.
  public static let accuChekGuide = glucose(
    29, "Roche", "Accu-Chek Guide", names: ["meter+"],
    instructions: accuChekReading, pairing: accuChekPairing, driver: .accuChek)

  /// Roche Accu-Chek Instant; it advertises the same name as the Guide.
  public static let accuChekInstant = glucose(
    30, "Roche", "Accu-Chek Instant", names: ["meter+"],
    instructions: accuChekReading, pairing: accuChekPairing, driver: .accuChek)

  static let rocheDevices = [accuChekAvivaConnect, accuChekGuide, accuChekInstant]

  private static let accuChekReading = """
    Make a test, or choose "Wireless" and "Sync" in the meter's menu. Keep the phone near.
    """

  private static let accuChekPairing = """
    Choose pairing in the meter's wireless menu. Enter on the phone the six digits that stand on the \
    meter's back or display.
    """
}
