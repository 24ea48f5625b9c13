// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

extension NoninOximetry: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("encrypted", .bool(status.contains(.encrypted))),
      .init("low_battery", .bool(status.contains(.lowBattery))),
      .init("sensor_ok", .bool(status.contains(.sensorIsCorrect))),
      .init("searching", .bool(status.contains(.searching))),
      .init("smartpoint", .bool(status.contains(.smartPoint))),
      .init("weak_signal", .bool(status.contains(.weakSignal))),
      .init("battery_v", .number(batteryVoltage)),
      .init("pai_pct", .number(pulseAmplitudeIndex)),
      .init("counter", .init(counter)),
      .init("spo2", .init(saturation)),
      .init("pulse", .init(pulseRate)),
    ]
  }
}

extension JumperOximetry: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    switch content {
    case .values(let values):
      [
        .init("kind", .integer(0x81)),
        .init("pulse", .init(values.pulseRate)),
        .init("spo2", .init(values.saturation)),
        .init("pi_pct", .number(values.perfusionIndex)),
      ]
    case .wave(let bytes): [.init("kind", .integer(0x80)), .init("wave", .init(bytes: bytes))]
    case .other(let kind, let bytes):
      [.init("kind", .init(kind)), .init("octets", .init(bytes: bytes))]
    }
  }
}

extension BerryPacket: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("signal", .integer(signal)),
      .init("no_signal", .bool(hasNoSignal)),
      .init("probe_unplugged", .bool(isProbeUnplugged)),
      .init("pulse_beep", .bool(isBeat)),
      .init("pleth", .integer(pleth)),
      .init("no_finger", .bool(hasNoFinger)),
      .init("searching", .bool(isSearching)),
      .init("bargraph", .integer(bar)),
      .init("pulse", .init(pulseRate)),
      .init("spo2", .init(saturation)),
    ]
  }
}

extension PO60Record: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("number", .integer(number)),
      .init("last", .bool(isLast)),
      .init("start", .init(startTime.dateTime)),
      .init("end", .init(endTime.dateTime)),
      .init("spo2_max", .init(saturation.highest)),
      .init("spo2_min", .init(saturation.lowest)),
      .init("spo2_avg", .init(saturation.average)),
      .init("pulse_max", .init(pulseRate?.highest)),
      .init("pulse_min", .init(pulseRate?.lowest)),
      .init("pulse_avg", .init(pulseRate?.average)),
    ]
  }
}

extension ChoiceMMedOximetry: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [.init("spo2", .init(saturation)), .init("pulse", .init(pulseRate))]
  }
}

extension JKS50FFrame: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("finger", .bool(hasFinger)),
      .init("spo2", .init(saturation)),
      .init("pulse", .init(pulseRate)),
      .init("pi_pct", perfusionIndex.map { .number($0) } ?? .null),
    ]
  }
}

extension FS20FOximetry: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("spo2", .init(saturation)),
      .init("pulse", .init(pulseRate)),
      .init("pi_pct", .number(perfusionIndex)),
    ]
  }
}
