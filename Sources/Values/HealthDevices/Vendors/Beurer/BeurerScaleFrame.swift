// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A frame of the scales Beurer BF700, BF710 and BF800, Sanitas SBF70 and SBF75, and their kin
/// (service FFE0, characteristic FFE1), in both directions.
///
/// The upper half of the first byte is F for BF700 and BF800, E for the others; the lower half
/// says what kind of frame it is. There is no checksum.
///
/// ```
/// // E7  58  01 085F
/// // ST  CM  …
/// ```
///
/// Source: openScale, BeurerSanitasHandler; KristianP26/ble-scale-sync.
package struct BeurerScaleFrame: CharacteristicValue {
  /// What kind of frame it is: the lower half of the first byte.
  package enum Kind: UInt8, Sendable {
    /// The first frame of a session, and the scale's answer to it.
    case hello = 6
    /// A command and its answer; the first byte of the content is the command.
    case command = 7
    /// The time, as seconds since 1970, most significant byte first.
    case time = 9
    /// The last frame of a session.
    case end = 10
  }

  /// The command of a frame.
  package struct Command: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Lists the users.
    package static let userList = Command(rawValue: 0x33)
    /// One user of the list.
    package static let userInformation = Command(rawValue: 0x34)
    /// Starts a measurement of a user.
    package static let measure = Command(rawValue: 0x40)
    /// Asks for the stored measurements of a user.
    package static let storedMeasurements = Command(rawValue: 0x41)
    /// Half a stored measurement.
    package static let storedPart = Command(rawValue: 0x42)
    /// The state of the scale.
    package static let status = Command(rawValue: 0x4F)
    /// The weight while it still changes, and when it does not any more.
    package static let liveWeight = Command(rawValue: 0x58)
    /// A part of a finished measurement.
    package static let resultPart = Command(rawValue: 0x59)
    /// The scale's acknowledgement; the command it is for follows.
    package static let scaleAcknowledgement = Command(rawValue: 0xF0)
    /// The receiver's acknowledgement.
    package static let acknowledgement = Command(rawValue: 0xF1)
  }

  /// The upper half of the first byte: 0xE or 0xF.
  package var family: UInt8
  /// What kind of frame it is.
  package var kind: Kind
  /// What follows the first byte.
  package var content: [UInt8]

  /// Makes a frame.
  package init(family: UInt8, kind: Kind, content: [UInt8]) {
    self.family = family
    self.kind = kind
    self.content = content
  }

  /// Makes a command.
  package init(family: UInt8, _ command: Command, _ parameters: [UInt8] = []) {
    self.init(family: family, kind: .command, content: [command.rawValue] + parameters)
  }

  /// Reads a frame.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let start = try reader.uint8(field: "Start")
    guard let kind = Kind(rawValue: start & 0x0F), start >> 4 >= 0xE else {
      throw PayloadError(
        .reservedValue, field: "Start", offset: 0,
        message: "No frame of these scales starts so. Ignore it.")
    }
    family = start >> 4
    self.kind = kind
    content = reader.remainingBytes()
  }

  /// Writes the frame.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint8(family << 4 | kind.rawValue)
    writer.append(content)
  }

  /// The command; nil for the other kinds.
  package var command: Command? {
    kind == .command ? content.first.map { Command(rawValue: $0) } : nil
  }

  /// The answer that a live weight, a stored part and a part of a result wait for: it repeats
  /// command, number of parts and part.
  package var acknowledgement: BeurerScaleFrame? {
    guard kind == .command, content.count >= 3 else { return nil }
    return BeurerScaleFrame(family: family, .acknowledgement, Array(content.prefix(3)))
  }
}

/// The weight that one of these scales shows (command 58).
///
/// ```
/// // E7  58  01  085F
/// // ST  CM  ST  WGHT, most significant byte first
/// ```
package struct BeurerLiveWeight: CharacteristicValue {
  /// The upper half of the first byte.
  package var family: UInt8
  /// 0 when the weight no longer changes.
  package var status: UInt8
  /// The weight in steps of 50 g.
  package var weight: UInt16

  /// Makes a weight.
  package init(family: UInt8, status: UInt8, weight: UInt16) {
    self.family = family
    self.status = status
    self.weight = weight
  }

  /// Reads a whole frame.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let start = try reader.uint8(field: "Start")
    let command = try reader.uint8(field: "Command")
    guard start == 0xE7 || start == 0xF7, command == 0x58 else {
      throw PayloadError(
        .reservedValue, field: "Command", offset: 0, message: "It is no live weight.")
    }
    family = start >> 4
    status = try reader.uint8(field: "Status")
    weight = try reader.bigEndianUInt16(field: "Weight")
  }

  /// Writes a whole frame.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint8(family << 4 | 7)
    writer.uint8(0x58)
    writer.uint8(status)
    writer.bigEndianUInt16(weight)
  }

  /// Whether the weight no longer changes.
  package var isSettled: Bool { status == 0 }
  /// The weight in kilograms.
  package var kilograms: Double { Double(weight) / 20 }
}
