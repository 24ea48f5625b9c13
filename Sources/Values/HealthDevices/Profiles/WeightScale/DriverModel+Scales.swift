// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// The Weight Scale Profile, with body composition and users where the scale has them.
  public static let weightScaleProfile = DriverModel(
    id: "weight-scale-profile", name: "Weight Scale Profile",
    required: [.weightMeasurement], optional: scaleAttributes,
    confidence: .captured,
    sources: [
      "Bluetooth SIG, Weight Scale Profile 1.0", "Bluetooth SIG, User Data Service 1.0",
      "HEADS-project/ThingML-BLE, Documentation/AND_Medical_UC352BLE.md",
    ],
    userNumbering: .notPublic
  ) { ScaleDriver($0) }

  /// The Body Composition Service of a scale that has no Weight Scale Service.
  public static let bodyCompositionProfile = DriverModel(
    id: "body-composition-profile", name: "Body Composition Service",
    required: [.bodyCompositionMeasurement], optional: scaleAttributes,
    confidence: .captured, sources: ["Bluetooth SIG, Body Composition Service 1.0"],
    userNumbering: .notPublic
  ) { ScaleDriver($0) }

  static let scaleAttributes: [GATTAttribute] = [
    .weightMeasurement, .weightScaleDateTime, .bodyCompositionMeasurement, .currentTime,
    .userControlPoint, .databaseChangeIncrement, .dateOfBirth, .gender, .height,
  ]
}

extension GATTAttribute {
  package static let weightMeasurement = GATTAttribute("181D", "2A9D")
  /// The clock that A&D's scales have within the Weight Scale Service.
  package static let weightScaleDateTime = GATTAttribute("181D", "2A08")
  package static let bodyCompositionMeasurement = GATTAttribute("181B", "2A9C")
  package static let userControlPoint = GATTAttribute("181C", "2A9F")
  package static let databaseChangeIncrement = GATTAttribute("181C", "2A99")
  package static let dateOfBirth = GATTAttribute("181C", "2A85")
  package static let gender = GATTAttribute("181C", "2A8C")
  package static let height = GATTAttribute("181C", "2A8E")
}
