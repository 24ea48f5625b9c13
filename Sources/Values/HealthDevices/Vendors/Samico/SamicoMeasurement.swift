// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// What the monitors made by Samico send in a service of their own (FFF4), among them Pyle's
/// PHBPB20.
///
/// ```
/// // 0C  0078  0050  005D  0048  ...       20  0064
/// // RS  SYST  DIAS  ?     PULS  ?         ON  CUFF
/// ```
///
/// The numbers are big endian. Source: the public Android class `Bp_PyleCommunicator`, which knows
/// these bytes only; no capture is public.
package enum SamicoMeasurement: CharacteristicValue {
  /// The cuff is being inflated or let off; the bytes are not needed.
  case underWay([UInt8])
  /// A measurement in mmHg and beats per minute, what stands between, and what follows.
  case result(
    systolic: UInt16, diastolic: UInt16, unknown: UInt16, pulseRate: UInt16,
    trailingBytes: [UInt8])

  /// Reads the kind and what belongs to it.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let offset = reader.offset
    switch try reader.uint8(field: "Kind") {
    case 0x20: self = .underWay(reader.remainingBytes())
    case 0x0C:
      self = .result(
        systolic: try reader.bigEndianUInt16(field: "Systolic"),
        diastolic: try reader.bigEndianUInt16(field: "Diastolic"),
        unknown: try reader.bigEndianUInt16(field: "Reserved"),
        pulseRate: try reader.bigEndianUInt16(field: "Pulse Rate"),
        trailingBytes: reader.remainingBytes())
    default:
      throw PayloadError(
        .reservedValue, field: "Kind", offset: offset,
        message: "It is 0C or 20. Leave the notification out.")
    }
  }

  /// Writes the kind and what belongs to it.
  package func encode(to writer: inout PayloadWriter) {
    switch self {
    case .underWay(let bytes): writer.append([0x20] + bytes)
    case .result(let systolic, let diastolic, let unknown, let pulseRate, let trailingBytes):
      writer.uint8(0x0C)
      writer.bigEndianUInt16(systolic)
      writer.bigEndianUInt16(diastolic)
      writer.bigEndianUInt16(unknown)
      writer.bigEndianUInt16(pulseRate)
      writer.append(trailingBytes)
    }
  }
}
