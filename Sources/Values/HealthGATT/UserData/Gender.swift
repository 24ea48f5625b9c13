// SPDX-License-Identifier: Apache-2.0

/// Gender (2A8C), which scales use to estimate a body's composition.
///
/// ```
/// // 01
/// // GE
/// ```
///
/// Source: GATT Specification Supplement, Gender. Values above 2 are reserved and refused.
public enum Gender: UInt8, CharacteristicValue {
  /// Male.
  case male = 0
  /// Female.
  case female = 1
  /// Unspecified.
  case unspecified = 2

  /// Reads the byte.
  ///
  /// - Throws: `reservedValue` above 2; `truncated`.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    let offset = reader.offset
    guard let gender = Gender(rawValue: try reader.uint8(field: "Gender")) else {
      throw PayloadError(
        .reservedValue, field: "Gender", offset: offset,
        message: "It is 0...2. Take the gender as unspecified.")
    }
    self = gender
  }

  /// Writes the byte.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint8(rawValue)
  }
}
