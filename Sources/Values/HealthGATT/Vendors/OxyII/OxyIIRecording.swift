// SPDX-License-Identifier: Apache-2.0

/// A stored session of an O2Ring-S: a file of format A, with a sample each second.
///
/// ```
/// // 01030000000000000400  61 48 00  5F 47 01  ...  48 octets
/// // HEADER                S  P  FL  S  P  FL       TRAILER
/// ```
///
/// The ring writes the trailer when the session is over. It may tell a file's whole size before, so
/// only the trailer's mark 48 12 5A DA says that the file is complete. The file holds no time: its
/// name is the start, YYYYMMDDhhmmss on the ring's clock.
///
/// Source: nglessner/o2ring-s-protocol.
package struct OxyIIRecording: CharacteristicValue {
  /// One sample.
  package struct Sample: Hashable, Sendable {
    /// The saturation in percent; 0 when invalid.
    package let saturation: UInt8
    /// The pulse rate as sent: 255 when the ring was not worn, 0 when invalid.
    package let pulseRateOctet: UInt8
    /// What made the sample doubtful; 0 when nothing did.
    package let flags: UInt8

    package init(saturation: UInt8, pulseRate: UInt8?, flags: UInt8 = 0) {
      self.saturation = saturation
      pulseRateOctet = pulseRate ?? 255
      self.flags = flags
    }

    /// The pulse rate in beats per minute; nil when the ring was not worn.
    package var pulseRate: Int? { pulseRateOctet == 255 ? nil : Int(pulseRateOctet) }
  }

  /// The 48 octets at the end of a complete file.
  package struct Trailer: Hashable, Sendable {
    /// The octets as sent.
    package let octets: [UInt8]

    fileprivate init?(_ octets: ArraySlice<UInt8>) {
      guard octets.count == Self.count, Array(octets.dropFirst(4).prefix(4)) == Self.mark else {
        return nil
      }
      self.octets = Array(octets)
    }

    package init(
      averageSaturation: UInt8, lowestSaturation: UInt8, averagePulseRate: UInt8,
      dropsOfThree: UInt8 = 0, dropsOfFour: UInt8 = 0
    ) {
      var octets = [UInt8](repeating: 0, count: Self.count)
      octets.replaceSubrange(4..<8, with: Self.mark)
      octets.replaceSubrange(16..<19, with: [1, 1, 3])
      octets[34] = averageSaturation
      octets[35] = lowestSaturation
      octets[36] = dropsOfThree
      octets[37] = dropsOfFour
      octets[42] = 0xFF
      octets[47] = averagePulseRate
      self.octets = octets
    }

    /// The average saturation in percent.
    package var averageSaturation: Int { Int(octets[34]) }
    /// The lowest saturation in percent.
    package var lowestSaturation: Int { Int(octets[35]) }
    /// How often the saturation fell by 3 percent points or more.
    package var dropsOfThree: Int { Int(octets[36]) }
    /// How often the saturation fell by 4 percent points or more.
    package var dropsOfFour: Int { Int(octets[37]) }
    /// How many seconds the saturation was below 90 %.
    package var secondsBelow90: Int { Int(octets[39]) + Int(octets[40]) << 8 }
    /// How often the saturation fell below 90 %.
    package var eventsBelow90: Int { Int(octets[41]) }
    /// The maker's score, 0...10; nil when the session was too short for one.
    package var score: Double? { octets[42] == 0xFF ? nil : Double(octets[42]) / 10 }
    /// The average pulse rate in beats per minute.
    package var averagePulseRate: Int { Int(octets[47]) }

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
    for octet in Self.header {
      let offset = reader.offset
      guard try reader.uint8(field: "Header") == octet else {
        throw PayloadError(
          .reservedValue, field: "Header", offset: offset,
          message: "Only format A is known. Keep the file on the device.")
      }
    }
    let start = reader.offset
    let body = reader.remainingOctets()
    trailer = Trailer(body.suffix(Trailer.count))
    let octets = body.dropLast(trailer == nil ? 0 : Trailer.count)
    guard octets.count.isMultiple(of: 3) else {
      throw PayloadError(
        .truncated, field: "Sample", offset: start + octets.count / 3 * 3,
        message: "A sample has 3 octets. A part of the file is missing: read it again.")
    }
    samples = stride(from: 0, to: octets.count, by: 3).map {
      Sample(
        saturation: octets[$0], pulseRate: octets[$0 + 1] == 255 ? nil : octets[$0 + 1],
        flags: octets[$0 + 2])
    }
  }

  package func encode(to writer: inout PayloadWriter) {
    writer.append(Self.header)
    for sample in samples {
      writer.append([sample.saturation, sample.pulseRateOctet, sample.flags])
    }
    writer.append(trailer?.octets ?? [])
  }

  /// What every file of this format starts with.
  package static let header: [UInt8] = [0x01, 0x03, 0, 0, 0, 0, 0, 0, 0x04, 0x00]
}
