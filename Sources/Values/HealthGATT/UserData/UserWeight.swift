// SPDX-License-Identifier: Apache-2.0

/// Weight (2A98) of a user, in steps of 0.005 kg.
///
/// It was entered by the user or a client; it is not a weighing.
///
/// ```
/// // 983A
/// // WGHT
/// ```
///
/// Source: GATT Specification Supplement, Weight.
public struct UserWeight: CharacteristicValue {
  /// The weight in steps of 0.005 kg, as sent.
  public var rawWeight: UInt16

  /// Creates a weight from its wire word; `MeasurementUnits.steps` makes it.
  public init(rawWeight: UInt16) {
    self.rawWeight = rawWeight
  }

  /// Reads the two bytes.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    rawWeight = try reader.uint16(field: "Weight")
  }

  /// Writes the two bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint16(rawWeight)
  }

  /// The weight.
  public var weight: Mass { MeasurementUnits.si.mass(steps: rawWeight) }
}
