// SPDX-License-Identifier: Apache-2.0

/// Age (2A80) of a user, in years.
///
/// ```
/// // 2A
/// // YR
/// ```
///
/// Source: GATT Specification Supplement, Age.
public struct UserAge: CharacteristicValue {
  /// The age in years, as sent.
  public var years: UInt8

  /// Creates an age.
  public init(years: UInt8) {
    self.years = years
  }

  /// Reads the byte.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    years = try reader.uint8(field: "Age")
  }

  /// Writes the byte.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint8(years)
  }
}
