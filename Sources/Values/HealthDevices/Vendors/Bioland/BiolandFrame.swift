// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A frame of the Bioland G-500 glucose meter: a request, or the reply to one.
///
/// ```
/// // 55  0C  03  0E0101051900C302  57
/// // ST  LE  ID  BODY              SUM
/// ```
///
/// The length is that of the whole frame. Meters are known whose sum is 2 more; it is kept as sent.
/// Source: sivulich/AppiaGlucometers.
package struct BiolandFrame: CharacteristicValue {
  /// Who sends a frame.
  package enum Direction: UInt8, Sendable {
    case request = 0x5A
    case reply = 0x55
  }

  /// What a frame is about.
  package struct Kind: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// The meter, its battery and serial number.
    package static let information = Kind(rawValue: 0x00)
    /// The seconds until the result of a measurement under way.
    package static let countdown = Kind(rawValue: 0x02)
    /// A result.
    package static let result = Kind(rawValue: 0x03)
    /// There are no more results.
    package static let end = Kind(rawValue: 0x05)
    /// The greeting of the client.
    package static let handshake = Kind(rawValue: 0x09)
  }

  /// The bytes beside the body.
  private static let overhead = 4
  private static let sumExcess: UInt8 = 2
  private static let maximumBodyCount = Int(UInt8.max) - overhead

  /// Who sends the frame.
  package let direction: Direction
  /// What the frame is about.
  package let kind: Kind
  /// What is sent.
  package let body: [UInt8]
  /// 2 by meters that add it to the sum, else 0.
  private let sumOffset: UInt8

  /// Creates a frame.
  ///
  /// - Throws: `outOfRange` when the body has more than 251 bytes.
  package init(_ direction: Direction, _ kind: Kind, body: [UInt8]) throws(PayloadError) {
    guard body.count <= Self.maximumBodyCount else {
      throw PayloadError(
        .outOfRange, field: "Body", message: "It has at most 251 bytes. Send less at once.")
    }
    self.direction = direction
    self.kind = kind
    self.body = body
    sumOffset = 0
  }

  /// Reads start, length, kind, body and sum.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    guard let direction = Direction(rawValue: try reader.uint8(field: "Start")) else {
      throw PayloadError(
        .reservedValue, field: "Start", offset: 0, message: "It is 5A or 55. Refuse the frame.")
    }
    let length = try reader.uint8(field: "Length")
    guard Int(length) >= Self.overhead else {
      throw PayloadError(
        .outOfRange, field: "Length", offset: 1,
        message: "A frame has at least 4 bytes. Refuse it.")
    }
    self.direction = direction
    kind = Kind(rawValue: try reader.uint8(field: "Kind"))
    body = try reader.bytes(Int(length) - Self.overhead, field: "Body")
    let sum = Checksum.sum8.value(of: [direction.rawValue, length, kind.rawValue] + body)
    sumOffset = try Self.sumOffset(over: sum, from: &reader)
  }

  private static func sumOffset(
    over sum: UInt8, from reader: inout PayloadReader
  ) throws(PayloadError) -> UInt8 {
    let offset = reader.offset
    let difference = try reader.uint8(field: "Checksum") &- sum
    guard difference == 0 || difference == sumExcess else {
      throw PayloadError(
        .checksumMismatch, field: "Checksum", offset: offset,
        message: "The frame was damaged on its way. Ask for it again.")
    }
    return difference
  }

  /// Writes the whole frame with its sum.
  package func encode(to writer: inout PayloadWriter) {
    let bytes =
      [direction.rawValue, UInt8(clamping: body.count + Self.overhead), kind.rawValue] + body
    writer.append(bytes)
    writer.uint8(Checksum.sum8.value(of: bytes) &+ sumOffset)
  }
}
