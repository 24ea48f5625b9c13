// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// What a Xiaomi Mi Smart Scale (`MI_SCALE`) broadcasts: service data of Weight Scale (181D).
///
/// Only a settled weight is a measurement: see `isMeasurement`. The same one is broadcast for
/// seconds.
///
/// ```
/// // 22  5C1C  E507 04 0B 10 13 01
/// // FL  WGHT  YEAR MO DA HH MM SS
/// ```
///
/// Source: Bluetooth-Devices/xiaomi-ble, parser.py; openScale, MiScaleHandler.
package struct MiScaleAdvertisement: CharacteristicValue {
  /// Bit 0 pounds, 4 catty, 5 settled, 7 the person has left the scale; the others as sent.
  package var flags: UInt8
  /// The weight in steps of `unit`.
  package var weight: UInt16
  /// The time on the scale's clock; 1970 or 2015 when it was never set.
  package var timestamp: Timestamp

  /// Reads ten bytes.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    flags = try reader.uint8(field: "Flags")
    weight = try reader.uint16(field: "Weight")
    timestamp = try reader.timestamp(field: "Time Stamp")
  }

  /// Makes an advertisement in kilograms.
  package init(kilograms: Double, isSettled: Bool, timestamp: Timestamp) {
    flags = isSettled ? 0x22 : 0x02
    weight = UInt16(clamping: Int((kilograms.clamped * 200).rounded()))
    self.timestamp = timestamp
  }

  /// Writes ten bytes.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint8(flags)
    writer.uint16(weight)
    writer.timestamp(timestamp)
  }

  /// The unit of the weight.
  package var unit: MiScaleUnit {
    flags & 0x01 != 0 ? .pound : flags & 0x10 != 0 ? .catty : .kilogram
  }

  /// Whether the weight no longer changes.
  package var isSettled: Bool { flags & 0x20 != 0 }
  /// Whether the person has left the scale.
  package var isRemoved: Bool { flags & 0x80 != 0 }
  /// Whether this is a settled weight of someone who stands on the scale.
  package var isMeasurement: Bool { isSettled && !isRemoved && weight > 0 }
  /// The weight in kilograms.
  package var kilograms: Double { unit.kilograms(weight) }
}

/// What a Xiaomi Mi Body Composition Scale (`MIBCS`, `MIBFS`) broadcasts: service data of Body
/// Composition (181B).
///
/// The weight comes first without, then with the impedance.
///
/// ```
/// // 02 26  E707 02 06 12 1C 00  F401  803E
/// // CT FL  YEAR MO DA HH MM SS  OHMS  WGHT
/// ```
///
/// Source: Bluetooth-Devices/xiaomi-ble, parser.py; openScale, MiScaleHandler. The impedance is in
/// whole ohms there; one decoder divides it by ten.
package struct MiBodyScaleAdvertisement: CharacteristicValue {
  /// Bit 0 pounds; the others as sent.
  package var control: UInt8
  /// Bit 1 impedance, 5 settled, 6 catty, 7 the person has left the scale; the others as sent.
  package var flags: UInt8
  /// The time on the scale's clock.
  package var timestamp: Timestamp
  /// The impedance in ohms, as sent; only sound when bit 1 of the flags is set.
  package var impedance: UInt16
  /// The weight in steps of `unit`.
  package var weight: UInt16

  /// Reads thirteen bytes.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    control = try reader.uint8(field: "Control")
    flags = try reader.uint8(field: "Flags")
    timestamp = try reader.timestamp(field: "Time Stamp")
    impedance = try reader.uint16(field: "Impedance")
    weight = try reader.uint16(field: "Weight")
  }

  /// Makes an advertisement in kilograms.
  package init(kilograms: Double, ohms: UInt16?, isSettled: Bool, timestamp: Timestamp) {
    control = 0x02
    flags = (isSettled ? 0x24 : 0x04) | (ohms == nil ? 0 : 0x02)
    self.timestamp = timestamp
    impedance = ohms ?? 0
    weight = UInt16(clamping: Int((kilograms.clamped * 200).rounded()))
  }

  /// Writes thirteen bytes.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint8(control)
    writer.uint8(flags)
    writer.timestamp(timestamp)
    writer.uint16(impedance)
    writer.uint16(weight)
  }

  /// The unit of the weight.
  package var unit: MiScaleUnit {
    control & 0x01 != 0 ? .pound : flags & 0x40 != 0 ? .catty : .kilogram
  }

  /// Whether the weight no longer changes.
  package var isSettled: Bool { flags & 0x20 != 0 }
  /// Whether the person has left the scale.
  package var isRemoved: Bool { flags & 0x80 != 0 }
  /// Whether this is a settled weight of someone who stands on the scale.
  package var isMeasurement: Bool { isSettled && !isRemoved && weight > 0 }
  /// The weight in kilograms.
  package var kilograms: Double { unit.kilograms(weight) }
  /// The impedance in ohms; nil when it was not measured.
  package var ohms: UInt16? { flags & 0x02 == 0 ? nil : impedance }
}

extension Double {
  /// The number, or the nearest that a scale can show; for words on the wire.
  fileprivate var clamped: Double { isFinite ? Swift.min(Swift.max(self, 0), 300) : 0 }
}
