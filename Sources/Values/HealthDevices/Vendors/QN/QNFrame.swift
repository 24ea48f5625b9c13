// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A frame of the scales made by QN (Yolanda) and sold as Renpho, FitIndex, Arboleaf and others, in
/// both directions.
///
/// ```
/// // 10  0E  FF  01 02 2639 01F5 01F3 01 34  9E
/// // OP  LN  PR  …                           sum of all bytes before
/// ```
///
/// Source: openScale, QNHandler; KristianP26/ble-scale-sync.
package struct QNFrame: CharacteristicValue {
  /// What the frame is.
  package struct Opcode: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The weight, while it changes and when it has settled.
    package static let weight = Opcode(rawValue: 0x10)
    /// What the scale is: the first frame of a session.
    package static let information = Opcode(rawValue: 0x12)
    /// The unit that the scale shall show.
    package static let configuration = Opcode(rawValue: 0x13)
    /// The scale is ready for the time.
    package static let ready = Opcode(rawValue: 0x14)
    /// The receiver has the settled weight.
    package static let stop = Opcode(rawValue: 0x1F)
    /// The time.
    package static let time = Opcode(rawValue: 0x20)
    /// The scale asks for its configuration.
    package static let configurationRequest = Opcode(rawValue: 0x21)
    /// Starts a measurement.
    package static let start = Opcode(rawValue: 0x22)
    /// A stored measurement.
    package static let stored = Opcode(rawValue: 0x23)
  }

  /// What the frame is.
  package var opcode: Opcode
  /// What stands between length and checksum; the first byte is the scale's protocol.
  package var content: [UInt8]

  /// Makes a frame; at most 252 bytes of content fit.
  package init(_ opcode: Opcode, _ content: [UInt8]) {
    self.opcode = opcode
    self.content = Array(content.prefix(252))
  }

  /// Reads a frame.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    opcode = Opcode(rawValue: try reader.uint8(field: "Opcode"))
    let length = try reader.uint8(field: "Length")
    guard length >= 3 else {
      throw PayloadError(
        .outOfRange, field: "Length", offset: 1, message: "A frame has at least 3 bytes.")
    }
    content = try reader.bytes(Int(length) - 3, field: "Content")
    try reader.verify(.sum8)
  }

  /// Writes the frame.
  package func encode(to writer: inout PayloadWriter) {
    let start = writer.bytes.count
    writer.uint8(opcode.rawValue)
    writer.uint8(UInt8(truncatingIfNeeded: content.count + 3))
    writer.append(content)
    writer.append(.sum8, from: start)
  }
}

/// A weight by one of QN's scales (opcode 10), in either of two layouts.
///
/// ```
/// // 10  0B  01     1CE8  01  01F5 01F3  …      classic
/// // 10  0E  FF 01  02  2639  01F5 01F3 01 34 9E  ES-26M and later
/// // OP  LN  PR     STATE, WEIGHT, R1, R2; most significant bytes first
/// ```
///
/// Source: openScale, QNHandler; KristianP26/ble-scale-sync (captured frame of an ES-26M).
package struct QNWeight: CharacteristicValue {
  /// The byte that says which protocol the scale speaks; requests repeat it.
  package var scaleProtocol: UInt8
  /// Whether the weight still changes: in the classic layout 1 is settled, in the long one 2.
  package var state: UInt8
  /// The weight in hundredths of a kilogram; by some scales of the classic layout in tenths.
  package var weight: UInt16
  /// The first resistance in ohms; 0 when it was not measured.
  package var resistance1: UInt16
  /// The second resistance in ohms; 0 when it was not measured.
  package var resistance2: UInt16
  /// The byte before the state, which only the long layout has; its meaning is not known.
  package var prefix: UInt8?
  /// What follows the second resistance.
  package var trailingBytes: [UInt8]

  /// Makes a weight; with a `prefix` in the long layout.
  package init(
    scaleProtocol: UInt8, state: UInt8, weight: UInt16, resistance1: UInt16, resistance2: UInt16,
    prefix: UInt8?, trailingBytes: [UInt8] = []
  ) {
    self.scaleProtocol = scaleProtocol
    self.state = state
    self.weight = weight
    self.resistance1 = resistance1
    self.resistance2 = resistance2
    self.prefix = prefix
    self.trailingBytes = trailingBytes
  }

  /// Reads a whole frame.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    try self.init(try QNFrame(from: &reader))
  }

  /// Takes the content of a frame.
  package init(_ frame: QNFrame) throws(PayloadError) {
    guard frame.opcode == .weight else {
      throw PayloadError(
        .reservedValue, field: "Opcode", offset: 0, message: "It is not that of a weight.")
    }
    do {
      var reader = PayloadReader(frame.content)
      scaleProtocol = try reader.uint8(field: "Protocol")
      // The classic frame has 11 bytes in all.
      if frame.content.count > 8 {
        prefix = try reader.uint8(field: "Prefix")
        state = try reader.uint8(field: "State")
        weight = try reader.bigEndianUInt16(field: "Weight")
      } else {
        weight = try reader.bigEndianUInt16(field: "Weight")
        state = try reader.uint8(field: "State")
      }
      resistance1 = try reader.bigEndianUInt16(field: "Resistance 1")
      resistance2 = try reader.bigEndianUInt16(field: "Resistance 2")
      trailingBytes = reader.remainingBytes()
    } catch {
      throw error.shifted(by: 2)
    }
  }

  /// Writes a whole frame.
  package func encode(to writer: inout PayloadWriter) {
    var content = PayloadWriter()
    content.uint8(scaleProtocol)
    if let prefix {
      content.append([prefix, state])
      content.bigEndianUInt16(weight)
    } else {
      content.bigEndianUInt16(weight)
      content.uint8(state)
    }
    content.bigEndianUInt16(resistance1)
    content.bigEndianUInt16(resistance2)
    content.append(trailingBytes)
    QNFrame(.weight, content.bytes).encode(to: &writer)
  }

  /// Whether the weight no longer changes.
  package var isSettled: Bool { state == (prefix == nil ? 1 : 2) }

  /// The weight in kilograms.
  ///
  /// - Parameter stepsPerKilogram: 100, or 10 where the scale's information says so.
  /// - Returns: Kilograms.
  package func kilograms(stepsPerKilogram: Int = 100) -> Double {
    Double(weight) / Double(stepsPerKilogram)
  }
}

extension PayloadError {
  /// The same error in the payload around.
  func shifted(by bytes: Int) -> PayloadError {
    PayloadError(code, field: field, offset: offset.map { $0 + bytes }, message: message)
  }
}
