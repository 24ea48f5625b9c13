// SPDX-License-Identifier: Apache-2.0

import HealthGATT

// Devices whose manufacturers give the protocol to licensees only. What is here besides the
// protocol works; the protocol is a stand-in of ours, and a licensee's cryptography takes its
// place.
extension DeviceModel {
  /// AgaMatrix Jazz Wireless 2: needs the key file `agamatrix-authkey.json`.
  public static let jazzWireless2 = agaMatrix(
    id: 32, manufacturer: "AgaMatrix", model: "Jazz Wireless 2", namePrefixes: ["PQCD"],
    keyFile: "agamatrix-authkey.json")

  /// CVS Health Advanced meter: needs the key file `cvshealth-authkey.json`.
  public static let cvsHealthMeter = agaMatrix(
    id: 33, manufacturer: "CVS Health", model: "Advanced Bluetooth Glucose Meter",
    namePrefixes: ["CVS_HEALTH"], keyFile: "cvshealth-authkey.json")

  private static func agaMatrix(
    id: Int, manufacturer: String, model: String, namePrefixes: [String], keyFile: String
  ) -> DeviceModel {
    var entry = DeviceModel(
      id: id, type: .glucoseMeter, manufacturer: manufacturer, model: model,
      instructions: "Test your blood, or switch the meter on, and let it send its results.",
      pairingInstructions: """
        Open the Bluetooth menu of the meter and let it look for a phone. If the phone asks for a \
        code, enter the one that the meter shows.
        """,
      requiresPairing: true, connectTimeout: .seconds(60), readTimeout: .seconds(60),
      advertisementFilter: AdvertisementFilter(services: ["1808"], namePrefixes: namePrefixes),
      drivers: [.agaMatrix])
    entry.authorization = .keyFile(keyFile)
    return entry
  }

  /// Roche CoaguChek: needs the licence file `validic.license`, and for each meter the key in its
  /// menu.
  ///
  /// Store the key after pairing, see
  /// `BluetoothPeripheralController.store(_:for:ofPeripheralUUID:)`.
  public static let coaguChek: DeviceModel = {
    var entry = DeviceModel(
      id: 51, type: .coagulationMeter, manufacturer: "Roche", model: "CoaguChek",
      instructions: "Test your blood, then let the meter send its results.",
      pairingInstructions: """
        Switch Bluetooth on in the meter's menu and let it pair. Its encryption key stands under \
        "Other", "About": enter it when you are asked for it.
        """,
      requiresPairing: true, connectTimeout: .seconds(60), readTimeout: .seconds(60),
      advertisementFilter: AdvertisementFilter(
        services: [Attribute.coagulationControl.service], namePrefixes: ["CoaguChek"]),
      drivers: [.coagulationMeter])
    entry.authorization = .license("validic.license")
    return entry
  }()

  /// CVS Health Digital Glass Body Analysis Scale: weight only, for a new user that the pairing
  /// makes.
  ///
  /// What was weighed before the pairing is not read.
  public static let cvsBodyScale = DeviceModel(
    id: 10_590, type: .weightScale, manufacturer: "CVS Health",
    model: "Digital Glass Body Analysis Scale",
    instructions: "Step on the scale barefoot and stand still until it shows your weight.",
    pairingInstructions: """
      Step on the scale so that it is on, and keep the phone near. The scale makes a new user for you.
      """,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(90), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(
      services: ["181D"], namePrefixes: ["CVS Health Scale"]),
    drivers: [.cvsBodyScale])

  package static let licensedDevices = [jazzWireless2, cvsHealthMeter, coaguChek]
  /// They need nothing of the app.
  static let standIns = [cvsBodyScale]
}
