// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// How a scale with a chip by Chipsea writes a weight: two bytes and a property of units and steps.
///
/// Source: openScale, OkOkHandler.
package struct OKOKWeight: Hashable, Sendable {
  /// The unit that the scale shows.
  package enum Unit: UInt8, Sendable {
    case kilogram, catty, pound
    /// One byte of stones, one of pounds.
    case stone
  }

  /// The two bytes, the most significant one first.
  package var word: UInt16
  /// Bits 1...2 the steps, 3...4 the unit.
  package var properties: UInt8

  /// The unit that the scale shows.
  package var unit: Unit { Unit(rawValue: properties >> 3 & 0x3) ?? .kilogram }

  /// Steps to a unit.
  private var divisor: Double {
    switch properties >> 1 & 0x3 {
    case 1: 1
    case 2: 100
    default: 10
    }
  }

  /// The weight in kilograms; a pound is 0.45359237 kg, a stone 14 pounds, a catty half a kilogram.
  package var kilograms: Double {
    switch unit {
    case .kilogram: Double(word) / divisor
    case .catty: Double(word) / (2 * divisor)
    case .pound: Double(word) * 0.453_592_37 / divisor
    case .stone: (Double(word >> 8) * 14 + Double(word & 0xFF) / divisor) * 0.453_592_37
    }
  }
}

/// What the scales of the OKOK app broadcast with company 20CA (version 2.0), without the
/// identifier.
///
/// ```
/// // …6 bytes…  05  00  1E28  1388  35  …6 bytes…
/// //             FL      WGHT  OHMS  exclusive or of 20 and all bytes before
/// ```
///
/// Source: openScale, OkOkHandler.
package struct OKOKAdvertisementV20: CharacteristicValue {
  /// The identifier before the data.
  package static let company: UInt16 = 0x20CA

  /// Six bytes before the flags.
  package var header: [UInt8]
  /// Bit 0: the weight has settled; bit 2: it is in hundredths of a kilogram, not in tenths.
  package var flags: UInt8
  /// A byte whose meaning is not known.
  package var filler: UInt8
  /// The weight.
  package var weight: UInt16
  /// The impedance in tenths of an ohm; 0 when it was not measured.
  package var impedance: UInt16
  /// Six bytes after the check.
  package var trailer: [UInt8]

  /// Makes an advertisement in hundredths of a kilogram.
  package init(weight: UInt16, tenthsOfOhm: UInt16?, isSettled: Bool) {
    header = Array(repeating: 0, count: 6)
    flags = isSettled ? 5 : 4
    filler = 0
    self.weight = weight
    impedance = tenthsOfOhm ?? 0
    trailer = Array(repeating: 0, count: 6)
  }

  /// Reads nineteen bytes.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    header = try reader.bytes(6, field: "Header")
    flags = try reader.uint8(field: "Flags")
    filler = try reader.uint8(field: "Filler")
    weight = try reader.bigEndianUInt16(field: "Weight")
    impedance = try reader.bigEndianUInt16(field: "Impedance")
    let offset = reader.offset
    let sent = try reader.uint8(field: "Checksum")
    trailer = try reader.bytes(6, field: "Trailer")
    guard sent == check else {
      throw PayloadError(
        .checksumMismatch, field: "Checksum", offset: offset,
        message: "The advertisement was damaged on its way. Wait for the next one.")
    }
  }

  /// Writes nineteen bytes.
  package func encode(to writer: inout PayloadWriter) {
    writer.append(covered)
    writer.uint8(check)
    writer.append(trailer)
  }

  private var check: UInt8 { Checksum.exclusiveOr.value(of: covered) ^ 0x20 }

  private var covered: [UInt8] {
    var writer = PayloadWriter()
    writer.append(header)
    writer.uint8(flags)
    writer.uint8(filler)
    writer.bigEndianUInt16(weight)
    writer.bigEndianUInt16(impedance)
    return writer.bytes
  }

  /// Whether this is a settled weight.
  package var isMeasurement: Bool { flags & 0x01 != 0 && weight > 0 }
  /// The weight in kilograms.
  package var kilograms: Double { Double(weight) / (flags & 0x04 == 0 ? 10 : 100) }
  /// The impedance in ohms; nil when it was not measured.
  package var ohms: Double? { impedance == 0 ? nil : Double(impedance) / 10 }
}

/// What nameless scales of the OKOK app broadcast with a company whose low byte is C0, without the
/// identifier.
///
/// ```
/// // 1E28  …4 bytes…  25  …
/// // WGHT              PR
/// ```
///
/// Source: openScale, OkOkHandler.
package struct OKOKAdvertisementC0: CharacteristicValue {
  /// The weight and its unit; bit 0 of the properties: it has settled.
  package var weight: OKOKWeight
  /// Four bytes between weight and properties.
  package var filler: [UInt8]
  /// What follows: at least six bytes, among them the address.
  package var trailer: [UInt8]

  /// Makes an advertisement in hundredths of a kilogram.
  package init(weight: UInt16, isSettled: Bool) {
    self.weight = OKOKWeight(word: weight, properties: isSettled ? 0x05 : 0x04)
    filler = [0, 0, 0, 0]
    trailer = [0, 0, 0, 0, 0, 0]
  }

  /// Reads the data.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let word = try reader.bigEndianUInt16(field: "Weight")
    filler = try reader.bytes(4, field: "Filler")
    weight = OKOKWeight(word: word, properties: try reader.uint8(field: "Properties"))
    trailer = try reader.bytes(max(6, reader.remainingCount), field: "Trailer")
  }

  /// Writes the data.
  package func encode(to writer: inout PayloadWriter) {
    writer.bigEndianUInt16(weight.word)
    writer.append(filler)
    writer.uint8(weight.properties)
    writer.append(trailer)
  }

  /// Whether the weight no longer changes.
  package var isSettled: Bool { weight.properties & 0x01 != 0 }
  /// Whether this is a settled weight.
  package var isMeasurement: Bool { isSettled && weight.word > 0 }
}
