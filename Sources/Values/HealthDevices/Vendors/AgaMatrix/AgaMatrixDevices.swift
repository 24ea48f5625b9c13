// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// AgaMatrix Jazz Wireless 2: needs the key file `agamatrix-authkey.json`.
  package static let jazzWireless2 = agaMatrix(
    id: 32, manufacturer: "AgaMatrix", model: "Jazz Wireless 2", keyFile: "agamatrix-authkey.json")

  /// A meter with AgaMatrix's authentication, under whatever name it is sold.
  static func agaMatrix(
    id: Int, manufacturer: String, model: String, keyFile: String
  ) -> DeviceModel {
    var entry = DeviceModel(
      id: id, type: .glucoseMeter, manufacturer: manufacturer, model: model,
      instructions: "Test your blood, or switch the meter on, and let it send its results.",
      pairingInstructions: """
        Open the Bluetooth menu of the meter and let it look for a phone. If the phone asks for a \
        code, enter the one that the meter shows.
        """,
      requiresPairing: true, disabledReason: licensees("AgaMatrix"),
      connectTimeout: .seconds(60), readTimeout: .seconds(60),
      advertisementFilter: AdvertisementFilter(services: []))
    entry.authorization = .keyFile(keyFile)
    return entry
  }
}

extension Manufacturer {
  static let agaMatrix = Manufacturer(devices: [.jazzWireless2])
}
