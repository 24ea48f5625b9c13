// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// The frame of Viatom's older devices (O2Ring, Checkme O2, SleepU, KidsO2, O2 Max).
///
/// ```
/// // AA  1B   E4    0000   0100  00    5E      a request
/// // SY  CMD  ~CMD  BLOCK  LEN   DATA  CRC8
/// // 55  00   FF    0000   0D00  ...   E9      a reply
/// ```
///
/// In a reply the second byte does not repeat the command: it is 0 when the command was carried
/// out. Source: home-health-hub/viatom-o2ring-ble and MackeyStingray/o2r, which agree.
package struct ViatomFrame: CharacteristicValue {
  /// The first byte.
  package enum Direction: UInt8, Hashable, Sendable {
    /// To the device.
    case request = 0xAA
    /// From the device.
    case reply = 0x55
  }

  /// What a request asks for.
  package struct Command: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Opens a stored file by its name.
    package static let openFile = Command(rawValue: 0x03)
    /// Reads a block of the open file.
    package static let readFile = Command(rawValue: 0x04)
    /// Closes the open file.
    package static let closeFile = Command(rawValue: 0x05)
    /// Asks for model, serial number, settings and the list of files, in JSON.
    package static let information = Command(rawValue: 0x14)
    /// Changes a setting, in JSON.
    package static let change = Command(rawValue: 0x16)
    /// Asks for the values of the moment: `ViatomLiveReading`.
    package static let live = Command(rawValue: 0x17)
    /// Asks for the values and the curve of the moment: `ViatomWaveReading`.
    package static let liveWithWave = Command(rawValue: 0x1B)
  }

  /// Whether this is a request or a reply.
  package let direction: Direction
  /// The command of a request, the status of a reply.
  package let code: UInt8
  /// The number of the block, where a file is sent in blocks.
  package let block: UInt16
  /// What the frame carries.
  package let data: [UInt8]

  /// Makes a request; `data` has at most 65,535 bytes, what is beyond is cut off.
  package init(_ command: Command, block: UInt16 = 0, data: [UInt8] = []) {
    self.init(.request, code: command.rawValue, block: block, data: data)
  }

  /// Makes a reply; `data` has at most 65,535 bytes, what is beyond is cut off.
  package init(replyWithStatus status: UInt8 = 0, block: UInt16 = 0, data: [UInt8] = []) {
    self.init(.reply, code: status, block: block, data: data)
  }

  private init(_ direction: Direction, code: UInt8, block: UInt16, data: [UInt8]) {
    self.direction = direction
    self.code = code
    self.block = block
    self.data = Array(data.prefix(Int(UInt16.max)))
  }

  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let start = reader.offset
    guard let direction = Direction(rawValue: try reader.uint8(field: "Start")) else {
      throw PayloadError(
        .reservedValue, field: "Start", offset: start,
        message: "A frame starts with AA or 55. Skip the byte.")
    }
    self.direction = direction
    code = try reader.uint8(field: "Command")
    try reader.verifyComplement(of: code)
    block = try reader.uint16(field: "Block")
    let length = try reader.uint16(field: "Length")
    data = try reader.bytes(Int(length), field: "Data")
    try reader.verify(.crc8, from: start)
  }

  package func encode(to writer: inout PayloadWriter) {
    let start = writer.bytes.count
    writer.uint8(direction.rawValue)
    writer.uint8(code)
    writer.uint8(~code)
    writer.uint16(block)
    writer.uint16(UInt16(data.count))
    writer.append(data)
    writer.append(.crc8, from: start)
  }
}

extension PayloadReader {
  /// Reads a byte that must be the complement of the one before it.
  mutating func verifyComplement(of byte: UInt8) throws(PayloadError) {
    let start = offset
    guard try uint8(field: "Complement") == ~byte else {
      throw PayloadError(
        .checksumMismatch, field: "Complement", offset: start,
        message: "It is the complement of the byte before it. Skip the frame.")
    }
  }
}

extension ViatomFrame: StreamedFrame {
  package static func extent(of start: ArraySlice<UInt8>) -> FrameExtent {
    let bytes = Array(start.prefix(7))
    guard Direction(rawValue: bytes[0]) != nil else { return .noFrame }
    guard bytes.count > 2 else { return .unknown }
    guard bytes[1] == ~bytes[2] else { return .noFrame }
    guard bytes.count > 6 else { return .unknown }
    return .bytes(8 + Int(bytes[5]) + Int(bytes[6]) << 8)
  }
}
