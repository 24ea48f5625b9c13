// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// Object 6E16: what a Xiaomi Body Composition Scale S400 broadcasts, decrypted.
///
/// A weighing comes in two objects: the first has weight, heart rate and an impedance, the second
/// an impedance at another frequency only. Independent decoders disagree on which of the two
/// frequencies is which, so neither is named here.
///
/// ```
/// // 166E  09  01  EB050000      00000000
/// // OBJ   LN  ID  WEIGHT HR IMP  …
/// ```
///
/// Source: Bluetooth-Devices/xiaomi-ble, obj6e16; openScale, S400Decryptor.
package struct XiaomiS400Measurement: CharacteristicValue {
  static let objectID: UInt16 = 0x6E16

  /// The number of the person on the scale's own list.
  package var profileID: UInt8
  /// Weight in tenths of a kilogram (bits 0...10), heart rate (11...17), impedance (18...31).
  package var word: UInt32
  /// What follows; its meaning is not known.
  package var trailingBytes: [UInt8]

  /// Makes the first object of a weighing.
  package init(
    profileID: UInt8, tenthsOfKilogram: UInt16, heartRate: UInt8?, tenthsOfOhm: UInt16?
  ) {
    self.profileID = profileID
    let rate = UInt32(heartRate.map { $0 &- 50 } ?? 0) & 0x7F
    word =
      UInt32(tenthsOfKilogram) & 0x7FF | rate << 11 | (UInt32(tenthsOfOhm ?? 0) & 0x3FFF) << 18
    trailingBytes = [0, 0, 0, 0]
  }

  /// Reads identifier, length and value of the object.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let object = try reader.uint16(field: "Object ID")
    guard object == Self.objectID else {
      throw PayloadError(
        .reservedValue, field: "Object ID", offset: 0,
        message: "It is not that of an S400's measurement. Ignore the object.")
    }
    let length = try reader.uint8(field: "Object Length")
    guard length >= 9 else {
      throw PayloadError(
        .outOfRange, field: "Object Length", offset: 2, message: "A measurement has 9 bytes.")
    }
    profileID = try reader.uint8(field: "Profile ID")
    word = try reader.uint32(field: "Measurement")
    trailingBytes = try reader.bytes(Int(length) - 5, field: "Trailer")
  }

  /// Writes identifier, length and value.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint16(Self.objectID)
    writer.uint8(UInt8(truncatingIfNeeded: 5 + trailingBytes.count))
    writer.uint8(profileID)
    writer.uint32(word)
    writer.append(trailingBytes)
  }

  /// The weight; nil in the second object and when the person has left the scale.
  package var kilograms: Double? { word & 0x7FF == 0 ? nil : Double(word & 0x7FF) / 10 }

  /// The heart rate in beats per minute; nil when it was not measured.
  package var heartRate: Int? {
    let rate = Int(word >> 11 & 0x7F)
    return (1...126).contains(rate) ? rate + 50 : nil
  }

  /// The impedance; nil when it was not measured, for instance through socks.
  package var ohms: Double? { word >> 18 == 0 ? nil : Double(word >> 18) / 10 }
}
