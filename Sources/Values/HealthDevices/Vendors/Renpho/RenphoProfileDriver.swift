// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// The Renpho ES-WBE28: the services of the Bluetooth SIG with steps of 0.05 kg, an opening on a
  /// characteristic of its own, one fixed user, and subscriptions last.
  ///
  /// Its body compositions do not keep to the announced fields and are left alone.
  package static let renphoESWBE28 = DriverModel(
    id: "renpho-es-wbe28", name: "Renpho ES-WBE28",
    required: [.weightMeasurement, .userControlPoint],
    optional: scaleAttributes + renphoRequests,
    confidence: .agreed,
    sources: [
      "oliexdev/openScale, RenphoHandler", "KristianP26/ble-scale-sync@3cce0090 (captured frame)",
    ]
  ) { context in
    var quirks = ScaleDriver.Quirks()
    quirks.massFactor = 10
    quirks.opening = renphoRequests.flatMap { attribute in
      [[0x10, 0x01, 0x00, 0x11], [0x03, 0x00, 0x01, 0x04], [0x19, 0x00, 0x19]]
        .map { .attempt(attribute, $0) }
    }
    quirks.user = UserConsent.User(
      index: UserID(rawValue: 0xAA), code: ConsentCode(rawValue: 9999))
    quirks.subscribesLast = true
    quirks.hasComposition = false
    return ScaleDriver(context, quirks: quirks)
  }

  /// The public descriptions do not agree about the service of the characteristic.
  private static let renphoRequests = [GATTAttribute.renphoRequest, GATTAttribute("181B", "FFE2")]
}

extension GATTAttribute {
  package static let renphoRequest = GATTAttribute("FFE0", "FFE2")
}
