// SPDX-License-Identifier: Apache-2.0

/// An SFLOAT, the 16-bit decimal of IEEE 11073-20601; `medfloat16` in the GATT specifications.
///
/// The word that came over the air is kept; equality compares values.
public struct MedicalFloat16: RawRepresentable, CharacteristicValue {
  /// The 16 bits of the word.
  public let rawValue: UInt16

  /// Takes any word: each of them has a meaning.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Creates the word for a number, with its own exponent where that fits.
  ///
  /// - Throws: `outOfRange` when no SFLOAT has exactly this value.
  public init(_ number: MedicalNumber) throws(PayloadError) {
    rawValue = UInt16(truncatingIfNeeded: try Self.layout.word(for: number))
  }

  /// Rounds a value to the nearest multiple of 10^exponent; NaN and infinities are special words.
  ///
  /// - Parameters:
  ///   - value: The value to encode.
  ///   - exponent: The power of ten of the last digit, -8...7.
  /// - Throws: `outOfRange` when the rounded value does not fit at this exponent.
  public init(_ value: Double, exponent: Int) throws(PayloadError) {
    rawValue = UInt16(truncatingIfNeeded: try Self.layout.word(for: value, exponent: exponent))
  }

  /// Reads the word.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    self = try reader.medicalFloat16(field: Self.layout.name)
  }

  /// Writes the word.
  public func encode(to writer: inout PayloadWriter) {
    writer.medicalFloat16(self)
  }

  /// What the word stands for.
  public var number: MedicalNumber { Self.layout.number(of: UInt32(rawValue)) }

  /// The nearest `Double`; nil for the special values.
  public var double: Double? {
    // A whole number from 0, as most are, is its own word; those from 0x07FE are special.
    rawValue < 0x07FE ? Double(rawValue) : number.double
  }

  /// NaN, the word for "no valid number".
  public static let notANumber = MedicalFloat16(rawValue: 0x07FF)

  private static let layout = MedicalFloatLayout.sfloat

  /// Compares by value: 0xF3E8 equals 0x0064.
  public static func == (left: MedicalFloat16, right: MedicalFloat16) -> Bool {
    left.number == right.number
  }

  /// Hashes the value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(number)
  }
}
