// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A frame of the scale Koogeek S1 (service FFF0), in both directions.
///
/// ```
/// // 55AA55AA  03  07 01 00 00 030F 01D6  DE
/// // MARK      CM  CONTENT                exclusive or of all bytes before
/// ```
///
/// Source: KristianP26/ble-scale-sync (captured frames).
package struct KoogeekFrame: CharacteristicValue {
  /// What the frame is.
  package enum Command {
    /// The scale waits for an answer before it sends weights.
    package static let hello: UInt8 = 0x01
    /// A weight that still changes.
    package static let live: UInt8 = 0x02
    /// A weight that has settled.
    package static let settled: UInt8 = 0x03
    /// The scale waits for an answer that repeats a byte.
    package static let query: UInt8 = 0x07
  }

  /// What the frame is: one of `Command`, or another.
  package var command: UInt8
  /// What it holds.
  package var content: [UInt8]

  /// Makes a frame.
  package init(_ command: UInt8, _ content: [UInt8]) {
    self.command = command
    self.content = content
  }

  /// Reads a frame.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let mark = try reader.bigEndianUInt32(field: "Mark")
    guard mark == 0x55AA_55AA else {
      throw PayloadError(
        .reservedValue, field: "Mark", offset: 0, message: "No frame of this scale starts so.")
    }
    command = try reader.uint8(field: "Command")
    content = try reader.bytes(max(0, reader.remainingCount - 1), field: "Content")
    try reader.verify(.exclusiveOr)
  }

  /// Writes the frame.
  package func encode(to writer: inout PayloadWriter) {
    let start = writer.bytes.count
    writer.bigEndianUInt32(0x55AA_55AA)
    writer.uint8(command)
    writer.append(content)
    writer.append(.exclusiveOr, from: start)
  }

  /// The answer that the scale waits for; nil for a frame that wants none.
  package var answer: KoogeekFrame? {
    switch command {
    case Command.hello: KoogeekFrame(0x81, [0x01, 0x01])
    case Command.query where content.count >= 2: KoogeekFrame(0x87, [0x01, content[1]])
    default: nil
    }
  }
}

/// A settled weight of a Koogeek S1 (command 3).
package struct KoogeekMeasurement: CharacteristicValue {
  /// Four bytes before the weight; their meaning is not known.
  package var header: [UInt8]
  /// The weight in tenths of a kilogram.
  package var weight: UInt16
  /// The impedance in ohms; 0 when it was not measured, for instance through socks.
  package var impedance: UInt16

  /// Makes a measurement.
  package init(weight: UInt16, impedance: UInt16) {
    header = [0x07, 0x01, 0x00, 0x00]
    self.weight = weight
    self.impedance = impedance
  }

  /// Reads a whole frame.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    try self.init(try KoogeekFrame(from: &reader))
  }

  /// Takes the content of a frame.
  package init(_ frame: KoogeekFrame) throws(PayloadError) {
    guard frame.command == KoogeekFrame.Command.settled else {
      throw PayloadError(
        .reservedValue, field: "Command", offset: 4,
        message: "Only a settled weight is a measurement. Wait for it.")
    }
    do {
      var reader = PayloadReader(frame.content)
      header = try reader.bytes(4, field: "Header")
      weight = try reader.bigEndianUInt16(field: "Weight")
      impedance = try reader.bigEndianUInt16(field: "Impedance")
      try reader.finish()
    } catch {
      throw error.shifted(by: 5)
    }
  }

  /// Writes a whole frame.
  package func encode(to writer: inout PayloadWriter) {
    var content = PayloadWriter()
    content.append(header)
    content.bigEndianUInt16(weight)
    content.bigEndianUInt16(impedance)
    KoogeekFrame(KoogeekFrame.Command.settled, content.bytes).encode(to: &writer)
  }

  /// The weight in kilograms.
  package var kilograms: Double { Double(weight) / 10 }
  /// The impedance in ohms; nil when it was not measured.
  package var ohms: UInt16? { impedance == 0 ? nil : impedance }
}
