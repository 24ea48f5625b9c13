// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// The body composition of a Medisana BS430, BS440 or BS444 (service 78B2, characteristic 8A22).
///
/// It belongs to the ``TranstekWeight`` of the same time. The upper four bits of the last words are
/// set.
///
/// ```
/// // 6F  800FF40D  01  210C  57F1 E3F1 5BF1 23F0  000000
/// // FL  SECONDS   US  KCAL  FAT  WATR MUSC BONE  …
/// ```
///
/// Source: openScale wiki, Medisana-BS444 (captured frame); openScale, MedisanaBs44xHandler.
package struct MedisanaComposition: CharacteristicValue {
  /// The first byte, as sent.
  package var flags: UInt8
  /// The time on the scale's clock: from 2010 on, by a BS430 from 1970 on.
  package var seconds: UInt32
  /// The user on the scale.
  package var userID: UserID
  /// The energy that the user needs, in kilocalories a day.
  package var energy: UInt16
  /// The words, as sent: fat, water, muscle and bone.
  package var words: [UInt16]
  /// What follows.
  package var trailingBytes: [UInt8]

  /// Makes a body composition in tenths of a per cent, and of a kilogram for the bone.
  package init(
    seconds: UInt32, userID: UserID, fat: UInt16, water: UInt16, muscle: UInt16, bone: UInt16
  ) {
    flags = 0x6F
    self.seconds = seconds
    self.userID = userID
    energy = 0
    words = [fat, water, muscle, bone].map { 0xF000 | ($0 & 0x0FFF) }
    trailingBytes = [0, 0, 0]
  }

  /// Reads the payload.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    flags = try reader.uint8(field: "Flags")
    seconds = try reader.uint32(field: "Seconds")
    userID = UserID(rawValue: try reader.uint8(field: "User ID"))
    energy = try reader.uint16(field: "Energy")
    words = []
    for field in ["Body Fat", "Body Water", "Muscle", "Bone Mass"] {
      words.append(try reader.uint16(field: field))
    }
    trailingBytes = reader.remainingBytes()
  }

  /// Writes the payload.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint8(flags)
    writer.uint32(seconds)
    writer.uint8(userID.rawValue)
    writer.uint16(energy)
    for word in words { writer.uint16(word) }
    writer.append(trailingBytes)
  }

  /// Per cent of the weight; nil when it was not measured.
  package var bodyFatPercentage: Double? { value(0) }
  /// Per cent of the weight; nil when it was not measured.
  package var bodyWaterPercentage: Double? { value(1) }
  /// Per cent of the weight; nil when it was not measured.
  package var musclePercentage: Double? { value(2) }
  /// Kilograms; nil when it was not measured.
  package var boneKilograms: Double? { value(3) }

  private func value(_ position: Int) -> Double? {
    let word = words[position] & 0x0FFF
    return word == 0 ? nil : Double(word) / 10
  }
}
