// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// What QN's scales without a connection broadcast: manufacturer data of company FFFF that starts
/// with AABB; the company's identifier is not part of it.
///
/// ```
/// // AABB  …13 bytes…  20  00  2639     …
/// // MARK               FL      WEIGHT, least significant byte first
/// ```
///
/// Source: openScale, QNHandlerBroadcast; KristianP26/ble-scale-sync.
package struct QNAdvertisement: CharacteristicValue {
  /// The identifier before the data, which is assigned to no company.
  package static let company: UInt16 = 0xFFFF

  /// What stands between the mark and the flags.
  package var header: [UInt8]
  /// Bit 5: the weight has settled; the others as sent.
  package var flags: UInt8
  /// The byte between flags and weight.
  package var filler: UInt8
  /// The weight in hundredths of a kilogram.
  package var weight: UInt16
  /// What follows the weight.
  package var trailingBytes: [UInt8]

  /// Makes an advertisement.
  package init(isSettled: Bool, weight: UInt16, header: [UInt8] = Array(repeating: 0, count: 13)) {
    self.header = header
    flags = isSettled ? 0x20 : 0
    filler = 0
    self.weight = weight
    trailingBytes = [0, 0, 0, 0]
  }

  /// Reads the data.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let mark = try reader.bigEndianUInt16(field: "Mark")
    guard mark == 0xAABB else {
      throw PayloadError(
        .reservedValue, field: "Mark", offset: 0, message: "It is not that of these scales.")
    }
    header = try reader.bytes(13, field: "Header")
    flags = try reader.uint8(field: "Flags")
    filler = try reader.uint8(field: "Filler")
    weight = try reader.uint16(field: "Weight")
    trailingBytes = reader.remainingBytes()
  }

  /// Writes the data.
  package func encode(to writer: inout PayloadWriter) {
    writer.bigEndianUInt16(0xAABB)
    writer.append(header)
    writer.uint8(flags)
    writer.uint8(filler)
    writer.uint16(weight)
    writer.append(trailingBytes)
  }

  /// Whether the weight no longer changes.
  package var isSettled: Bool { flags & 0x20 != 0 }
  /// Whether this is a settled weight.
  package var isMeasurement: Bool { isSettled && weight > 0 }
  /// The weight in kilograms.
  package var kilograms: Double { Double(weight) / 100 }
}
