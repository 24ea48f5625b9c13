// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// What a Jumper JPD-HA120 monitor sends (FFF1).
///
/// ```
/// // FD FD FC  78   50   3C          FD FD FD ...    FD FD 07 0D 0A
/// // RESULT    SYS  DIA  PULS        FAILED          SWITCHED OFF
/// ```
///
/// Source: weliem/LivecareBluetoothSDK, JumperBP; no capture is public.
package enum JumperPressureReply: CharacteristicValue {
  /// A measurement in mmHg and beats per minute, and the bytes after it.
  case result(systolic: UInt8, diastolic: UInt8, pulseRate: UInt8, trailingBytes: [UInt8])
  /// The measurement failed; the bytes are not understood.
  case failed([UInt8])
  /// The monitor switches off; the bytes are not understood.
  case switchedOff([UInt8])

  /// Switches the monitor off, which hosts do when they have the result.
  package static let switchOff: [UInt8] = [0xFD, 0xFD, 0xFE, 0x06, 0x0D, 0x0A]

  /// Reads the two bytes of the start, the kind, and what belongs to it.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    try reader.constant(0xFD, field: "Start")
    try reader.constant(0xFD, field: "Start")
    let offset = reader.offset
    switch try reader.uint8(field: "Kind") {
    case 0xFC:
      self = .result(
        systolic: try reader.uint8(field: "Systolic"),
        diastolic: try reader.uint8(field: "Diastolic"),
        pulseRate: try reader.uint8(field: "Pulse Rate"),
        trailingBytes: reader.remainingBytes())
    case 0xFD: self = .failed(reader.remainingBytes())
    case 0x07: self = .switchedOff(reader.remainingBytes())
    default:
      throw PayloadError(
        .reservedValue, field: "Kind", offset: offset,
        message: "It is FC, FD or 07. Leave the notification out.")
    }
  }

  /// Writes the start, the kind, and what belongs to it.
  package func encode(to writer: inout PayloadWriter) {
    switch self {
    case .result(let systolic, let diastolic, let pulseRate, let trailingBytes):
      writer.append([0xFD, 0xFD, 0xFC, systolic, diastolic, pulseRate])
      writer.append(trailingBytes)
    case .failed(let bytes): writer.append([0xFD, 0xFD, 0xFD] + bytes)
    case .switchedOff(let bytes): writer.append([0xFD, 0xFD, 0x07] + bytes)
    }
  }
}
