// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A measurement of an AndesFit ADF-B19 or BPM_01 monitor, in a service of its own (FFF0).
///
/// ```
/// // 1E  0078  0050  005D  0048  000000000000000000
/// // ST  SYST  DIAS  ?     PULS  ?
/// ```
///
/// The numbers are big endian. Source: weliem/LivecareBluetoothSDK, BPAndesFit, which knows these
/// bytes only; no capture is public.
package struct AndesFitMeasurement: CharacteristicValue {
  private static let start: UInt8 = 0x1E

  /// In mmHg.
  package let systolic: UInt16
  /// In mmHg.
  package let diastolic: UInt16
  /// Beats per minute.
  package let pulseRate: UInt16
  private let unknownWord: UInt16
  private let unknownBytes: [UInt8]

  /// Creates a measurement as a monitor sends it.
  package init(systolic: UInt16, diastolic: UInt16, pulseRate: UInt16) {
    self.systolic = systolic
    self.diastolic = diastolic
    self.pulseRate = pulseRate
    unknownWord = 0
    unknownBytes = [UInt8](repeating: 0, count: 9)
  }

  /// Reads the 18 bytes.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    try reader.constant(Self.start, field: "Start")
    systolic = try reader.bigEndianUInt16(field: "Systolic")
    diastolic = try reader.bigEndianUInt16(field: "Diastolic")
    unknownWord = try reader.bigEndianUInt16(field: "Reserved")
    pulseRate = try reader.bigEndianUInt16(field: "Pulse Rate")
    unknownBytes = try reader.bytes(9, field: "Reserved")
  }

  /// Writes the 18 bytes.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint8(Self.start)
    writer.bigEndianUInt16(systolic)
    writer.bigEndianUInt16(diastolic)
    writer.bigEndianUInt16(unknownWord)
    writer.bigEndianUInt16(pulseRate)
    writer.append(unknownBytes)
  }
}
