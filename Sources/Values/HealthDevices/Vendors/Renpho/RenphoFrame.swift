// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A frame of the Renpho scales R-MSC04, ES-CS20M and ES-26BB (service 1A10), in both directions.
///
/// ```
/// // 55AA  24  0006  011100002553  B3
/// // MARK  CM  LEN   CONTENT       sum of all bytes before
/// ```
///
/// Source: KristianP26/ble-scale-sync (captured frames); openScale, RenphoES26BBHandler.
package struct RenphoFrame: CharacteristicValue {
  /// What the frame is.
  package var command: UInt8
  /// What it holds.
  package var content: [UInt8]

  /// Starts the stream of weights: written once a session.
  package static let start = RenphoFrame(0x90, [0x01, 0x00, 0x00, 0x00])

  /// Makes a frame; at most 65 535 bytes of content fit.
  package init(_ command: UInt8, _ content: [UInt8]) {
    self.command = command
    self.content = Array(content.prefix(0xFFFF))
  }

  /// Reads a frame.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let mark = try reader.bigEndianUInt16(field: "Mark")
    guard mark == 0x55AA else {
      throw PayloadError(
        .reservedValue, field: "Mark", offset: 0, message: "No frame of these scales starts so.")
    }
    command = try reader.uint8(field: "Command")
    let length = try reader.bigEndianUInt16(field: "Length")
    content = try reader.bytes(Int(length), field: "Content")
    try reader.verify(.sum8)
  }

  /// Writes the frame.
  package func encode(to writer: inout PayloadWriter) {
    let start = writer.bytes.count
    writer.bigEndianUInt16(0x55AA)
    writer.uint8(command)
    writer.bigEndianUInt16(UInt16(truncatingIfNeeded: content.count))
    writer.append(content)
    writer.append(.sum8, from: start)
  }
}

extension RenphoFrame {
  /// Whether this is the final weight of an R-MSC04 (command 24); 21 comes while it changes.
  package var isFinalWeight: Bool { command == 0x24 }

  /// The weight that an R-MSC04 sends in its frames 21 and 24: the last two bytes, in hundredths
  /// of a kilogram; nil for other frames.
  package var kilograms: Double? {
    guard command == 0x21 || command == 0x24, content.count >= 2 else { return nil }
    let word = Int(content[content.count - 2]) << 8 | Int(content[content.count - 1])
    return Double(word) / 100
  }
}
