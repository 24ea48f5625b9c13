// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Any meter that keeps to the Glucose Profile of the Bluetooth SIG.
  public static let genericGlucose = glucose(
    1000, "", "Glucose meter",
    instructions: "Switch on the meter's Bluetooth. Keep the phone near.",
    pairing: genericPairing, driver: .glucoseProfile)

  /// Nipro TRUE METRIX AIR: sends after a test, and when Bluetooth is chosen in its menu.
  public static let niproTrueMetrixAir = glucose(
    15, "Nipro", "TRUE METRIX AIR", names: ["NiproBGM", "TRUEAIR"],
    instructions: "With the meter off, press its button until the Bluetooth sign blinks.",
    pairing: """
      Hold the meter's buttons until its Bluetooth setting appears and choose pairing. Enter on the \
      phone the code that the meter shows.
      """,
    driver: .glucoseProfile)

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

  /// Ascensia Contour Next One, Plus One and Plus Elite.
  public static let contourNextOne = glucose(
    10200, "Ascensia", "Contour Next One, Plus One, Plus Elite", names: ["Contour"],
    instructions: "Make a test, or press OK so that the meter switches on. Keep the phone near.",
    pairing: """
      With the meter off, hold its OK button until the blue light blinks. Compare the meter's \
      number with the one the phone shows.
      """,
    driver: .contour)

  /// i-SENS CareSens N Premier BT, Dual and S Fit, and the ReliOn Platinum of the same
  /// manufacturer.
  public static let careSens = glucose(
    10201, "i-SENS", "CareSens N Premier, Dual, S Fit",
    names: ["CareSens", "ReliOn 2395", "ReliOn 0015"],
    instructions: "Switch the meter on. It sends while the Bluetooth sign is shown.",
    pairing: """
      With the meter off, hold its left button until the Bluetooth sign blinks. Enter the code \
      that the meter shows or its label bears.
      """,
    driver: .careSens)

  /// Beurer GL49, GL50 evo, GL60 and others of the GL series with Bluetooth.
  public static let beurerGL = glucose(
    10202, "Beurer", "GL series", names: ["GL4", "GL5", "GL6", "Beurer GL"],
    instructions: "Switch on the meter and let it transfer its values. Keep the phone near.",
    pairing: "Switch on Bluetooth in the meter's menu. Enter the code that the meter shows.",
    driver: .beurerGlucose)

  static let glucoseMeters = [
    genericGlucose, niproTrueMetrixAir, accuChekAvivaConnect, accuChekGuide, accuChekInstant,
    contourNextOne, careSens, beurerGL,
  ]

  private static let accuChekReading = """
    Make a test, or choose "Wireless" and "Sync" in the meter's menu. Keep the phone near.
    """

  private static let accuChekPairing = """
    Choose pairing in the meter's wireless menu. Enter on the phone the six digits that stand on the \
    meter's back or display.
    """

  /// Meters give their memory to bonded phones only; the timeouts are those of Validic's list.
  private static func glucose(
    _ id: Int, _ manufacturer: String, _ model: String, names: [String] = [],
    instructions: String, pairing: String, driver: DriverModel
  ) -> DeviceModel {
    DeviceModel(
      id: id, type: .glucoseMeter, manufacturer: manufacturer, model: model,
      instructions: instructions, pairingInstructions: pairing, requiresPairing: true,
      connectTimeout: .seconds(60), readTimeout: .seconds(60),
      advertisementFilter: AdvertisementFilter(services: ["1808"], namePrefixes: names),
      // A model whose clock is another one is still a meter of the profile.
      drivers: driver == .contour ? [.contour, .glucoseProfile] : [driver])
  }
}
