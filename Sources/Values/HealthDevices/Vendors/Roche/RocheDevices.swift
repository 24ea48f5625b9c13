// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Roche Accu-Chek Aviva Connect: its clock cannot be set by radio.
  package static let accuChekAvivaConnect = glucose(
    23, "Roche", "Accu-Chek Aviva Connect", names: ["Accu-Chek"],
    instructions: accuChekReading, pairing: accuChekPairing, driver: .accuChek)

  /// Roche Accu-Chek Guide and Guide Me.
  package static let accuChekGuide = glucose(
    29, "Roche", "Accu-Chek Guide", names: ["meter+"],
    instructions: accuChekReading, pairing: accuChekPairing, driver: .accuChek)

  /// Roche Accu-Chek Instant; it advertises the same name as the Guide.
  package static let accuChekInstant = glucose(
    30, "Roche", "Accu-Chek Instant", names: ["meter+"],
    instructions: accuChekReading, pairing: accuChekPairing, driver: .accuChek)

  /// Roche CoaguChek: needs the licence file `validic.license`, and for each meter the key in its
  /// menu.
  ///
  /// Store the key after pairing, see
  /// `BluetoothReceiver.setSecret(_:_:for:)`.
  package static let coaguChek: DeviceModel = {
    var entry = DeviceModel(
      id: 51, type: .coagulationMeter, manufacturer: "Roche", model: "CoaguChek",
      instructions: "Test your blood, then let the meter send its results.",
      pairingInstructions: """
        Switch Bluetooth on in the meter's menu and let it pair. Its encryption key stands under \
        "Other", "About": enter it when you are asked for it.
        """,
      requiresPairing: true, disabledReason: licensees("Roche"),
      connectTimeout: .seconds(60), readTimeout: .seconds(60),
      advertisementFilter: AdvertisementFilter(services: []))
    entry.authorization = .license("validic.license")
    entry.userKey = .encryptionKey
    return entry
  }()

  private static let accuChekReading = """
    Make a test, or choose "Wireless" and "Sync" in the meter's menu. Keep the phone near.
    """

  private static let accuChekPairing = """
    Choose pairing in the meter's wireless menu. Enter on the phone the six digits that stand on the \
    meter's back or display.
    """
}

extension Manufacturer {
  static let roche = Manufacturer(devices: [
    .accuChekAvivaConnect, .accuChekGuide, .accuChekInstant, .coaguChek,
  ])
}
