// SPDX-License-Identifier: Apache-2.0

/// A cursor over the bytes of one characteristic value, least significant byte first.
///
/// Every method takes the name its field has in the specification. A field that does not fit is
/// refused whole: the error then holds the offset at which the field starts, and the cursor stays
/// there.
public struct PayloadReader: Sendable {
  @usableFromInline package let bytes: [UInt8]

  /// The offset of the next byte.
  public private(set) var offset = 0

  /// Starts at the first byte of a payload.
  @inlinable
  public init(_ payload: some Collection<UInt8>) {
    // `Array(payload)` would go through an iterator where the payload is `Data`.
    bytes = payload.withContiguousStorageIfAvailable { unsafe Array($0) } ?? Array(payload)
  }

  /// The number of bytes not read yet.
  public var remainingCount: Int { bytes.count - offset }

  /// Reads an unsigned integer of one byte.
  public mutating func uint8(field: String) throws(PayloadError) -> UInt8 {
    try integer(field: field)
  }

  /// Reads a signed integer of one byte.
  public mutating func int8(field: String) throws(PayloadError) -> Int8 {
    try integer(field: field)
  }

  /// Reads an unsigned integer of two bytes.
  public mutating func uint16(field: String) throws(PayloadError) -> UInt16 {
    try integer(field: field)
  }

  /// Reads a signed integer of two bytes.
  public mutating func int16(field: String) throws(PayloadError) -> Int16 {
    try integer(field: field)
  }

  /// Reads an unsigned integer of three bytes.
  public mutating func uint24(field: String) throws(PayloadError) -> UInt32 {
    UInt32(truncatingIfNeeded: try littleEndian(count: 3, field: field))
  }

  /// Reads an unsigned integer of four bytes.
  public mutating func uint32(field: String) throws(PayloadError) -> UInt32 {
    try integer(field: field)
  }

  /// Reads an unsigned integer of eight bytes.
  public mutating func uint64(field: String) throws(PayloadError) -> UInt64 {
    try integer(field: field)
  }

  /// Reads an unsigned integer of two bytes, the most significant byte first.
  ///
  /// No characteristic of the Bluetooth SIG's health services has one; some manufacturers' frames
  /// do.
  public mutating func bigEndianUInt16(field: String) throws(PayloadError) -> UInt16 {
    try uint16(field: field).byteSwapped
  }

  /// Reads an unsigned integer of four bytes, the most significant byte first.
  public mutating func bigEndianUInt32(field: String) throws(PayloadError) -> UInt32 {
    try uint32(field: field).byteSwapped
  }

  /// Reads some bytes as they are.
  public mutating func bytes(_ count: Int, field: String) throws(PayloadError) -> [UInt8] {
    try require(count, field: field)
    defer { offset += count }
    return Array(bytes[offset..<offset + count])
  }

  /// Reads an SFLOAT.
  public mutating func medicalFloat16(field: String) throws(PayloadError) -> MedicalFloat16 {
    MedicalFloat16(rawValue: try uint16(field: field))
  }

  /// Reads a FLOAT.
  public mutating func medicalFloat32(field: String) throws(PayloadError) -> MedicalFloat32 {
    MedicalFloat32(rawValue: try uint32(field: field))
  }

  /// Reads the seven bytes of a time stamp, whether or not they are a possible time.
  public mutating func timestamp(field: String) throws(PayloadError) -> Timestamp {
    try require(Timestamp.byteCount, field: field)
    return Timestamp(
      year: try uint16(field: field), month: try uint8(field: field), day: try uint8(field: field),
      hours: try uint8(field: field), minutes: try uint8(field: field),
      seconds: try uint8(field: field))
  }

  /// Takes all bytes that are left; an empty array at the end of the payload.
  public mutating func remainingBytes() -> [UInt8] {
    guard remainingCount > 0 else { return [] }
    defer { offset = bytes.count }
    return Array(bytes[offset...])
  }

  /// Refuses bytes after the last field, for characteristics whose length is fixed.
  public func finish() throws(PayloadError) {
    guard remainingCount > 0 else { return }
    throw PayloadError(
      .trailingBytes, field: "Value", offset: offset,
      message: "The characteristic has \(offset) bytes, the payload \(bytes.count).")
  }

  /// Inlined, so that each width has its own few instructions instead of a loop over bytes.
  @inline(__always)
  private mutating func integer<Integer: FixedWidthInteger>(
    field: String
  ) throws(PayloadError) -> Integer {
    let count = Integer.bitWidth / UInt8.bitWidth
    try require(count, field: field)
    var value: Integer = 0
    for position in 0..<count {
      value |= Integer(truncatingIfNeeded: bytes[offset + position]) << (8 * position)
    }
    offset += count
    return value
  }

  package mutating func littleEndian(count: Int, field: String) throws(PayloadError) -> UInt64 {
    try require(count, field: field)
    var value: UInt64 = 0
    for position in 0..<count {
      value |= UInt64(bytes[offset + position]) << UInt64(8 * position)
    }
    offset += count
    return value
  }

  @inline(__always)
  private func require(_ count: Int, field: String) throws(PayloadError) {
    if remainingCount < count { throw truncated(count, field) }
  }

  private func truncated(_ count: Int, _ field: String) -> PayloadError {
    PayloadError(
      .truncated, field: field, offset: offset,
      message: "The field has \(count) bytes, \(remainingCount) are left. Refuse the payload.")
  }
}
