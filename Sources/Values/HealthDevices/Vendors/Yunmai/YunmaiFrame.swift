// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A frame that a Yunmai scale sends (service FFE0, characteristic FFE4).
///
/// ```
/// // 0D  1E  14  02  00  6A21F4C6  00000001  1E28  01F4  08B6  5C
/// // MK  VR  LN  TY      SECONDS   USER      WGHT  OHMS  FAT   exclusive or of bytes 1...
/// ```
///
/// Words have their most significant byte first. Source: openScale, YunmaiHandler.
package struct YunmaiFrame: CharacteristicValue {
  /// The version of the protocol: the fat percentage is sent from 1E on.
  package var version: UInt8
  /// 1 while the weight changes, 2 for a measurement.
  package var type: UInt8
  /// What follows the type.
  package var content: [UInt8]

  /// Makes a frame; at most 250 bytes fit.
  package init(version: UInt8, type: UInt8, _ content: [UInt8]) {
    self.version = version
    self.type = type
    self.content = Array(content.prefix(250))
  }

  /// Reads a frame.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let mark = try reader.uint8(field: "Mark")
    guard mark == 0x0D else {
      throw PayloadError(
        .reservedValue, field: "Mark", offset: 0, message: "No frame of these scales starts so.")
    }
    version = try reader.uint8(field: "Version")
    let length = try reader.uint8(field: "Length")
    guard length >= 5 else {
      throw PayloadError(
        .outOfRange, field: "Length", offset: 2, message: "A frame has at least 5 bytes.")
    }
    type = try reader.uint8(field: "Type")
    content = try reader.bytes(Int(length) - 5, field: "Content")
    try reader.verify(.exclusiveOr, from: 1)
  }

  /// Writes the frame.
  package func encode(to writer: inout PayloadWriter) {
    let start = writer.bytes.count
    writer.append([0x0D, version, UInt8(truncatingIfNeeded: content.count + 5), type])
    writer.append(content)
    writer.append(.exclusiveOr, from: start + 1)
  }

  /// The measurement; nil while the weight changes.
  package func measurement() throws(PayloadError) -> YunmaiMeasurement? {
    guard type == 2 else { return nil }
    do {
      var reader = PayloadReader(content)
      return try YunmaiMeasurement(from: &reader, version: version)
    } catch {
      throw error.shifted(by: 4)
    }
  }
}

/// A measurement of a Yunmai scale.
package struct YunmaiMeasurement: Hashable, Sendable {
  /// Seconds since 1970 on the scale's clock.
  package let seconds: UInt32
  /// The number that the receiver gave the user.
  package let user: UInt32
  /// In hundredths of a kilogram.
  package let weight: UInt16
  /// In ohms; 0 when it was not measured.
  package let impedance: UInt16
  /// In hundredths of a per cent; nil by older versions of the protocol.
  package let bodyFat: UInt16?

  init(from reader: inout PayloadReader, version: UInt8) throws(PayloadError) {
    _ = try reader.uint8(field: "Filler")
    seconds = try reader.bigEndianUInt32(field: "Time")
    user = try reader.bigEndianUInt32(field: "User")
    weight = try reader.bigEndianUInt16(field: "Weight")
    impedance = try reader.bigEndianUInt16(field: "Impedance")
    bodyFat = version >= 0x1E ? try reader.bigEndianUInt16(field: "Body Fat") : nil
  }

  /// The weight in kilograms; nil when there is none.
  package var kilograms: Double? { weight == 0 ? nil : Double(weight) / 100 }
  /// The impedance in ohms; nil when it was not measured.
  package var ohms: UInt16? { impedance == 0 ? nil : impedance }
  /// The body fat in per cent of the weight; nil when it was not measured.
  package var bodyFatPercentage: Double? {
    bodyFat.flatMap { $0 == 0 ? nil : Double($0) / 100 }
  }
}
