// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A frame of LifeScan's OneTouch meters: a request, or the reply to one.
///
/// ```
/// // 02  0800  04  06   03  78C1
/// // ST  LENG  MK  MSG  EN  CRC16
/// ```
///
/// The length is that of the whole frame. Over the air a frame travels in blocks: see
/// `OneTouchTransport`. Source: glucometers-tech/glucometer-protocols, shared binary protocol;
/// sivulich/AppiaGlucometers (frames of a Select Plus Flex).
package struct OneTouchFrame: CharacteristicValue {
  /// The byte before the message, by which the families of meters differ.
  package enum Family: UInt8, Sendable {
    /// Verio Flex, Verio Reflect, Ultra Plus Reflect.
    case verio = 0x03
    /// Select Plus Flex.
    case selectPlus = 0x04
  }

  private static let start: UInt8 = 0x02
  private static let end: UInt8 = 0x03
  /// The bytes beside the message.
  private static let overhead = 7
  /// How many bytes a message has.
  package static let messageCounts = 1...(Int(UInt16.max) - overhead)

  /// The family of the meter.
  package let family: Family
  /// The request, or the reply with its status in front.
  package let message: [UInt8]

  /// Frames a message.
  ///
  /// - Throws: `outOfRange` unless the message has 1...65,528 bytes.
  package init(_ family: Family, message: [UInt8]) throws(PayloadError) {
    guard Self.messageCounts.contains(message.count) else {
      throw PayloadError(
        .outOfRange, field: "Message", message: "It has 1...65528 bytes. Send less at once.")
    }
    self.family = family
    self.message = message
  }

  /// Reads start, length, family, message, end and check.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    try reader.constant(Self.start, field: "Start")
    let offset = reader.offset
    let length = Int(try reader.uint16(field: "Length"))
    guard length > Self.overhead else {
      throw PayloadError(
        .outOfRange, field: "Length", offset: offset,
        message: "A frame has at least 8 bytes. Refuse it.")
    }
    family = try Self.family(from: &reader)
    message = try reader.bytes(length - Self.overhead, field: "Message")
    try reader.constant(Self.end, field: "End")
    try reader.verify(.crc16CCITT)
  }

  private static func family(from reader: inout PayloadReader) throws(PayloadError) -> Family {
    let offset = reader.offset
    guard let family = Family(rawValue: try reader.uint8(field: "Family")) else {
      throw PayloadError(
        .reservedValue, field: "Family", offset: offset,
        message: "It is 3 or 4. Refuse the frame.")
    }
    return family
  }

  /// Writes the whole frame with its check.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint8(Self.start)
    writer.uint16(UInt16(clamping: message.count + Self.overhead))
    writer.uint8(family.rawValue)
    writer.append(message)
    writer.uint8(Self.end)
    writer.append(.crc16CCITT)
  }
}
