// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A result in the memory of a OneTouch meter, as it answers to a request by id (0xB3).
///
/// ```
/// // 4BBE6A26  A800  00  0000  00  00
/// // TIME      MGDL  CT  ?     ML  ?
/// ```
///
/// The concentration is in mg/dL whatever the meter displays. What follows the byte for control
/// solution is kept as sent; its meaning is only partly known. Source: tidepool-org/uploader and
/// tryVital/vital-ios (the first seven bytes), glucometers-tech/glucometer-protocols (the time,
/// the meal by its like in the reply by index), sivulich/AppiaGlucometers (frames).
package struct OneTouchRecord: CharacteristicValue {
  /// Whether the user marked the result as before or after a meal.
  package enum Meal: UInt8, Sendable {
    case none, before, after
  }

  /// The seconds on the meter's clock since the 1st of January 2000, local time.
  package let secondsSince2000: UInt32
  /// The concentration of glucose in mg/dL; 0 is no result.
  package let milligramsPerDeciliter: UInt16
  /// Anything but 0 is a test of control solution, not of blood.
  package let controlSolution: UInt8
  /// What follows, as sent: four bytes by all meters known.
  package let trailingBytes: [UInt8]

  /// Creates a result.
  package init(
    secondsSince2000: UInt32, milligramsPerDeciliter: UInt16, isControlSolution: Bool = false,
    meal: Meal = .none
  ) {
    self.secondsSince2000 = secondsSince2000
    self.milligramsPerDeciliter = milligramsPerDeciliter
    controlSolution = isControlSolution ? 1 : 0
    trailingBytes = [0, 0, meal.rawValue, 0]
  }

  /// Reads time, concentration and mark, and keeps what follows.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    secondsSince2000 = try reader.uint32(field: "Time")
    milligramsPerDeciliter = try reader.uint16(field: "Glucose")
    controlSolution = try reader.uint8(field: "Control Solution")
    trailingBytes = reader.remainingBytes()
  }

  /// Writes all bytes.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint32(secondsSince2000)
    writer.uint16(milligramsPerDeciliter)
    writer.uint8(controlSolution)
    writer.append(trailingBytes)
  }

  /// The time on the meter's clock.
  package var dateTime: LocalDateTime { LocalDateTime(secondsSince2000: secondsSince2000) }

  /// Whether this is a test of the control solution.
  package var isControlSolution: Bool { controlSolution != 0 }

  /// The mark for a meal; nil when it is not known.
  package var meal: Meal? {
    trailingBytes.count > 2 ? Meal(rawValue: trailingBytes[2]) : nil
  }
}
