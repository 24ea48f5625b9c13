// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A frame of the newer Viatom, Wellue and Lepu devices: the BP2 monitors, the O2Ring-S.
///
/// ```
/// // A5  E1  1E   00   00   0000  69
/// // ST  CM  ~CM  DIR  SEQ  LENG  CRC8
/// ```
///
/// The frame is sent in as many notifications as it needs. Source: chalimov/viatom_bp2_ha;
/// nglessner/o2ring-s-protocol.
package struct LepuFrame: CharacteristicValue {
  static let start: UInt8 = 0xA5
  /// The bytes beside the payload.
  static let overhead = 8

  /// What the frame asks or answers.
  package let command: UInt8
  /// 0 to the device, 1 from it.
  package let direction: UInt8
  /// The number of the request, which the answer repeats.
  package let sequence: UInt8
  /// The bytes of the command's own layout.
  package let content: [UInt8]

  /// Frames a command.
  ///
  /// - Throws: `outOfRange` for more than 65,535 bytes.
  package init(
    command: UInt8, direction: UInt8 = 0, sequence: UInt8 = 0, content: [UInt8] = []
  ) throws(PayloadError) {
    guard content.count <= Int(UInt16.max) else {
      throw PayloadError(
        .outOfRange, field: "Payload", message: "It has 0...65535 bytes. Send less at once.")
    }
    self.command = command
    self.direction = direction
    self.sequence = sequence
    self.content = content
  }

  /// Reads start, command and its complement, direction, number, payload and check.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let start = reader.offset
    try reader.constant(Self.start, field: "Start")
    command = try reader.uint8(field: "Command")
    try reader.constant(~command, field: "Command Complement")
    direction = try reader.uint8(field: "Direction")
    sequence = try reader.uint8(field: "Sequence")
    content = try reader.bytes(Int(try reader.uint16(field: "Length")), field: "Payload")
    try reader.verify(.crc8, from: start, field: "CRC")
  }

  /// Writes the whole frame with its check.
  package func encode(to writer: inout PayloadWriter) {
    let start = writer.bytes.count
    writer.append([Self.start, command, ~command, direction, sequence])
    writer.uint16(UInt16(clamping: content.count))
    writer.append(content)
    writer.append(.crc8, from: start)
  }
}
