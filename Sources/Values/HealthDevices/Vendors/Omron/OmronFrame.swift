// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A frame of the memory protocol of Omron monitors and scales.
///
/// ```
/// // 08  0100  02C0  20  00   EB
/// // LN  KIND  ADDR  SZ  ST   XOR
/// ```
///
/// All numbers are big endian; the length is that of the whole frame, and the exclusive or over all
/// bytes is 0. Older models take and send a frame in pieces over four characteristics: see
/// `OmronChannels`. Source: userx14/omblepy; oliexdev/openScale, OmronLibTest.
package struct OmronFrame: CharacteristicValue {
  /// What a frame asks or answers.
  package struct Kind: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    package static let start = Kind(rawValue: 0x0000)
    package static let started = Kind(rawValue: 0x8000)
    package static let read = Kind(rawValue: 0x0100)
    package static let memory = Kind(rawValue: 0x8100)
    package static let write = Kind(rawValue: 0x01C0)
    package static let written = Kind(rawValue: 0x81C0)
    package static let end = Kind(rawValue: 0x0F00)
    package static let ended = Kind(rawValue: 0x8F00)
  }

  /// The bytes beside the data.
  private static let overhead = 8
  /// The most bytes of data that fit in a frame.
  package static let maximumDataCount = Int(UInt8.max) - overhead

  /// What the frame asks or answers.
  package let kind: Kind
  /// The address in the device's memory.
  package let address: UInt16
  /// How many bytes of memory the frame is about.
  package let size: UInt8
  /// The bytes of memory.
  package let data: [UInt8]
  /// The byte before the check: in an answer without data 0 when all is well, else an error's
  /// number.
  package private(set) var status: UInt8 = 0

  /// Frames bytes of memory, or none.
  ///
  /// - Parameters:
  ///   - kind: What the frame asks or answers.
  ///   - address: The address in the device's memory.
  ///   - size: How many bytes of memory the frame is about; nil for as many as there are.
  ///   - data: The bytes of memory.
  ///   - status: The number of an error, 0 for none.
  /// - Throws: `outOfRange` for more data than a frame can hold.
  package init(
    _ kind: Kind, address: UInt16 = 0, size: UInt8? = nil, data: [UInt8] = [], status: UInt8 = 0
  ) throws(PayloadError) {
    guard data.count <= Self.maximumDataCount else {
      throw PayloadError(
        .outOfRange, field: "Data", message: "A frame holds 247 bytes. Write less at once.")
    }
    self.init(kind, address: address, size: size ?? UInt8(clamping: data.count), known: data)
    self.status = status
  }

  private init(_ kind: Kind, address: UInt16, size: UInt8, known data: [UInt8] = []) {
    self.kind = kind
    self.address = address
    self.size = size
    self.data = data
  }

  /// Reads length, kind, address, size, data and check.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let start = reader.offset
    let length = Int(try reader.uint8(field: "Length"))
    guard length >= Self.overhead else {
      throw PayloadError(
        .outOfRange, field: "Length", offset: start,
        message: "A frame has at least 8 bytes. Refuse it.")
    }
    kind = Kind(rawValue: try reader.bigEndianUInt16(field: "Kind"))
    address = try reader.bigEndianUInt16(field: "Address")
    size = try reader.uint8(field: "Size")
    data = try reader.bytes(length - Self.overhead, field: "Data")
    status = try reader.uint8(field: "Status")
    try reader.verify(.exclusiveOr, from: start)
  }

  /// Writes the whole frame with its check.
  package func encode(to writer: inout PayloadWriter) {
    let start = writer.bytes.count
    writer.uint8(UInt8(clamping: data.count + Self.overhead))
    writer.bigEndianUInt16(kind.rawValue)
    writer.bigEndianUInt16(address)
    writer.uint8(size)
    writer.append(data)
    writer.uint8(status)
    writer.append(.exclusiveOr, from: start)
  }
}

extension OmronFrame {
  /// Starts a session with the memory.
  package static let start = OmronFrame(.start, address: 0, size: 0x10)
  /// Ends a session with the memory.
  package static let end = OmronFrame(.end, address: 0, size: 0)

  /// Asks for bytes of memory.
  package static func read(_ count: UInt8, at address: UInt16) -> OmronFrame {
    OmronFrame(.read, address: address, size: count)
  }
}
