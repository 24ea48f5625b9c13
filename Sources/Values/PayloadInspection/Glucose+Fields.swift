// SPDX-License-Identifier: Apache-2.0

import HealthDevices
package import HealthGATT

extension GlucoseMeasurement: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    let number = sample?.concentration.number
    return [
      .init("flags", .init(flags.rawValue)),
      .init("sequence", .init(sequenceNumber)),
    ] + Timestamp.fields(baseTime, name: "base_time") + [
      .init("time_offset_min", .init(timeOffset)),
      .init("user_time", .init(userFacingTime)),
      .init("concentration", .init(sample?.concentration)),
      .init("unit", sample == nil ? .null : .text(unit.rawValue)),
      .init("mg_dl", .init(unit == .kilogramPerLiter ? number?.shifted(by: 5) : nil)),
      .init("mmol_l", .init(unit == .molePerLiter ? number?.shifted(by: 3) : nil)),
      .init("type", .init(sample?.fluid.rawValue)),
      .init("location", .init(sample?.location.rawValue)),
      .init("status", .init(sensorStatus?.rawValue)),
      .init("status_names", .init(names: sensorStatus?.names)),
      .init("context_follows", .bool(contextFollows)),
    ]
  }
}

extension GlucoseSensorStatus {
  var names: [String] { Self.names.filter { contains($0.status) }.map(\.name) }

  private static let names: [(status: GlucoseSensorStatus, name: String)] = [
    (.deviceBatteryLow, "batteryLow"), (.sensorMalfunction, "sensorMalfunction"),
    (.sampleSizeInsufficient, "sampleSizeInsufficient"),
    (.stripInsertionError, "stripInsertionError"), (.stripTypeIncorrect, "stripTypeIncorrect"),
    (.resultTooHigh, "resultTooHigh"), (.resultTooLow, "resultTooLow"),
    (.temperatureTooHigh, "temperatureTooHigh"), (.temperatureTooLow, "temperatureTooLow"),
    (.readInterrupted, "readInterrupted"), (.generalDeviceFault, "generalDeviceFault"),
    (.timeFault, "timeFault"),
  ]
}

extension GlucoseMeasurementContext: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("flags", .init(flags.rawValue)),
      .init("sequence", .init(sequenceNumber)),
      .init("ext_flags", .init(extendedFlags)),
      .init("carb_id", .init(carbohydrate?.occasion.rawValue)),
      .init("carb_kg", .init(carbohydrate?.mass)),
      .init("meal", .init(meal?.rawValue)),
      .init("tester", .init(testerHealth?.tester.rawValue)),
      .init("health", .init(testerHealth?.health.rawValue)),
      .init("exercise_s", exercise?.durationField ?? .null),
      .init("exercise_pct", .init(exercise?.intensityPercent)),
      .init("med_id", .init(medication?.kind.rawValue)),
      .init("med_value", .init(medication?.amount)),
      .init("med_unit", medication == nil ? .null : .text(medicationUnit.rawValue)),
      .init("hba1c_pct", .init(hba1c)),
    ]
  }
}

extension GlucoseMeasurementContext.Exercise {
  fileprivate var durationField: DecodedPayload.FieldValue {
    durationSeconds == .max ? .text("overrun") : .init(durationSeconds)
  }
}

extension GlucoseFeature: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("features", .init(features.rawValue)),
      .init("names", .init(names: Self.names.filter { features.contains($0.feature) }.map(\.name))),
    ]
  }

  private static let names: [(feature: Features, name: String)] = [
    (.lowBatteryDetection, "lowBattery"), (.sensorMalfunctionDetection, "sensorMalfunction"),
    (.sampleSizeDetection, "sampleSize"), (.stripInsertionErrorDetection, "stripInsertionError"),
    (.stripTypeErrorDetection, "stripTypeError"), (.resultHighLowDetection, "resultHighLow"),
    (.temperatureHighLowDetection, "temperatureHighLow"),
    (.readInterruptDetection, "readInterrupt"), (.generalDeviceFault, "generalDeviceFault"),
    (.timeFault, "timeFault"), (.multipleBonds, "multipleBonds"),
  ]
}
