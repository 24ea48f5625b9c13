// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// The number of a TaiDoc model: the data of a reply to 0x24.
///
/// ```
/// // 7242  0000
/// // TD-4272
/// ```
///
/// Four decimal digits. Source: glucometers-tech/glucometer-protocols, TaiDoc TD-42xx; the kinds by
/// the models that advmeds-service/advmeds-bluetooth-lib lists.
package struct TaiDocModel: CharacteristicValue {
  /// What a device measures.
  package enum Kind: Sendable {
    case glucose, bloodPressure, temperature, oximetry
  }

  /// Four digits, each in four bits.
  package let number: UInt16
  /// Bytes 2 and 3, of unknown meaning.
  package let unknown: UInt16

  /// Creates a model by its digits, for instance 0x4272.
  package init(number: UInt16) {
    self.number = number
    unknown = 0
  }

  /// Reads the four bytes.
  ///
  /// - Throws: `outOfRange` when the number has something else than decimal digits.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let offset = reader.offset
    number = try reader.uint16(field: "Model")
    unknown = try reader.uint16(field: "Unknown")
    let number = number
    guard [0, 4, 8, 12].allSatisfy({ number >> UInt16($0) & 0x0F <= 9 }) else {
      throw PayloadError(
        .outOfRange, field: "Model", offset: offset,
        message: "It is four decimal digits. Ask for the model again.")
    }
  }

  /// Writes the four bytes.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint16(number)
    writer.uint16(unknown)
  }

  /// The name, for instance TD-4272.
  package var name: String {
    "TD-" + [12, 8, 4, 0].map { String(number >> UInt16($0) & 0x0F) }.joined()
  }

  /// What the device measures; nil for models that measure several things, and unknown ones.
  package var kind: Kind? {
    switch number >> 8 {
    case 0x42: .glucose
    case 0x31: .bloodPressure
    case 0x10, 0x12: .temperature
    case 0x82: .oximetry
    default: nil
    }
  }
}
