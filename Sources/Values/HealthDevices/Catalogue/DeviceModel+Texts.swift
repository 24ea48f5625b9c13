// SPDX-License-Identifier: Apache-2.0

import HealthGATT

// What entries of several manufacturers share.
extension DeviceModel {
  /// Why a device is disabled whose manufacturer gives its protocol to licensees only.
  static func licensees(_ manufacturer: String) -> String {
    """
    \(manufacturer) gives its protocol to licensees only. Register a licensee's plug-in for it in the \
    device catalogue of the controller.
    """
  }

  /// How a device is paired that is known by its profile alone.
  static let genericPairing = """
    Put the device into its pairing mode as its manual says. If the phone asks for a code, enter the \
    one that the device shows.
    """

  static let measureAndWait = """
    Put on the cuff and press START on the monitor. Keep the phone near.
    """

  static let standingStill =
    "Put the scale on a hard floor, step on it and stand still until the display no longer changes."

  static let standingBarefoot =
    "Put the scale on a hard floor, step on it barefoot and stand still until it is done."

  static let standingOn = "Stand still until the weight has been received."

  /// Meters give their memory to bonded phones only; the timeouts are those of Validic's list.
  static func glucose(
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

  static let clip = """
    Sit quietly for a few minutes, warm your hand, and put a finger into the oximeter.
    """

  static let holdStill = """
    Keep the hand still until the values have settled; this takes at least ten seconds.
    """

  static let stepOn = "Step on the scale and stand still until it shows your weight."

  static let stepOnBarefoot = """
    Step on the scale barefoot and stand still until it has measured.
    """

  /// A scale that is connected while the user stands on it.
  static func scale(
    _ id: Int, _ manufacturer: String, _ model: String, _ services: [String], _ names: [String],
    _ drivers: [DriverModel], readTimeout: Duration = .seconds(90)
  ) -> DeviceModel {
    DeviceModel(
      id: id, type: .weightScale, manufacturer: manufacturer, model: model,
      instructions: standingBarefoot, readingInstructions: standingOn,
      connectTimeout: .seconds(90), readTimeout: readTimeout,
      advertisementFilter: AdvertisementFilter(services: services, namePrefixes: names),
      drivers: drivers)
  }

  static let takeTemperature =
    "Switch the thermometer on, wait until it is connected, and take your temperature."
}
