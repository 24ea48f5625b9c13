// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// A&D UA-651BLE: advertises for about a minute after a measurement, and while it pairs.
  public static let aAndDUA651BLE = DeviceModel(
    id: 2, type: .bloodPressure, manufacturer: "A&D", model: "UA-651BLE",
    instructions: """
      Sit down, put on the cuff and press START on the monitor. Keep the phone near.
      """,
    pairingInstructions: """
      With the cuff off, hold the START button of the monitor until the display shows "Pr".
      """,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(180), readTimeout: .seconds(120),
    advertisementFilter: AdvertisementFilter(services: ["1810"], namePrefixes: ["A&D_UA-651BLE"]),
    drivers: [.bloodPressureProfile])

  /// Any monitor that keeps to the Blood Pressure Profile of the Bluetooth SIG.
  public static let genericBloodPressure = DeviceModel(
    id: 3000, type: .bloodPressure, manufacturer: "", model: "Blood pressure monitor",
    instructions: "Take a measurement with the monitor. Keep the phone near.",
    pairingInstructions: genericPairing,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(180), readTimeout: .seconds(120),
    advertisementFilter: AdvertisementFilter(services: ["1810"]),
    drivers: [.bloodPressureProfile])

  static let bloodPressureMonitors = [aAndDUA651BLE, genericBloodPressure]

  /// How a device is paired that is known by its profile alone.
  static let genericPairing = """
    Put the device into its pairing mode as its manual says. If the phone asks for a code, enter the \
    one that the device shows.
    """
}
