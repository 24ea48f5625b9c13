// SPDX-License-Identifier: Apache-2.0

/// The octets of one characteristic value in the making, least significant octet first.
public struct PayloadWriter: Sendable {
  /// What was written so far.
  public private(set) var octets: [UInt8] = []

  /// Starts with no octets.
  public init() {
    octets.reserveCapacity(20)
  }

  /// Appends one octet.
  public mutating func uint8(_ value: UInt8) {
    octets.append(value)
  }

  /// Appends a signed integer as one octet.
  public mutating func int8(_ value: Int8) {
    octets.append(UInt8(bitPattern: value))
  }

  /// Appends two octets.
  public mutating func uint16(_ value: UInt16) {
    littleEndian(UInt64(value), count: 2)
  }

  /// Appends a signed integer as two octets.
  public mutating func int16(_ value: Int16) {
    uint16(UInt16(bitPattern: value))
  }

  /// Appends the low three octets of a number.
  public mutating func uint24(_ value: UInt32) {
    littleEndian(UInt64(value), count: 3)
  }

  /// Appends four octets.
  public mutating func uint32(_ value: UInt32) {
    littleEndian(UInt64(value), count: 4)
  }

  /// Appends eight octets.
  public mutating func uint64(_ value: UInt64) {
    littleEndian(value, count: 8)
  }

  /// Appends two octets, the most significant one first.
  public mutating func bigEndianUInt16(_ value: UInt16) {
    uint16(value.byteSwapped)
  }

  /// Appends four octets, the most significant one first.
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

  /// Appends the seven octets of a time stamp.
  public mutating func timeStamp(_ value: TimeStamp) {
    uint16(value.year)
    octets += [value.month, value.day, value.hours, value.minutes, value.seconds]
  }

  /// Appends octets as they are.
  public mutating func append(_ other: some Sequence<UInt8>) {
    octets += other
  }

  mutating func littleEndian(_ value: UInt64, count: Int) {
    for position in 0..<count {
      octets.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * position)))
    }
  }
}
