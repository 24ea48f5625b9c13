// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Writes and reads numbers as a locale has them.
struct Decimals {
  let locale: Locale

  /// A number with so many decimal places.
  func text(of value: Double, places: Int) -> String {
    let formatter = NumberFormatter()
    formatter.locale = locale
    formatter.numberStyle = .decimal
    formatter.usesGroupingSeparator = false
    formatter.roundingMode = .halfUp
    (formatter.minimumFractionDigits, formatter.maximumFractionDigits) = (places, places)
    return formatter.string(from: NSNumber(value: value)) ?? "\(value)"
  }

  /// A number that a person has typed, with a point or a comma; nil when it is none.
  func number(in text: String) -> Double? {
    let trimmed = text.trimmingCharacters(in: .whitespaces)
    let formatter = NumberFormatter()
    formatter.locale = locale
    formatter.numberStyle = .decimal
    formatter.usesGroupingSeparator = false
    formatter.isLenient = false
    let number =
      Double(trimmed.replacingOccurrences(of: ",", with: "."))
      ?? formatter.number(from: trimmed)?.doubleValue
    return number.flatMap { $0.isFinite ? $0 : nil }
  }

  /// How many digits after the point a number needs, at most three.
  static func places(of value: Double) -> Int {
    (0..<3).first { places in
      let scale = [1.0, 10, 100][places]
      return abs((value * scale).rounded() - value * scale) < 1e-6
    } ?? 3
  }
}
