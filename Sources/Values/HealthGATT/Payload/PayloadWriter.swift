// SPDX-License-Identifier: Apache-2.0

/// The bytes of one characteristic value in the making, least significant byte first.
public struct PayloadWriter: Sendable {
  /// What was written so far.
  public private(set) var bytes: [UInt8] = []

  /// Starts with no bytes.
  public init() {
    bytes.reserveCapacity(20)
  }

  /// Appends one byte.
  public mutating func uint8(_ value: UInt8) {
    bytes.append(value)
  }

  /// Appends a signed integer as one byte.
  public mutating func int8(_ value: Int8) {
    bytes.append(UInt8(bitPattern: value))
  }

  /// Appends two bytes.
  public mutating func uint16(_ value: UInt16) {
    littleEndian(UInt64(value), count: 2)
  }

  /// Appends a signed integer as two bytes.
  public mutating func int16(_ value: Int16) {
    uint16(UInt16(bitPattern: value))
  }

  /// Appends the low three bytes of a number.
  public mutating func uint24(_ value: UInt32) {
    littleEndian(UInt64(value), count: 3)
  }

  /// Appends four bytes.
  public mutating func uint32(_ value: UInt32) {
    littleEndian(UInt64(value), count: 4)
  }

  /// Appends eight bytes.
  public mutating func uint64(_ value: UInt64) {
    littleEndian(value, count: 8)
  }

  /// Appends two bytes, the most significant one first.
  public mutating func bigEndianUInt16(_ value: UInt16) {
    uint16(value.byteSwapped)
  }

  /// Appends four bytes, the most significant one first.
  public mutating func bigEndianUInt32(_ value: UInt32) {
    uint32(value.byteSwapped)
  }

  /// Appends an SFLOAT, the very word it was made of.
  public mutating func medicalFloat16(_ value: MedicalFloat16) {
    uint16(value.rawValue)
  }

  /// Appends a FLOAT, the very word it was made of.
  public mutating func medicalFloat32(_ value: MedicalFloat32) {
    uint32(value.rawValue)
  }

  /// Appends the seven bytes of a time stamp.
  public mutating func timestamp(_ value: Timestamp) {
    uint16(value.year)
    bytes += [value.month, value.day, value.hours, value.minutes, value.seconds]
  }

  /// Appends bytes as they are.
  public mutating func append(_ other: some Sequence<UInt8>) {
    bytes += other
  }

  package mutating func littleEndian(_ value: UInt64, count: Int) {
    for position in 0..<count {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * position)))
    }
  }
}
