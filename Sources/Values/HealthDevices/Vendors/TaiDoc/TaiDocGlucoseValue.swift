// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// What a TaiDoc glucose meter measured: the data of a reply to 0x26.
///
/// ```
/// // 7800  00  40
/// // MGDL  ?   MMTTTT??   M meal, T what was measured
/// ```
///
/// Always in mg/dL. Source: glucometers-tech/glucometer-protocols, TaiDoc TD-42xx; quality control
/// by shawn-gxp/sh3-pi; what was measured by advmeds-service/advmeds-bluetooth-lib.
package struct TaiDocGlucoseValue: CharacteristicValue {
  /// When the result was taken, as the user marked it (byte 3, bits 6 and 7).
  package enum Meal: UInt8, Sendable {
    case none, beforeMeal, afterMeal
    /// A test of control solution, not of blood.
    case qualityControl
  }

  /// The first two bytes: the concentration of glucose in mg/dL, if `isGlucose`.
  package let milligramsPerDeciliter: UInt16
  /// Byte 2, of unknown meaning.
  package let unknown: UInt8
  /// Byte 3.
  package let flags: UInt8

  /// Creates a result.
  package init(milligramsPerDeciliter: UInt16, meal: Meal = .none) {
    self.milligramsPerDeciliter = milligramsPerDeciliter
    unknown = 0
    flags = meal.rawValue << 6
  }

  /// Reads the four bytes.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    milligramsPerDeciliter = try reader.uint16(field: "Glucose")
    unknown = try reader.uint8(field: "Unknown")
    flags = try reader.uint8(field: "Flags")
  }

  /// Writes the four bytes.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint16(milligramsPerDeciliter)
    writer.uint8(unknown)
    writer.uint8(flags)
  }

  /// The mark of the user.
  package var meal: Meal { Meal(rawValue: flags >> 6) ?? .none }
  /// What was measured (byte 3, bits 2...5): meters with several kinds of strips send ketone as 7,
  /// uric acid as 8, cholesterol as 9.
  package var analyte: UInt8 { flags >> 2 & 0x0F }
  /// Whether the number is a concentration of glucose in blood, control solution aside.
  package var isGlucose: Bool { analyte == 0 }
}
