// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A notification of Jumper JPD-500E/F/G and the many oximeters built alike.
///
/// ```
/// // 81   48    61    28
/// // KIND PULS  SPO2  PI
/// ```
///
/// Kind 81 is the values of the moment, kind 80 a piece of the curve; others are not known, and
/// kept. Source: characteristic CDEACB81-5235-4C07-8846-93A37EE6B86D as read by
/// SensorsIot/Oximeters-BLE-Hack-ESP32 and inobotica/ble-oximeter.
package struct JumperOximetry: CharacteristicValue {
  /// The values of the moment.
  package struct Values: Hashable, Sendable {
    /// The pulse rate as sent: 255 when there is none.
    package var pulseRateByte: UInt8
    /// The saturation as sent: 127 when there is none.
    package var saturationByte: UInt8
    /// The perfusion index in tenths of a percent.
    package var perfusionTenths: UInt8
  }

  /// What the notification holds.
  package enum Content: Hashable, Sendable {
    /// Kind 81.
    case values(Values)
    /// Kind 80: a piece of the curve, without a unit.
    case wave([UInt8])
    /// Any other kind, with what follows it.
    case other(kind: UInt8, [UInt8])
  }

  /// What the notification holds.
  package let content: Content
  /// What follows the values.
  package let trailingBytes: [UInt8]

  package init(saturation: UInt8?, pulseRate: UInt8?, perfusionTenths: UInt8 = 0) {
    content = .values(
      Values(
        pulseRateByte: pulseRate ?? 255, saturationByte: saturation ?? 127,
        perfusionTenths: perfusionTenths))
    trailingBytes = []
  }

  package init(wave: [UInt8]) {
    content = .wave(wave)
    trailingBytes = []
  }

  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let kind = try reader.uint8(field: "Kind")
    switch kind {
    case 0x81:
      content = .values(
        Values(
          pulseRateByte: try reader.uint8(field: "Pulse Rate"),
          saturationByte: try reader.uint8(field: "SpO2"),
          perfusionTenths: try reader.uint8(field: "Perfusion Index")))
      trailingBytes = reader.remainingBytes()
    default:
      let bytes = reader.remainingBytes()
      content = kind == 0x80 ? .wave(bytes) : .other(kind: kind, bytes)
      trailingBytes = []
    }
  }

  package func encode(to writer: inout PayloadWriter) {
    switch content {
    case .values(let values):
      writer.append([0x81, values.pulseRateByte, values.saturationByte, values.perfusionTenths])
      writer.append(trailingBytes)
    case .wave(let bytes): writer.append([0x80] + bytes)
    case .other(let kind, let bytes): writer.append([kind] + bytes)
    }
  }
}

extension JumperOximetry.Values {
  /// The saturation in percent; nil when there is none.
  package var saturation: Int? { saturationByte == 127 ? nil : Int(saturationByte) }
  /// The pulse rate in beats per minute; nil when there is none.
  package var pulseRate: Int? { pulseRateByte == 255 ? nil : Int(pulseRateByte) }
  /// The perfusion index in percent.
  package var perfusionIndex: Double { Double(perfusionTenths) / 10 }
}

extension JumperOximetry {
  /// The values of the moment, when this is the notification that has them.
  package var values: Values? {
    guard case .values(let values) = content else { return nil }
    return values
  }

  /// The measured values; nil without a finger and for other notifications.
  package var sample: OximetrySample? {
    values.flatMap {
      OximetrySample(
        saturation: $0.saturation, pulseRate: $0.pulseRate, perfusionIndex: $0.perfusionIndex)
    }
  }
}
