// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A frame of TaiDoc's and FORA's devices: a request, or the reply to one.
///
/// ```
/// // 51  26   78000040  A5  D4
/// // ST  CMD  DATA      DI  SUM
/// ```
///
/// Glucose meters, blood pressure monitors, thermometers, oximeters and scales share it; what the
/// four bytes of data mean depends on the command and the model. Source:
/// glucometers-tech/glucometer-protocols, TaiDoc TD-42xx.
package struct TaiDocFrame: CharacteristicValue {
  /// Who sends a frame.
  package enum Direction: UInt8, Sendable {
    case request = 0xA3
    case reply = 0xA5
  }

  private static let start: UInt8 = 0x51

  /// What is asked for.
  package let command: TaiDocCommand
  /// Always four bytes.
  package let data: [UInt8]
  /// Who sends the frame.
  package let direction: Direction

  /// Creates a frame with four bytes of data.
  package init(
    _ command: TaiDocCommand, _ direction: Direction, _ first: UInt8 = 0, _ second: UInt8 = 0,
    _ third: UInt8 = 0, _ fourth: UInt8 = 0
  ) {
    self.command = command
    self.direction = direction
    data = [first, second, third, fourth]
  }

  /// Reads start, command, data, direction and sum.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    try reader.constant(Self.start, field: "Start")
    command = TaiDocCommand(rawValue: try reader.uint8(field: "Command"))
    data = try reader.bytes(4, field: "Data")
    let offset = reader.offset
    guard let direction = Direction(rawValue: try reader.uint8(field: "Direction")) else {
      throw PayloadError(
        .reservedValue, field: "Direction", offset: offset,
        message: "It is A3 or A5. Refuse the frame.")
    }
    self.direction = direction
    try reader.verify(.sum8)
  }

  /// Writes the eight bytes.
  package func encode(to writer: inout PayloadWriter) {
    writer.append([Self.start, command.rawValue])
    writer.append(data)
    writer.uint8(direction.rawValue)
    writer.append(.sum8)
  }
}

/// What a frame of a TaiDoc device asks for or answers to.
package struct TaiDocCommand: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let readClock = TaiDocCommand(rawValue: 0x23)
  package static let readModel = TaiDocCommand(rawValue: 0x24)
  package static let readRecordTime = TaiDocCommand(rawValue: 0x25)
  package static let readRecordValue = TaiDocCommand(rawValue: 0x26)
  package static let readRecordCount = TaiDocCommand(rawValue: 0x2B)
  package static let setClock = TaiDocCommand(rawValue: 0x33)
  package static let readCurrentOximetry = TaiDocCommand(rawValue: 0x49)
  /// The device says on its own that it is ready.
  package static let enterCommunication = TaiDocCommand(rawValue: 0x54)

  /// Starts to inflate the cuff; never sent.
  package static let startBloodPressure = TaiDocCommand(rawValue: 0x43)
  /// Erases the memory; never sent.
  package static let eraseMemory = TaiDocCommand(rawValue: 0x52)
}
