// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A stored session of an O2Ring-S: a file of format A, with a sample each second.
///
/// ```
/// // 01030000000000000400  61 48 00  5F 47 01  ...  48 bytes
/// // HEADER                S  P  FL  S  P  FL       TRAILER
/// ```
///
/// The ring writes the trailer when the session is over. It may report the whole size before that,
/// so only the trailer's mark 48 12 5A DA says that the file is complete. The file holds no time: its
/// name is the start, YYYYMMDDhhmmss on the ring's clock.
///
/// Source: nglessner/o2ring-s-protocol.
package struct OxyIIRecording: CharacteristicValue {
  /// One sample.
  package struct Sample: Hashable, Sendable {
    /// The saturation in percent; 0 when invalid.
    package let saturation: UInt8
    /// The pulse rate as sent: 255 when the ring was not worn, 0 when invalid.
    package let pulseRateByte: UInt8
    /// What made the sample doubtful; 0 when nothing did.
    package let flags: UInt8

    package init(saturation: UInt8, pulseRate: UInt8?, flags: UInt8 = 0) {
      self.saturation = saturation
      pulseRateByte = pulseRate ?? 255
      self.flags = flags
    }

    /// The pulse rate in beats per minute; nil when the ring was not worn.
    package var pulseRate: Int? { pulseRateByte == 255 ? nil : Int(pulseRateByte) }
  }

  /// The 48 bytes at the end of a complete file.
  package struct Trailer: Hashable, Sendable {
    /// The bytes as sent.
    package let bytes: [UInt8]

    fileprivate init?(_ bytes: ArraySlice<UInt8>) {
      guard bytes.count == Self.count, Array(bytes.dropFirst(4).prefix(4)) == Self.mark else {
        return nil
      }
      self.bytes = Array(bytes)
    }

    package init(
      averageSaturation: UInt8, lowestSaturation: UInt8, averagePulseRate: UInt8,
      dropsOfThree: UInt8 = 0, dropsOfFour: UInt8 = 0
    ) {
      var bytes = [UInt8](repeating: 0, count: Self.count)
      bytes.replaceSubrange(4..<8, with: Self.mark)
      bytes.replaceSubrange(16..<19, with: [1, 1, 3])
      bytes[34] = averageSaturation
      bytes[35] = lowestSaturation
      bytes[36] = dropsOfThree
      bytes[37] = dropsOfFour
      bytes[42] = 0xFF
      bytes[47] = averagePulseRate
      self.bytes = bytes
    }

    /// The average saturation in percent.
    package var averageSaturation: Int { Int(bytes[34]) }
    /// The lowest saturation in percent.
    package var lowestSaturation: Int { Int(bytes[35]) }
    /// How often the saturation fell by 3 percent points or more.
    package var dropsOfThree: Int { Int(bytes[36]) }
    /// How often the saturation fell by 4 percent points or more.
    package var dropsOfFour: Int { Int(bytes[37]) }
    /// How many seconds the saturation was below 90 %.
    package var secondsBelow90: Int { Int(bytes[39]) + Int(bytes[40]) << 8 }
    /// How often the saturation fell below 90 %.
    package var eventsBelow90: Int { Int(bytes[41]) }
    /// The manufacturer's score, 0...10; nil when the session was too short for one.
    package var score: Double? { bytes[42] == 0xFF ? nil : Double(bytes[42]) / 10 }
    /// The average pulse rate in beats per minute.
    package var averagePulseRate: Int { Int(bytes[47]) }

    fileprivate static let count = 48
    private static let mark: [UInt8] = [0x48, 0x12, 0x5A, 0xDA]
  }

  /// The samples, one a second, oldest first.
  package let samples: [Sample]
  /// What the ring computed over the session; nil while it is not over.
  package let trailer: Trailer?

  package init(samples: [Sample], trailer: Trailer?) {
    self.samples = samples
    self.trailer = trailer
  }

  package init(from reader: inout PayloadReader) throws(PayloadError) {
    for byte in Self.header {
      let offset = reader.offset
      guard try reader.uint8(field: "Header") == byte else {
        throw PayloadError(
          .reservedValue, field: "Header", offset: offset,
          message: "Only format A is known. Keep the file on the device.")
      }
    }
    let start = reader.offset
    let body = reader.remainingBytes()
    trailer = Trailer(body.suffix(Trailer.count))
    let bytes = body.dropLast(trailer == nil ? 0 : Trailer.count)
    guard bytes.count.isMultiple(of: 3) else {
      throw PayloadError(
        .truncated, field: "Sample", offset: start + bytes.count / 3 * 3,
        message: "A sample has 3 bytes. A part of the file is missing: read it again.")
    }
    samples = stride(from: 0, to: bytes.count, by: 3).map {
      Sample(
        saturation: bytes[$0], pulseRate: bytes[$0 + 1] == 255 ? nil : bytes[$0 + 1],
        flags: bytes[$0 + 2])
    }
  }

  package func encode(to writer: inout PayloadWriter) {
    writer.append(Self.header)
    for sample in samples {
      writer.append([sample.saturation, sample.pulseRateByte, sample.flags])
    }
    writer.append(trailer?.bytes ?? [])
  }

  /// What every file of this format starts with.
  package static let header: [UInt8] = [0x01, 0x03, 0, 0, 0, 0, 0, 0, 0x04, 0x00]
}
