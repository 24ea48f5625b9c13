// SPDX-License-Identifier: Apache-2.0

/// Height (2A8E) of a user, in centimetres.
///
/// ```
/// // AF00
/// // CENT
/// ```
///
/// Source: GATT Specification Supplement, Height: metres with the exponent -2.
public struct UserHeight: CharacteristicValue {
  /// The height in centimetres, as sent.
  public var centimeters: UInt16

  /// Creates a height.
  public init(centimeters: UInt16) {
    self.centimeters = centimeters
  }

  /// Reads the two bytes.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    centimeters = try reader.uint16(field: "Height")
  }

  /// Writes the two bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint16(centimeters)
  }

  /// The height.
  public var height: Length { .meters(Double(centimeters) / 100) }
}
