// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Writes and reads numbers as a locale has them.
struct Decimals {
  let locale: Locale

  /// A number with so many decimal places; what lies in the middle is rounded away from zero.
  func text(of value: Double, places: Int) -> String {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    let rounded = (value * scale).rounded() / scale
    return rounded.formatted(
      .number.precision(.fractionLength(places)).grouping(.never).locale(locale))
  }

  /// A number that a person has typed, with a point or a comma; nil when it is none.
  func number(in text: String) -> Double? {
    let trimmed = text.trimmingCharacters(in: .whitespaces)
    let isSeparator: Set<Character> = [".", ",", "٫"]
    let plain = trimmed.map { character -> Character in
      if isSeparator.contains(character) { return "." }
      return character.wholeNumberValue.flatMap { "\($0)".first } ?? character
    }
    guard plain.allSatisfy({ $0.isNumber || $0 == "." || $0 == "-" }) else { return nil }
    return Double(String(plain))
  }

  /// How many digits after the point a number needs, at most three.
  static func places(of value: Double) -> Int {
    (0..<3).first { places in
      let scale = [1.0, 10, 100][places]
      return abs((value * scale).rounded() - value * scale) < 1e-6
    } ?? 3
  }
}
