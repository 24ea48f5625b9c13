// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A frame of the Microlife monitors with Bluetooth: a command, or the reply to one.
///
/// ```
/// // 4D  FF  0009  00000000000000FD  52
/// // ST  DR  LENG  PAYLOAD           SUM
/// ```
///
/// The length is big endian and counts payload and sum. Frames to the monitor are cut into pieces
/// of 20 bytes. Source: joergmlpts/blood-pressure-monitor; derdilla/blood-pressure-monitor-fl;
/// weliem/LivecareBluetoothSDK (BP3MW1).
package struct MicrolifeFrame: CharacteristicValue {
  /// Who sends the frame, the second byte.
  package enum Sender: UInt8, Hashable, Sendable {
    /// The host.
    case host = 0xFF
    /// A BP3GY1.
    case monitor = 0x3A
    /// A BP3MW1.
    case otherMonitor = 0x31
  }

  static let start: UInt8 = 0x4D
  /// How many bytes a payload has.
  private static let contentCounts = 1...(Int(UInt16.max) - 1)

  /// Who sends the frame.
  package let sender: Sender
  /// The command or the reply, with the data that belong to it.
  package let content: [UInt8]

  /// Frames a command or a reply.
  ///
  /// - Throws: `outOfRange` unless the payload has 1...65,534 bytes.
  package init(_ sender: Sender, content: [UInt8]) throws(PayloadError) {
    guard Self.contentCounts.contains(content.count) else {
      throw PayloadError(
        .outOfRange, field: "Payload", message: "It has 1...65534 bytes. Send less at once.")
    }
    self.init(sender, known: content)
  }

  private init(_ sender: Sender, known content: [UInt8]) {
    self.sender = sender
    self.content = content
  }

  /// Reads start, sender, length, payload and sum.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let start = reader.offset
    try reader.constant(Self.start, field: "Start")
    sender = try Self.sender(from: &reader)
    let offset = reader.offset
    let count = Int(try reader.bigEndianUInt16(field: "Length")) - 1
    guard Self.contentCounts.contains(count) else {
      throw PayloadError(
        .outOfRange, field: "Length", offset: offset,
        message: "A frame has a command and a sum at least. Refuse it.")
    }
    content = try reader.bytes(count, field: "Payload")
    try reader.verify(.sum8, from: start)
  }

  private static func sender(from reader: inout PayloadReader) throws(PayloadError) -> Sender {
    let offset = reader.offset
    guard let sender = Sender(rawValue: try reader.uint8(field: "Direction")) else {
      throw PayloadError(
        .reservedValue, field: "Direction", offset: offset,
        message: "It is FF, 3A or 31. Refuse the frame.")
    }
    return sender
  }

  /// Writes the whole frame with its sum.
  package func encode(to writer: inout PayloadWriter) {
    let start = writer.bytes.count
    writer.append([Self.start, sender.rawValue])
    writer.bigEndianUInt16(UInt16(clamping: content.count + 1))
    writer.append(content)
    writer.append(.sum8, from: start)
  }
}

extension MicrolifeFrame {
  /// Asks for all measurements.
  package static let readAll = MicrolifeFrame(.host, known: [0, 0, 0, 0, 0, 0, 0, 0xFD])
  /// Ends the connection.
  package static let disconnect = MicrolifeFrame(.host, known: [0x04])
  /// What a monitor replies when it has carried out a command.
  package static let done: [UInt8] = [0x81]

  /// Sets the clock; years are those after 2000.
  package static func setTime(_ time: LocalDateTime) -> MicrolifeFrame {
    MicrolifeFrame(.host, known: [0x0D] + Timestamp(time).bytesSince2000)
  }
}
