// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A frame of twenty bytes of the scales by ICOMON (Robi S9, Runstar R6 and others, service FFB0),
/// in both directions.
///
/// ```
/// // 03  08  00  A3  00 012DC2 00 0000 …  13
/// // SQ  LN  FR  TY  ST WEIGHT HR OHMS    sum of bytes 3...18, modulo 32
/// ```
///
/// Source: openScale, RobiS9Handler and RunstarR6Handler; KristianP26/ble-scale-sync (captured
/// frames). The checksum holds for all captured frames.
package struct ICOMONFrame: CharacteristicValue {
  static let contentCount = 16

  /// Counts the frames.
  package var sequence: UInt8
  /// The number of bytes from the type on that mean something.
  package var length: UInt8
  /// The part of a longer message; 0 for a message that fits.
  package var fragment: UInt8
  /// Sixteen bytes from the type on, filled up with zeros.
  package var content: [UInt8]

  /// Makes a frame of a type and what follows it; at most 15 bytes fit.
  package init(sequence: UInt8, type: UInt8, _ parameters: [UInt8]) {
    self.sequence = sequence
    fragment = 0
    content = Array(([type] + parameters).prefix(Self.contentCount))
    length = UInt8(truncatingIfNeeded: content.count)
    content += Array(repeating: 0, count: Self.contentCount - content.count)
  }

  /// Reads a frame.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    sequence = try reader.uint8(field: "Sequence")
    length = try reader.uint8(field: "Length")
    fragment = try reader.uint8(field: "Fragment")
    content = try reader.bytes(Self.contentCount, field: "Content")
    let offset = reader.offset
    let sent = try reader.uint8(field: "Checksum")
    guard sent == checksum else {
      throw PayloadError(
        .checksumMismatch, field: "Checksum", offset: offset,
        message: "The frame was damaged on its way. Wait for the next one.")
    }
  }

  /// Writes the frame.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint8(sequence)
    writer.uint8(length)
    writer.uint8(fragment)
    writer.append(content)
    writer.uint8(checksum)
  }

  private var checksum: UInt8 { Checksum.sum8.value(of: content) & 0x1F }

  /// What the frame is: A0 acknowledgement, A1 information, A2 live weight, A3 result, A4 stored
  /// measurement.
  package var type: UInt8 { content[0] }

  /// The acknowledgement that a result and a stored measurement wait for.
  package func acknowledgement(sequence: UInt8) -> ICOMONFrame {
    ICOMONFrame(sequence: sequence, type: 0xB0, [self.sequence, 0])
  }
}

extension ICOMONFrame {
  /// Whether a live weight no longer changes, or the frame is a result.
  package var isSettled: Bool { type == 0xA3 || type == 0xA2 && content[1] == 4 }

  /// The weight of a live weight, a result or a stored measurement, in kilograms; nil for other
  /// frames, for parts of longer messages and for an empty scale.
  package var kilograms: Double? {
    let offsets: [UInt8: Int] = [0xA2: 3, 0xA3: 2, 0xA4: 6]
    guard fragment == 0, let offset = offsets[type] else { return nil }
    let grams = content[offset...offset + 2].reduce(0) { $0 << 8 | Int($1) }
    return grams == 0 ? nil : Double(grams) / 1000
  }

  /// The heart rate of a result in beats per minute; nil when it was not measured.
  package var heartRate: UInt8? { type == 0xA3 && content[5] != 0 ? content[5] : nil }

  /// The impedance of a result in ohms; nil when it was not measured.
  package var ohms: Int? {
    let word = Int(content[6]) << 8 | Int(content[7])
    return type == 0xA3 && word != 0 ? word : nil
  }

  /// When a stored measurement was made: seconds since 1970 on the scale's clock.
  package var storedSeconds: UInt32? {
    type == 0xA4 ? content[1...4].reduce(0) { $0 << 8 | UInt32($1) } : nil
  }
}
