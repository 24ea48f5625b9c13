// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// CVS Health Advanced meter, made by AgaMatrix: needs the key file `cvshealth-authkey.json`.
  package static let cvsHealthMeter = agaMatrix(
    id: 33, manufacturer: "CVS Health", model: "Advanced Bluetooth Glucose Meter",
    keyFile: "cvshealth-authkey.json")

  /// CVS Health Digital Glass Body Analysis Scale: weight only, for a new user that the pairing
  /// makes.
  ///
  /// What was weighed before the pairing is not read.
  package static let cvsBodyScale = DeviceModel(
    id: 10_590, type: .weightScale, manufacturer: "CVS Health",
    model: "Digital Glass Body Analysis Scale",
    instructions: "Step on the scale barefoot and stand still until it shows your weight.",
    pairingInstructions: """
      Step on the scale so that it is on, and keep the phone near. The scale makes a new user for you.
      """,
    requiresPairing: true, appearsAfterMeasurement: true, disabledReason: licensees("CVS Health"),
    connectTimeout: .seconds(90), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: []))
}

extension Manufacturer {
  static let cvsHealth = Manufacturer(devices: [.cvsHealthMeter, .cvsBodyScale])
}
