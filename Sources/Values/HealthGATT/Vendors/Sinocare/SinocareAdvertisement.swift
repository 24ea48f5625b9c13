// SPDX-License-Identifier: Apache-2.0

/// What a Sinocare scale broadcasts: manufacturer data of company FF64, without the identifier.
///
/// It does not say whether the weight has settled: the same one must come again and again.
///
/// ```
/// // …9 octets…  581B  …5 octets…  C7
/// //             WGHT              exclusive or of octets 6...15
/// ```
///
/// Source: openScale, SinocareHandler.
package struct SinocareAdvertisement: CharacteristicValue {
  /// The identifier before the data.
  package static let company: UInt16 = 0xFF64

  /// Nine octets before the weight.
  package var header: [UInt8]
  /// In hundredths of a kilogram.
  package var weight: UInt16
  /// Five octets after the weight.
  package var filler: [UInt8]
  /// What follows the check.
  package var trailingOctets: [UInt8]

  /// Makes an advertisement.
  package init(weight: UInt16) {
    header = Array(repeating: 0, count: 9)
    self.weight = weight
    filler = Array(repeating: 0, count: 5)
    trailingOctets = []
  }

  /// Reads the data.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    header = try reader.octets(9, field: "Header")
    weight = try reader.uint16(field: "Weight")
    filler = try reader.octets(5, field: "Filler")
    try reader.verify(.exclusiveOr, from: 6)
    trailingOctets = reader.remainingOctets()
  }

  /// Writes the data.
  package func encode(to writer: inout PayloadWriter) {
    let start = writer.octets.count
    writer.append(header)
    writer.uint16(weight)
    writer.append(filler)
    writer.append(.exclusiveOr, from: start + 6)
    writer.append(trailingOctets)
  }

  /// The weight in kilograms; nil when there is none.
  package var kilograms: Double? { weight == 0 ? nil : Double(weight) / 100 }
}
