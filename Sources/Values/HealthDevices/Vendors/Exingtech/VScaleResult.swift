// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A notification of the scale Exingtech Y1, also sold as ACCUWAY BT908 ("VScale").
///
/// ```
/// // 01 00  23  A0  02AE   00E5 0214  001F 0129 0A  0627   010B 00
/// // US SEX AGE CM  WEIGHT FAT  WATER BONE MUSC VIS ENERGY BMI  OP
/// ```
///
/// Words have their most significant byte first. User 0 and words of `FFFF` mean that the scale has
/// not been given the user's sex, age and height yet, and knows the weight alone. Whether the muscle
/// is a percentage or a mass is not known, so it is kept as sent.
///
/// Sources: openScale, BluetoothExingtechY1; KristianP26/ble-scale-sync, exingtech-y1; a public
/// client for ACCUWAY's BT908 (captured frames).
package struct VScaleResult: CharacteristicValue {
  /// The user that the values are computed for; 0 for none.
  package var user: UInt8
  /// Sex, age in years and height in centimetres, as the scale was given them.
  package var person: [UInt8]
  /// The weight in tenths of a kilogram.
  package var weight: UInt16
  /// Body fat in tenths of a per cent; FFFF when it was not measured.
  package var fat: UInt16
  /// Body water in tenths of a per cent; FFFF when it was not measured.
  package var water: UInt16
  /// Bone mass in tenths of a kilogram; FFFF when it was not measured.
  package var bone: UInt16
  /// Muscle as sent.
  package var muscle: UInt16
  /// The score of visceral fat; FF when it was not measured.
  package var visceralFat: UInt8
  /// What follows, as sent: energy, body mass index, and a byte of unknown meaning.
  package var trailingBytes: [UInt8]

  /// Makes the notification of a weight alone.
  ///
  /// - Parameter weight: Tenths of a kilogram.
  package init(weight: UInt16) {
    user = 0
    person = [0, 0, 0]
    self.weight = weight
    (fat, water, bone, muscle, visceralFat) = (.max, .max, .max, .max, .max)
    trailingBytes = [0xFF, 0xFF, 0xFF, 0xFF, 0x00]
  }

  /// Reads a notification of at least 15 bytes.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    user = try reader.uint8(field: "User")
    person = try reader.bytes(3, field: "Person")
    weight = try reader.bigEndianUInt16(field: "Weight")
    fat = try reader.bigEndianUInt16(field: "Body Fat")
    water = try reader.bigEndianUInt16(field: "Body Water")
    bone = try reader.bigEndianUInt16(field: "Bone Mass")
    muscle = try reader.bigEndianUInt16(field: "Muscle")
    visceralFat = try reader.uint8(field: "Visceral Fat")
    trailingBytes = reader.remainingBytes()
  }

  /// Writes the notification.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint8(user)
    writer.append(person)
    for word in [weight, fat, water, bone, muscle] { writer.bigEndianUInt16(word) }
    writer.uint8(visceralFat)
    writer.append(trailingBytes)
  }

  /// The weight in kilograms.
  package var kilograms: Double { Double(weight) / 10 }
  /// Per cent of the weight; nil when it was not measured.
  package var bodyFatPercentage: Double? { tenths(fat) }
  /// Per cent of the weight; nil when it was not measured.
  package var bodyWaterPercentage: Double? { tenths(water) }
  /// Kilograms; nil when it was not measured.
  package var boneKilograms: Double? { tenths(bone) }
  /// The score of visceral fat; nil when it was not measured.
  package var visceralFatScore: Double? { visceralFat == .max ? nil : Double(visceralFat) }
  /// Whether the scale has computed the body composition.
  package var isComplete: Bool { fat != .max }

  private func tenths(_ word: UInt16) -> Double? { word == .max ? nil : Double(word) / 10 }
}
