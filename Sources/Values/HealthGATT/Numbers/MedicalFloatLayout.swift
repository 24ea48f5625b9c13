// SPDX-License-Identifier: Apache-2.0

/// How IEEE 11073-20601 packs mantissa and exponent, both two's complement, into one word.
///
/// ```
/// SFLOAT  F    3E8       FLOAT  FE        001E2D
///         exp  mantissa         exponent  mantissa
/// ```
///
/// The five special values are whole words, that is with exponent 0 (IEEE 11073-20601, FLOAT-Type
/// and SFLOAT-Type): 0xF7FF has NaN's mantissa and is 204.7.
struct MedicalFloatLayout {
  let name: String
  let mantissaBits: Int
  let exponentBits: Int

  static let sfloat = MedicalFloatLayout(name: "SFLOAT", mantissaBits: 12, exponentBits: 4)
  static let float = MedicalFloatLayout(name: "FLOAT", mantissaBits: 24, exponentBits: 8)

  private var mantissas: Range<Int> { -1 << (mantissaBits - 1)..<1 << (mantissaBits - 1) }
  private var exponents: Range<Int> { -1 << (exponentBits - 1)..<1 << (exponentBits - 1) }

  func number(of word: UInt32) -> MedicalNumber {
    special(word) ?? .decimal(decimal(of: word))
  }

  func word(for number: MedicalNumber) throws(PayloadError) -> UInt32 {
    let signBit = UInt32(1) << UInt32(mantissaBits - 1)
    switch number {
    case .decimal(let decimal): return try word(for: decimal)
    case .positiveInfinity: return signBit - 2
    case .notANumber: return signBit - 1
    case .notAtThisResolution: return signBit
    case .reserved: return signBit + 1
    case .negativeInfinity: return signBit + 2
    }
  }

  /// Takes the exponent that is nearest to the decimal's own and holds the same value.
  func word(for decimal: MedicalDecimal) throws(PayloadError) -> UInt32 {
    var (mantissa, exponent) = (decimal.mantissa, decimal.exponent)
    if mantissa == 0, !exponents.contains(exponent) { exponent = 0 }
    while !mantissas.contains(mantissa) || exponent < exponents.lowerBound,
      mantissa.isMultiple(of: 10)
    {
      mantissa /= 10
      exponent += 1
    }
    while mantissas.contains(mantissa), exponent >= exponents.upperBound {
      mantissa *= 10
      exponent -= 1
    }
    guard let word = packed(mantissa, exponent) else { throw doesNotFit }
    return word
  }

  /// Rounds to the nearest multiple of 10^exponent.
  func word(for value: Double, exponent: Int) throws(PayloadError) -> UInt32 {
    if value.isNaN { return try word(for: .notANumber) }
    if value.isInfinite { return try word(for: value > 0 ? .positiveInfinity : .negativeInfinity) }
    guard exponents.contains(exponent) else { throw doesNotFit }
    let power = MedicalDecimal(mantissa: 1, exponent: abs(exponent)).double
    let scaled = exponent < 0 ? value * power : value / power
    guard let mantissa = rounded(scaled), let word = packed(mantissa, exponent) else {
      throw doesNotFit
    }
    return word
  }

  /// The nearest mantissa, halves away from zero; nil when it is beyond all mantissas.
  private func rounded(_ scaled: Double) -> Int? {
    // Double.rounded() would need the mathematics library, which nothing else here links.
    guard scaled.magnitude <= Double(mantissas.upperBound) else { return nil }
    let whole = Int(scaled)
    let fraction = scaled - Double(whole)
    return fraction.magnitude < 0.5 ? whole : whole + (fraction < 0 ? -1 : 1)
  }

  private func special(_ word: UInt32) -> MedicalNumber? {
    switch Int(word) - mantissas.upperBound {
    case -2: .positiveInfinity
    case -1: .notANumber
    case 0: .notAtThisResolution
    case 1: .reserved
    case 2: .negativeInfinity
    default: nil
    }
  }

  private func decimal(of word: UInt32) -> MedicalDecimal {
    let leftAligned = Int32(bitPattern: word << UInt32(32 - mantissaBits - exponentBits))
    let mantissa = Int32(bitPattern: word << UInt32(32 - mantissaBits)) >> Int32(32 - mantissaBits)
    return MedicalDecimal(
      mantissa: Int(mantissa), exponent: Int(leftAligned >> Int32(32 - exponentBits)))
  }

  /// The word for a mantissa and an exponent; nil when they do not fit or would be a special value.
  private func packed(_ mantissa: Int, _ exponent: Int) -> UInt32? {
    guard mantissas.contains(mantissa), exponents.contains(exponent) else { return nil }
    let low = UInt32(truncatingIfNeeded: mantissa) & (1 << UInt32(mantissaBits) - 1)
    let high = UInt32(truncatingIfNeeded: exponent) & (1 << UInt32(exponentBits) - 1)
    let word = high << UInt32(mantissaBits) | low
    return special(word) == nil ? word : nil
  }

  private var doesNotFit: PayloadError {
    PayloadError(
      .outOfRange, field: name,
      message: "No \(name) holds this value at this exponent. Choose a larger exponent.")
  }
}
