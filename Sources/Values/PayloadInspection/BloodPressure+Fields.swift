// SPDX-License-Identifier: Apache-2.0

import HealthDevices
package import HealthGATT

extension BloodPressureMeasurement: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("flags", .init(flags.rawValue)),
      .init("unit", .text(unit.rawValue)),
      .init("systolic", .init(systolic)),
      .init("diastolic", .init(diastolic)),
      .init("map", .init(meanArterialPressure)),
    ] + circumstances.fields
  }
}

extension IntermediateCuffPressure: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("flags", .init(flags.rawValue)),
      .init("unit", .text(unit.rawValue)),
      .init("cuff", .init(currentCuffPressure)),
    ] + circumstances.fields
  }
}

extension BloodPressureCircumstances {
  var fields: [DecodedPayload.Field] {
    Timestamp.fields(timestamp) + [
      .init("pulse", .init(pulseRate)),
      .init("user_id", .init(userID?.rawValue)),
      .init("status", .init(measurementStatus?.rawValue)),
      .init("status_names", .init(names: measurementStatus?.names)),
    ]
  }
}

extension BloodPressureStatus {
  var names: [String] {
    var names: [String] = []
    if contains(.bodyMovement) { names.append("bodyMovement") }
    if contains(.cuffTooLoose) { names.append("cuffTooLoose") }
    if contains(.irregularPulse) { names.append("irregularPulse") }
    switch pulseRateRange {
    case .withinRange: break
    case .exceedsUpperLimit: names.append("pulseRateExceedsUpper")
    case .belowLowerLimit: names.append("pulseRateBelowLower")
    case .reserved: names.append("pulseRateRangeReserved")
    }
    if contains(.improperPosition) { names.append("improperPosition") }
    return names
  }
}

extension BloodPressureFeature: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("features", .init(features.rawValue)),
      .init("names", .init(names: Self.names.filter { features.contains($0.feature) }.map(\.name))),
    ]
  }

  private static let names: [(feature: Features, name: String)] = [
    (.bodyMovementDetection, "bodyMovement"), (.cuffFitDetection, "cuffFit"),
    (.irregularPulseDetection, "irregularPulse"), (.pulseRateRangeDetection, "pulseRateRange"),
    (.measurementPositionDetection, "measurementPosition"), (.multipleBonds, "multipleBonds"),
    (.e2eCRC, "e2eCrc"), (.userDataService, "userData"), (.userFacingTime, "userFacingTime"),
  ]
}
