// SPDX-License-Identifier: Apache-2.0

package import HealthGATT
import HealthRecords

/// A weight of the scale Pyle PHLSCBT4, which advertises as "Samico Scales" (service FFF0,
/// characteristic FFF4).
///
/// ```
/// // CB  00  0311  …
/// // ST  UN  WGHT, most significant byte first
/// ```
///
/// Source: a public Python script for the scale; no capture is known.
package struct SamicoWeight: CharacteristicValue {
  /// The unit that the scale shows: the lower half of the second byte.
  package enum Unit: UInt8, Sendable {
    case kilogram, pound, stone
  }

  /// CA while the weight changes, CB when it has settled.
  package var state: UInt8
  /// The second byte, as sent.
  package var flags: UInt8
  /// In tenths of the unit.
  package var weight: UInt16
  /// What follows.
  package var trailingBytes: [UInt8]

  /// Makes a weight.
  package init(tenthsOfKilogram: UInt16, isSettled: Bool) {
    state = isSettled ? 0xCB : 0xCA
    flags = 0
    weight = tenthsOfKilogram
    trailingBytes = []
  }

  /// Reads the payload.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    state = try reader.uint8(field: "State")
    guard state == 0xCA || state == 0xCB else {
      throw PayloadError(
        .reservedValue, field: "State", offset: 0, message: "It is not that of a weight.")
    }
    flags = try reader.uint8(field: "Unit")
    guard Unit(rawValue: flags & 0x0F) != nil else {
      throw PayloadError(
        .reservedValue, field: "Unit", offset: 1, message: "It is none of the three known ones.")
    }
    weight = try reader.bigEndianUInt16(field: "Weight")
    trailingBytes = reader.remainingBytes()
  }

  /// Writes the payload.
  package func encode(to writer: inout PayloadWriter) {
    writer.append([state, flags])
    writer.bigEndianUInt16(weight)
    writer.append(trailingBytes)
  }

  /// The unit that the scale shows.
  package var unit: Unit { Unit(rawValue: flags & 0x0F) ?? .kilogram }
  /// Whether the weight no longer changes.
  package var isSettled: Bool { state == 0xCB }
  /// The weight in the unit that the scale shows.
  package var value: Double { Double(weight) / 10 }

  /// The weight as the scale shows it.
  var shown: ShownValue? {
    let units: [Unit: MassUnit] = [.kilogram: .kilograms, .pound: .pounds, .stone: .stones]
    return units[unit].flatMap { ShownValue(steps: weight, exponent: -1, $0) }
  }

  /// The weight in kilograms; a pound is 0.45359237 kg, a stone 14 pounds.
  package var kilograms: Double {
    switch unit {
    case .kilogram: value
    case .pound: Double(weight) * 45_359_237 / 1_000_000_000
    case .stone: Double(weight) * 14 * 45_359_237 / 1_000_000_000
    }
  }
}
