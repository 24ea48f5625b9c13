// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

extension TaiDocFrame: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("cmd", .init(command.rawValue)),
      .init("data", .init(hexadecimal: data)),
      .init("direction", .text("\(direction)")),
    ]
  }
}

extension TaiDocDateTime: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("timestamp", .init(dateTime)),
      .init("minute_flags", .init(minuteFlags)),
      .init("hour_flags", .init(hourFlags)),
    ] + (dateTime == nil ? [.init("timestamp_octets", .init(bytes: payload))] : [])
  }
}

extension TaiDocModel: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [.init("model", .text(name)), .init("kind", kind.map { .text("\($0)") } ?? .null)]
  }
}

extension TaiDocGlucoseValue: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("mg_dl", .init(milligramsPerDeciliter)),
      .init("meal", .text(meal.fieldName)),
      .init("analyte", .init(analyte)),
    ]
  }
}

extension TaiDocGlucoseValue.Meal {
  fileprivate var fieldName: String {
    switch self {
    case .none: "none"
    case .beforeMeal: "before"
    case .afterMeal: "after"
    case .qualityControl: "qc"
    }
  }
}

extension TaiDocBloodPressureValue: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("sys", .init(systolic)),
      .init("map", .init(meanArterialPressure)),
      .init("dia", .init(diastolic)),
      .init("pulse", .init(pulseRate)),
    ]
  }
}

extension TaiDocTemperatureValue: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("celsius", celsius.map { .number($0) } ?? .null),
      .init("ambient_raw", .init(ambient)),
    ]
  }
}

extension TaiDocOximetryValue: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [.init("spo2", .init(saturation)), .init("pulse", .init(pulseRate))]
  }
}
