// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a unit string, and where.
package struct UnitSyntaxError: Error, Hashable, CustomStringConvertible {
  /// The whole string.
  package let string: String
  /// The position of the first character that cannot be read.
  package let position: Int
  /// What was expected there.
  package let reason: String

  /// The reason, the position and the string.
  package var description: String {
    "Unable to parse the unit \"\(string)\": \(reason) at character \(position)"
  }
}

/// A reader of unit strings.
///
/// A string is a product, or two with one `/` between them; the product after it is the divisor as
/// a whole. Factors are joined by `.`, `*` or `·`, and may have a power after `^`. A product in
/// parentheses is a factor, too; a quotient is not.
struct UnitParser {
  /// Larger powers are mistakes.
  static let largestPower = 1000

  private let characters: [Character]
  private var position = 0

  static func parse(_ string: String) throws(UnitSyntaxError) -> UnitProduct {
    var parser = UnitParser(string)
    return try parser.unit()
  }

  private init(_ string: String) {
    characters = Array(string)
  }

  private var next: Character? {
    position < characters.count ? characters[position] : nil
  }

  private mutating func skip(_ character: Character) -> Bool {
    guard next == character else { return false }
    position += 1
    return true
  }

  private func failure(_ reason: String) -> UnitSyntaxError {
    UnitSyntaxError(string: String(characters), position: position, reason: reason)
  }

  private mutating func unit() throws(UnitSyntaxError) -> UnitProduct {
    if isNull { return UnitProduct() }
    var result = try product()
    if skip("/") { result = result.multiplied(by: try product().raised(to: -1)) }
    guard position == characters.count else {
      throw failure(
        next == "/" ? "only one division is allowed" : "expected an operator")
    }
    return result
  }

  /// Whether there is nothing but parentheses around nothing.
  private var isNull: Bool {
    let half = characters.count / 2
    return characters.count.isMultiple(of: 2)
      && characters[..<half].allSatisfy { $0 == "(" }
      && characters[half...].allSatisfy { $0 == ")" }
  }

  private mutating func product() throws(UnitSyntaxError) -> UnitProduct {
    var result = try factor()
    while skip(".") || skip("*") || skip("·") {
      result = result.multiplied(by: try factor())
    }
    return result
  }

  private mutating func factor() throws(UnitSyntaxError) -> UnitProduct {
    let base: UnitProduct
    if skip("(") {
      base = try product()
      guard skip(")") else { throw failure("expected \")\"") }
    } else if skip("1") {
      return UnitProduct()
    } else {
      base = try simpleUnit()
    }
    return skip("^") ? base.raised(to: try power()) : base
  }

  private mutating func simpleUnit() throws(UnitSyntaxError) -> UnitProduct {
    let start = position
    while let character = next, isPartOfSymbol(character) { position += 1 }
    if next == "<" {
      while let character = next, character != ">" { position += 1 }
      _ = skip(">")
    }
    guard let unit = SimpleUnit(symbol: String(characters[start..<position])) else {
      position = start
      throw failure("expected a unit")
    }
    return UnitProduct(unit)
  }

  private func isPartOfSymbol(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character == "_" || character == "%")
  }

  private mutating func power() throws(UnitSyntaxError) -> Int {
    let start = position
    _ = skip("-")
    while let character = next, character.isASCII, character.isNumber { position += 1 }
    guard let power = Int(String(characters[start..<position])),
      abs(power) <= Self.largestPower
    else {
      position = start
      throw failure("expected a power")
    }
    return power
  }
}
