// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

extension ViatomFrame: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("sync", .init(direction.rawValue)),
      .init("cmd", .init(code)),
      .init("block", .init(block)),
      .init("payload", .init(hexadecimal: data)),
    ]
  }
}

extension ViatomLiveReading: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("spo2", .init(saturation)),
      .init("pulse", .init(pulseRate)),
      .init("battery", .init(battery)),
      .init("charging", .init(charging)),
      .init("movement", .init(movement)),
      .init("pi_raw", .init(perfusionTenths)),
      .init("worn", .bool(isWorn)),
    ]
  }
}

extension ViatomWaveReading: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("spo2", .init(saturation)),
      .init("pulse", .init(pulseRate)),
      .init("battery", .init(battery)),
      .init("battery_state", .init(batteryState)),
      .init("pi_raw", .init(perfusionTenths)),
      .init("worn", .bool(isWorn)),
      .init("wave", .init(bytes: wave)),
    ]
  }
}

extension ViatomRecording: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("start", .init(start.dateTime)),
      .init("duration_s", .init(durationSeconds)),
      .init("spo2_avg", .init(summary.averageSaturation)),
      .init("spo2_min", .init(summary.lowestSaturation)),
      .init("drops_3pct", .init(summary.dropsOfThree)),
      .init("drops_4pct", .init(summary.dropsOfFour)),
      .init("step_s", .integer(step)),
      .init("records", .list(samples.map(\.field))),
    ]
  }
}

extension ViatomRecording.Sample {
  fileprivate var field: DecodedPayload.FieldValue {
    .list([.init(saturation), .init(pulseRate), .init(movement)])
  }
}

extension OxyIILiveReading: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("contact", .init(contact)),
      .init("spo2", .init(saturation)),
      .init("motion", .init(movement)),
      .init("pulse", .init(pulseRate)),
      .init("battery", .init(battery)),
      .init("worn", .bool(isWorn)),
      .init("calibrating", .bool(isCalibrating)),
    ]
  }
}

extension OxyIIRecording: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    let body: [DecodedPayload.Field] = [
      .init("finalised", .bool(trailer != nil)),
      .init("records", .list(samples.map(\.field))),
    ]
    guard let trailer else { return body }
    return body + [
      .init("spo2_avg", .init(trailer.averageSaturation)),
      .init("spo2_min", .init(trailer.lowestSaturation)),
      .init("drops_3pct", .init(trailer.dropsOfThree)),
      .init("drops_4pct", .init(trailer.dropsOfFour)),
      .init("seconds_below_90", .init(trailer.secondsBelow90)),
      .init("events_below_90", .init(trailer.eventsBelow90)),
      .init("o2_score", trailer.score.map { .number($0) } ?? .null),
      .init("pulse_avg", .init(trailer.averagePulseRate)),
    ]
  }
}

extension OxyIIRecording.Sample {
  fileprivate var field: DecodedPayload.FieldValue {
    .list([.init(saturation), .init(pulseRate), .init(flags)])
  }
}

extension PC60Frame: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    let frame: [DecodedPayload.Field] = [
      .init("token", .init(token)), .init("func", .init(function)),
    ]
    if let wave { return frame + [.init("wave", .init(bytes: wave))] }
    guard let values else { return frame }
    return frame + [
      .init("spo2", .init(values.saturation)),
      .init("pulse", .init(values.pulseRate)),
      .init("pi_pct", .number(values.perfusionIndex)),
    ]
  }
}
