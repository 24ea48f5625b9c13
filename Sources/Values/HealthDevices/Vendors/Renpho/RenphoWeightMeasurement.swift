// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// What a Renpho ES-WBE28 sends as Weight Measurement (2A9D): ten times the steps of the
/// specification.
///
/// Read by the specification, 94.9 kg would be 9.49 kg. Flags has reserved bits set, and what
/// follows the user is not laid out as announced; it is kept as sent.
///
/// ```
/// // 4E  6A07  EA07 07 04 0C 1A 06  AA  00000000
/// // FL  WGHT  YEAR MO DA HH MM SS  US  …
/// ```
///
/// Source: KristianP26/ble-scale-sync (captured frame); openScale, RenphoHandler.
package struct RenphoWeightMeasurement: CharacteristicValue {
  /// Bit 0 pounds, 1 time stamp, 2 user; the others as sent.
  package let flags: UInt8
  /// The weight in steps of 0.05 kg or 0.1 lb.
  package var weight: UInt16
  /// The time on the scale's clock.
  package let timestamp: Timestamp?
  /// The user on the scale.
  package let userID: UserID?
  /// What follows.
  package var trailingBytes: [UInt8]

  /// Makes a measurement in kilograms.
  package init(weight: UInt16, timestamp: Timestamp?, userID: UserID?) {
    flags = (timestamp == nil ? 0 : 0x02) | (userID == nil ? 0 : 0x04)
    self.weight = weight
    self.timestamp = timestamp
    self.userID = userID
    trailingBytes = []
  }

  /// Reads the payload.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    flags = try reader.uint8(field: "Flags")
    weight = try reader.uint16(field: "Weight")
    timestamp = flags & 0x02 == 0 ? nil : try reader.timestamp(field: "Time Stamp")
    userID = flags & 0x04 == 0 ? nil : UserID(rawValue: try reader.uint8(field: "User ID"))
    trailingBytes = reader.remainingBytes()
  }

  /// Writes the payload.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint8(flags)
    writer.uint16(weight)
    if let timestamp { writer.timestamp(timestamp) }
    if let userID { writer.uint8(userID.rawValue) }
    writer.append(trailingBytes)
  }

  /// Whether the weight is in pounds.
  package var isInPounds: Bool { flags & 0x01 != 0 }
  /// The weight in kilograms or pounds, as sent.
  package var value: Double { isInPounds ? Double(weight) / 10 : Double(weight) / 20 }

  /// The weight in kilograms; a pound is 0.45359237 kg.
  package var kilograms: Double {
    isInPounds ? Double(weight) * 45_359_237 / 1_000_000_000 : value
  }
}
