// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A measurement of a 1byone scale, also sold as Eufy C1, P1 and A1 (service FFF0, FFF4).
///
/// ```
/// // CF  8813  581B  00000000  00  00   [07E6 05 0C 07 1E 00]
/// // MK  IMPD  WGHT            ST  …     YEAR MO DA HH MM SS
/// ```
///
/// The impedance is in tenths of an ohm, the year has its most significant byte first. Source:
/// openScale, OneByoneHandler.
package struct OneByoneMeasurement: CharacteristicValue {
  /// In tenths of an ohm.
  package var impedance: UInt16
  /// In hundredths of a kilogram.
  package var weight: UInt16
  /// Four bytes whose meaning is not known.
  package var filler: [UInt8]
  /// 1 when there is no impedance.
  package var state: UInt8
  /// A byte whose meaning is not known.
  package var byte: UInt8
  /// When a stored measurement was made, as sent.
  package var time: [UInt8]
  /// What follows.
  package var trailingBytes: [UInt8]

  /// Makes a measurement.
  package init(weight: UInt16, tenthsOfOhm: UInt16?, time: LocalDateTime? = nil) {
    impedance = tenthsOfOhm ?? 0
    self.weight = weight
    filler = [0, 0, 0, 0]
    state = tenthsOfOhm == nil ? 1 : 0
    byte = 0
    self.time = time.map { Self.bytes($0) } ?? []
    trailingBytes = []
  }

  /// Reads the payload.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let mark = try reader.uint8(field: "Mark")
    guard mark == 0xCF else {
      throw PayloadError(
        .reservedValue, field: "Mark", offset: 0, message: "It is no measurement.")
    }
    impedance = try reader.uint16(field: "Impedance")
    weight = try reader.uint16(field: "Weight")
    filler = try reader.bytes(4, field: "Filler")
    state = try reader.uint8(field: "State")
    byte = try reader.uint8(field: "Byte")
    time = reader.remainingCount >= 7 ? try reader.bytes(7, field: "Time") : []
    trailingBytes = reader.remainingBytes()
  }

  /// Writes the payload.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint8(0xCF)
    writer.uint16(impedance)
    writer.uint16(weight)
    writer.append(filler)
    writer.append([state, byte])
    writer.append(time)
    writer.append(trailingBytes)
  }

  /// The weight in kilograms; nil when there is none.
  package var kilograms: Double? { weight == 0 ? nil : Double(weight) / 100 }
  /// The impedance in ohms; nil when it was not measured.
  package var ohms: Double? { state == 1 || impedance == 0 ? nil : Double(impedance) / 10 }

  /// When a stored measurement was made; nil for a live one, and for an impossible time.
  package var dateTime: DateTime? {
    guard time.count == 7 else { return nil }
    return try? DateTime(
      year: Int(time[0]) << 8 | Int(time[1]), month: Int(time[2]), day: Int(time[3]),
      hours: Int(time[4]), minutes: Int(time[5]), seconds: Int(time[6]))
  }

  /// A time in the order in which the scale sends and takes it.
  package static func bytes(_ time: LocalDateTime) -> [UInt8] {
    let stamp = Timestamp(time)
    return [UInt8(stamp.year >> 8), UInt8(stamp.year & 0xFF)] + stamp.bytesSince2000.dropFirst()
  }
}
