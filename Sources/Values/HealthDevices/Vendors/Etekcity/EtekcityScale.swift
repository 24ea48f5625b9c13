// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// What an Etekcity Fit 8S broadcasts: manufacturer data of company 06D0, without the identifier.
///
/// ```
/// // 01 A1B2C3D4E5F6 000000  A63001  F401  01  00  000000
/// // …  ADDRESS              GRAMS   OHMS  ST  UN
/// ```
///
/// Source: openScale, EtekcityFit8SHandler; ronnnnnnnnnnnnn/etekcity_esf551_ble.
package struct EtekcityAdvertisement: CharacteristicValue {
  /// The identifier before the data.
  package static let company: UInt16 = 0x06D0

  /// Ten bytes before the weight, as sent: among them the address.
  package var header: [UInt8]
  /// The weight in grams.
  package var grams: UInt32
  /// The impedance in ohms; 0 when it was not measured.
  package var impedance: UInt16
  /// 1 when the weight no longer changes.
  package var state: UInt8
  /// The unit that the scale shows, and three bytes whose meaning is not known.
  package var trailer: [UInt8]

  /// Makes an advertisement.
  package init(grams: UInt32, ohms: UInt16?, isSettled: Bool) {
    header = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    self.grams = min(grams, 0xFF_FFFF)
    impedance = ohms ?? 0
    state = isSettled ? 1 : 0
    trailer = [0, 0, 0, 0]
  }

  /// Reads twenty bytes.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    header = try reader.bytes(10, field: "Header")
    grams = try reader.uint24(field: "Weight")
    impedance = try reader.uint16(field: "Impedance")
    state = try reader.uint8(field: "State")
    trailer = try reader.bytes(4, field: "Trailer")
  }

  /// Writes twenty bytes.
  package func encode(to writer: inout PayloadWriter) {
    writer.append(header)
    writer.uint24(grams)
    writer.uint16(impedance)
    writer.uint8(state)
    writer.append(trailer)
  }

  /// Whether this is a settled weight.
  package var isMeasurement: Bool { state == 1 && grams > 0 }
  /// The weight in kilograms.
  package var kilograms: Double { Double(grams) / 1000 }
  /// The impedance in ohms; nil when it was not measured.
  package var ohms: UInt16? { impedance == 0 ? nil : impedance }
}

/// A weight of an Etekcity ESF-551 (service FFF0, characteristic FFF1).
///
/// ```
/// // A502 1B 1000 3A 0161A100  A63001 F401  0000000000  01  00
/// // MARK …       …            GRAMS  OHMS              ST  UN
/// ```
///
/// Source: openScale, EtekcityESF551Handler; ronnnnnnnnnnnnn/etekcity_esf551_ble.
package struct EtekcityWeight: CharacteristicValue {
  /// Ten bytes before the weight.
  package var header: [UInt8]
  /// The weight in grams.
  package var grams: UInt32
  /// The impedance in ohms; 0 when it was not measured.
  package var impedance: UInt16
  /// Five bytes whose meaning is not known.
  package var filler: [UInt8]
  /// 1 when the weight no longer changes.
  package var state: UInt8
  /// The unit that the scale shows.
  package var unit: UInt8

  /// Makes a weight.
  package init(grams: UInt32, ohms: UInt16?, isSettled: Bool) {
    header = [0xA5, 0x02, 0x00, 0x10, 0x00, 0x00, 0x01, 0x61, 0xA1, 0x00]
    self.grams = min(grams, 0xFF_FFFF)
    impedance = ohms ?? 0
    filler = [0, 0, 0, 0, 0]
    state = isSettled ? 1 : 0
    unit = 0
  }

  /// Reads a whole frame of 22 bytes.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let header = try reader.bytes(10, field: "Header")
    let fixed: [Int: UInt8] = [
      0: 0xA5, 1: 0x02, 3: 0x10, 4: 0x00, 6: 0x01, 7: 0x61, 8: 0xA1, 9: 0x00,
    ]
    if let wrong = fixed.filter({ header[$0.key] != $0.value }).keys.min() {
      throw PayloadError(
        .reservedValue, field: "Header", offset: wrong, message: "It is not that of a weight.")
    }
    self.header = header
    grams = try reader.uint24(field: "Weight")
    impedance = try reader.uint16(field: "Impedance")
    filler = try reader.bytes(5, field: "Filler")
    state = try reader.uint8(field: "State")
    unit = try reader.uint8(field: "Unit")
  }

  /// Writes a whole frame.
  package func encode(to writer: inout PayloadWriter) {
    writer.append(header)
    writer.uint24(grams)
    writer.uint16(impedance)
    writer.append(filler)
    writer.uint8(state)
    writer.uint8(unit)
  }

  /// Whether this is a settled weight.
  package var isMeasurement: Bool { state == 1 && grams > 0 }
  /// The weight in kilograms.
  package var kilograms: Double { Double(grams) / 1000 }
  /// The impedance in ohms; nil when it was not measured.
  package var ohms: UInt16? { impedance == 0 ? nil : impedance }
}
