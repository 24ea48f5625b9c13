// SPDX-License-Identifier: Apache-2.0

/// A FLOAT, the 32-bit decimal of IEEE 11073-20601; `medfloat32` in the GATT specifications.
///
/// The word that came over the air is kept; equality compares values.
public struct MedicalFloat32: RawRepresentable, CharacteristicValue {
  /// The 32 bits of the word.
  public let rawValue: UInt32

  /// Takes any word: each of them has a meaning.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Creates the word for a number, with its own exponent where that fits.
  ///
  /// - Throws: `outOfRange` when no FLOAT has exactly this value.
  public init(_ number: MedicalNumber) throws(PayloadError) {
    rawValue = UInt32(truncatingIfNeeded: try Self.layout.word(for: number))
  }

  /// Rounds a value to the nearest multiple of 10^exponent; NaN and infinities are special words.
  ///
  /// - Parameters:
  ///   - value: The value to encode.
  ///   - exponent: The power of ten of the last digit, -128...127.
  /// - Throws: `outOfRange` when the rounded value does not fit at this exponent.
  public init(_ value: Double, exponent: Int) throws(PayloadError) {
    rawValue = UInt32(truncatingIfNeeded: try Self.layout.word(for: value, exponent: exponent))
  }

  /// Reads the word.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    self = try reader.medicalFloat32(field: Self.layout.name)
  }

  /// Writes the word.
  public func encode(to writer: inout PayloadWriter) {
    writer.medicalFloat32(self)
  }

  /// What the word stands for.
  public var number: MedicalNumber { Self.layout.number(of: UInt32(rawValue)) }

  /// The nearest `Double`; nil for the special values.
  public var double: Double? { number.double }

  /// NaN, the word for "no valid number".
  public static let notANumber = MedicalFloat32(rawValue: 0x007F_FFFF)

  private static let layout = MedicalFloatLayout.float

  /// Compares by value: 0xFF0003E8 equals 0x00000064.
  public static func == (left: MedicalFloat32, right: MedicalFloat32) -> Bool {
    left.number == right.number
  }

  /// Hashes the value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(number)
  }
}
