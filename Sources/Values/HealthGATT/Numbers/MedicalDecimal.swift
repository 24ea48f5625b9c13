// SPDX-License-Identifier: Apache-2.0

/// A decimal number as medical devices send it: mantissa × 10^exponent, exactly.
///
/// Two decimals are equal when their values are: 100 × 10^0 equals 1000 × 10^-1. The exponent is
/// kept as given, since it shows how many digits the device displays.
public struct MedicalDecimal: Sendable {
  /// The digits, with their sign.
  public let mantissa: Int
  /// The power of ten of the last digit.
  public let exponent: Int

  /// Creates the number mantissa × 10^exponent.
  public init(mantissa: Int, exponent: Int) {
    self.mantissa = mantissa
    self.exponent = exponent
  }

  /// The nearest `Double`; 163 × 10^-1 gives the same `Double` as the literal `16.3`.
  public var double: Double {
    // Powers of ten up to 10^22 and integers up to 2^53 are exact: the one operation rounds once.
    guard mantissa.magnitude <= 1 << 53, exponent.magnitude < Self.exactPowersOfTen.count else {
      return Double("\(mantissa)e\(exponent)") ?? .nan
    }
    let power = Self.exactPowersOfTen[Int(exponent.magnitude)]
    return exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
  }

  /// The same value with the shortest mantissa: no trailing zeros, zero as 0 × 10^0.
  var normalized: MedicalDecimal {
    guard mantissa != 0 else { return MedicalDecimal(mantissa: 0, exponent: 0) }
    var shortest = (mantissa: mantissa, exponent: exponent)
    while shortest.mantissa.isMultiple(of: 10), shortest.exponent < Int.max {
      shortest.mantissa /= 10
      shortest.exponent += 1
    }
    return MedicalDecimal(mantissa: shortest.mantissa, exponent: shortest.exponent)
  }

  static let exactPowersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}

extension MedicalDecimal: Hashable {
  /// Compares by value.
  public static func == (left: MedicalDecimal, right: MedicalDecimal) -> Bool {
    let (left, right) = (left.normalized, right.normalized)
    return left.mantissa == right.mantissa && left.exponent == right.exponent
  }

  /// Hashes the value, whatever its exponent.
  public func hash(into hasher: inout Hasher) {
    let normalized = normalized
    hasher.combine(normalized.mantissa)
    hasher.combine(normalized.exponent)
  }
}
