// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// The Weight Scale Profile, with body composition and users where the scale has them.
  package static let weightScaleProfile = DriverModel(
    id: "weight-scale-profile", name: "Weight Scale Profile",
    required: [.weightMeasurement], optional: scaleAttributes,
    confidence: .captured,
    sources: [
      "Bluetooth SIG, Weight Scale Profile 1.0", "Bluetooth SIG, User Data Service 1.0",
      "HEADS-project/ThingML-BLE, Documentation/AND_Medical_UC352BLE.md",
    ]
  ) { ScaleDriver($0) }

  /// The Body Composition Service of a scale that has no Weight Scale Service.
  package static let bodyCompositionProfile = DriverModel(
    id: "body-composition-profile", name: "Body Composition Service",
    required: [.bodyCompositionMeasurement], optional: scaleAttributes,
    confidence: .captured, sources: ["Bluetooth SIG, Body Composition Service 1.0"]
  ) { ScaleDriver($0) }

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

  /// The CVS Health body analysis scale: its weight alone, for a user that a pairing makes.
  ///
  /// A stand-in: the services of the Bluetooth SIG take the place of a protocol that is not public.
  package static let cvsBodyScale = DriverModel(
    id: "cvs-body-scale", name: "CVS Health body analysis scale, weight only",
    required: [.weightMeasurement, .userControlPoint],
    optional: scaleAttributes.filter { $0 != .bodyCompositionMeasurement },
    confidence: .standIn,
    sources: ["This project; the protocol of CVS Health's scale is not public"]
  ) { context in
    var quirks = ScaleDriver.Quirks()
    quirks.hasComposition = false
    return ScaleDriver(context, quirks: quirks)
  }

  /// The public descriptions do not agree about the service of the characteristic.
  private static let renphoRequests = [Attribute.renphoRequest, Attribute("181B", "FFE2")]

  private static let scaleAttributes: [Attribute] = [
    .weightMeasurement, .weightScaleDateTime, .bodyCompositionMeasurement, .currentTime,
    .userControlPoint, .databaseChangeIncrement, .dateOfBirth, .gender, .height,
  ]
}

extension Attribute {
  package static let weightMeasurement = Attribute("181D", "2A9D")
  /// The clock that A&D's scales have within the Weight Scale Service.
  package static let weightScaleDateTime = Attribute("181D", "2A08")
  package static let bodyCompositionMeasurement = Attribute("181B", "2A9C")
  package static let userControlPoint = Attribute("181C", "2A9F")
  package static let databaseChangeIncrement = Attribute("181C", "2A99")
  package static let dateOfBirth = Attribute("181C", "2A85")
  package static let gender = Attribute("181C", "2A8C")
  package static let height = Attribute("181C", "2A8E")
  package static let renphoRequest = Attribute("FFE0", "FFE2")
}
