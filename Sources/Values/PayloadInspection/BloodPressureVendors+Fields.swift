// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

extension BeurerMeasurement: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    let fields =
      [
        DecodedPayload.Field("flags", .init(flags.rawValue)),
        DecodedPayload.Field("unit", .text(measurement.unit.rawValue)),
        DecodedPayload.Field("systolic", .init(measurement.systolic)),
        DecodedPayload.Field("diastolic", .init(measurement.diastolic)),
        DecodedPayload.Field("map", .init(measurement.meanArterialPressure)),
      ] + measurement.circumstances.fields
    guard let status = measurement.measurementStatus else { return fields }
    return fields + [.init("resting_flag_0x40", .bool(status.contains(.beurerResting)))]
  }
}

extension LepuFrame: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("cmd", .init(command)),
      .init("direction", .init(direction)),
      .init("seq", .init(sequence)),
      .init("payload", .init(hexadecimal: content)),
    ]
  }
}

extension BP2File: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [.init("records", .list(records.map { .object($0.fields) }))]
  }
}

extension BP2File.Record {
  var fields: [DecodedPayload.Field] {
    [
      .init("unix", .init(seconds)),
      .init("user", .init(user)),
      .init("irregular", .bool(hasIrregularPulse)),
      .init("sys", .init(systolic)),
      .init("dia", .init(diastolic)),
      .init("map", .init(meanArterialPressure)),
      .init("pulse", .init(pulseRate)),
    ]
  }
}

extension MicrolifeFrame: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("direction", .text(sender == .host ? "command" : "reply")),
      .init("payload", .init(hexadecimal: content)),
    ]
  }
}

extension MicrolifeMemory: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [.init("records", .list(records.map { .object($0.fields) }))]
  }
}

extension MicrolifeMemory.Record {
  var fields: [DecodedPayload.Field] {
    [
      .init("sys", .init(systolic)),
      .init("dia", .init(diastolic)),
      .init("pulse", .init(pulseRate)),
      .init("timestamp", .init(time)),
    ]
  }
}

extension YonkerMeasurement: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("sys", .init(systolic)),
      .init("dia", .init(diastolic)),
      .init("pulse", .init(pulseRate)),
    ] + Timestamp.fields(timestamp)
  }
}

extension JumperPressureReply: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    switch self {
    case .result(let systolic, let diastolic, let pulseRate, _):
      [
        .init("sys", .init(systolic)),
        .init("dia", .init(diastolic)),
        .init("pulse", .init(pulseRate)),
      ]
    case .failed: [.init("failed", .bool(true))]
    case .switchedOff: [.init("switched_off", .bool(true))]
    }
  }

  package var trailingBytes: [UInt8] {
    switch self {
    case .result(_, _, _, let bytes), .failed(let bytes), .switchedOff(let bytes): bytes
    }
  }
}

extension AndesFitMeasurement: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("sys", .init(systolic)),
      .init("dia", .init(diastolic)),
      .init("pulse", .init(pulseRate)),
    ]
  }
}

/// A frame of a Wellue monitor that must be a result.
struct WellueResult: FieldRepresentable {
  let measurement: WellueMeasurement

  init(payload: some Collection<UInt8>) throws(PayloadError) {
    guard let measurement = try WellueMeasurement(try WellueFrame(payload: payload)) else {
      throw PayloadError(
        .reservedValue, field: "Payload", offset: 2,
        message: "The frame is no result. Leave it out.")
    }
    self.measurement = measurement
  }

  var fields: [DecodedPayload.Field] {
    [
      .init("sys", .init(measurement.values?.systolic)),
      .init("dia", .init(measurement.values?.diastolic)),
      .init("pulse", .init(measurement.values?.pulseRate)),
      .init("failed", .bool(measurement.values == nil)),
    ]
  }
}

extension SamicoMeasurement: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    switch self {
    case .underWay: [.init("under_way", .bool(true))]
    case .result(let systolic, let diastolic, _, let pulseRate, _):
      [
        .init("sys", .init(systolic)),
        .init("dia", .init(diastolic)),
        .init("pulse", .init(pulseRate)),
      ]
    }
  }

  package var trailingBytes: [UInt8] {
    switch self {
    case .underWay(let bytes), .result(_, _, _, _, let bytes): bytes
    }
  }
}
