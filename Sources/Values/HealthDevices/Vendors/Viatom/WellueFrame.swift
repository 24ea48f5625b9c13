// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A frame of the Wellue BPM-188 and the monitors built like it.
///
/// ```
/// // 02  40  DC  07   B0 1A 05 04 07 1E 00  29
/// // ST  AD  KD  LEN  PAYLOAD               XOR
/// ```
///
/// The check covers all bytes between the first and itself. Source: weliem/LivecareBluetoothSDK,
/// WellueBP.
package struct WellueFrame: CharacteristicValue {
  /// Who sends the frame, the third byte.
  package enum Sender: UInt8, Hashable, Sendable {
    /// The host.
    case host = 0xDC
    /// The monitor.
    case monitor = 0xDD
  }

  /// Who sends the frame.
  package let sender: Sender
  /// The command or the reply, with the data that belong to it.
  package let content: [UInt8]

  /// Frames a command or a reply.
  ///
  /// - Throws: `outOfRange` for more than 255 bytes.
  package init(_ sender: Sender, content: [UInt8]) throws(PayloadError) {
    guard content.count <= Int(UInt8.max) else {
      throw PayloadError(
        .outOfRange, field: "Payload", message: "It has 0...255 bytes. Send less at once.")
    }
    self.init(sender, known: content)
  }

  private init(_ sender: Sender, known content: [UInt8]) {
    self.sender = sender
    self.content = content
  }

  /// Reads start, address, sender, payload and check.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let start = reader.offset
    try reader.constant(0x02, field: "Start")
    try reader.constant(0x40, field: "Address")
    let offset = reader.offset
    guard let sender = Sender(rawValue: try reader.uint8(field: "Direction")) else {
      throw PayloadError(
        .reservedValue, field: "Direction", offset: offset,
        message: "It is DC or DD. Refuse the frame.")
    }
    self.sender = sender
    content = try reader.bytes(Int(try reader.uint8(field: "Length")), field: "Payload")
    try reader.verify(.exclusiveOr, from: start + 1)
  }

  /// Writes the whole frame with its check.
  package func encode(to writer: inout PayloadWriter) {
    let start = writer.bytes.count
    writer.append([0x02, 0x40, sender.rawValue, UInt8(clamping: content.count)])
    writer.append(content)
    writer.append(.exclusiveOr, from: start + 1)
  }
}

extension WellueFrame {
  /// Sets the clock; years are those after 2000.
  package static func setTime(_ time: LocalDateTime) -> WellueFrame {
    WellueFrame(.host, known: [0xB0] + Timestamp(time).bytesSince2000)
  }
}
