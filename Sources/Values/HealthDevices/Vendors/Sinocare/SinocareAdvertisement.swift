// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// What a Sinocare scale broadcasts: manufacturer data of company FF64, without the identifier.
///
/// It does not say whether the weight has settled: the same one must come again and again.
///
/// ```
/// // …9 bytes…  581B  …5 bytes…  C7
/// //             WGHT              exclusive or of bytes 6...15
/// ```
///
/// Source: openScale, SinocareHandler.
package struct SinocareAdvertisement: CharacteristicValue {
  /// The identifier before the data.
  package static let company: UInt16 = 0xFF64

  /// Nine bytes before the weight.
  package var header: [UInt8]
  /// In hundredths of a kilogram.
  package var weight: UInt16
  /// Five bytes after the weight.
  package var filler: [UInt8]
  /// What follows the check.
  package var trailingBytes: [UInt8]

  /// Makes an advertisement.
  package init(weight: UInt16) {
    header = Array(repeating: 0, count: 9)
    self.weight = weight
    filler = Array(repeating: 0, count: 5)
    trailingBytes = []
  }

  /// Reads the data.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    header = try reader.bytes(9, field: "Header")
    weight = try reader.uint16(field: "Weight")
    filler = try reader.bytes(5, field: "Filler")
    try reader.verify(.exclusiveOr, from: 6)
    trailingBytes = reader.remainingBytes()
  }

  /// Writes the data.
  package func encode(to writer: inout PayloadWriter) {
    let start = writer.bytes.count
    writer.append(header)
    writer.uint16(weight)
    writer.append(filler)
    writer.append(.exclusiveOr, from: start + 6)
    writer.append(trailingBytes)
  }

  /// The weight in kilograms; nil when there is none.
  package var kilograms: Double? { weight == 0 ? nil : Double(weight) / 100 }
}
