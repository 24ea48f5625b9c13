// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A measurement of the scales by Transtek (ADE, Medisana, Trisa, Welch Allyn and others):
/// characteristic 8A24 or 8A21.
///
/// ```
/// // 1F  681F00FE  652AB21E  00000000  6A1500FF  01  1900
/// // FL  WEIGHT    SECONDS   R1        R2        US  …
/// ```
///
/// Source: KristianP26/ble-scale-sync (captured frame of an ADE BA 1600); openScale wiki,
/// Medisana-BS444 (captured frame); openScale, TrisaBodyAnalyzeHandler. Numbers are FLOATs, seconds
/// count from 2010.
package struct TranstekWeight: CharacteristicValue {
  /// Bit 0 time, 1 first resistance, 2 second resistance, 3 user, 5...6 the unit; the others as
  /// sent.
  package let flags: UInt8
  /// The weight in kilograms.
  package var weight: MedicalFloat32
  /// Seconds since 2010-01-01 on the scale's clock; by a Medisana BS430 since 1970-01-01.
  package let seconds: UInt32?
  /// A resistance in ohms.
  package let resistance1: MedicalFloat32?
  /// The resistance in ohms that body composition is computed from.
  package let resistance2: MedicalFloat32?
  /// What follows; the user first.
  package var trailingBytes: [UInt8]

  /// Makes a measurement.
  package init(
    weight: MedicalFloat32, seconds: UInt32?, resistance1: MedicalFloat32? = nil,
    resistance2: MedicalFloat32? = nil, userID: UserID? = nil
  ) {
    let bits: [(Bool, UInt8)] = [
      (seconds != nil, 1), (resistance1 != nil, 2), (resistance2 != nil, 4), (userID != nil, 8),
    ]
    flags = bits.reduce(0) { $1.0 ? $0 | $1.1 : $0 }
    self.weight = weight
    self.seconds = seconds
    self.resistance1 = resistance1
    self.resistance2 = resistance2
    trailingBytes = userID.map { [$0.rawValue] } ?? []
  }

  /// Reads the payload.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    flags = try reader.uint8(field: "Flags")
    weight = try reader.medicalFloat32(field: "Weight")
    seconds = flags & 0x01 == 0 ? nil : try reader.uint32(field: "Seconds")
    resistance1 = flags & 0x02 == 0 ? nil : try reader.medicalFloat32(field: "Resistance 1")
    resistance2 = flags & 0x04 == 0 ? nil : try reader.medicalFloat32(field: "Resistance 2")
    trailingBytes = reader.remainingBytes()
  }

  /// Writes the payload.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint8(flags)
    writer.medicalFloat32(weight)
    if let seconds { writer.uint32(seconds) }
    if let resistance1 { writer.medicalFloat32(resistance1) }
    if let resistance2 { writer.medicalFloat32(resistance2) }
    writer.append(trailingBytes)
  }

  /// Whether the scale is set to kilograms; how it sends other units is not known for certain.
  package var isInKilograms: Bool { flags & 0x60 == 0 }
  /// The weight in kilograms; nil for a special value, nothing above 0, and another unit.
  package var kilograms: Double? {
    isInKilograms ? weight.double.flatMap { $0 > 0 ? $0 : nil } : nil
  }
  /// The user on the scale; nil when it does not know who it is.
  package var userID: UserID? {
    guard flags & 0x08 != 0, let byte = trailingBytes.first, byte != 0xFF else { return nil }
    return UserID(rawValue: byte)
  }
  /// The impedance in ohms; nil when it was not measured.
  package var ohms: Double? { resistance2?.double.flatMap { $0 > 0 ? $0 : nil } }
}
