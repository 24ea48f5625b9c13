// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SantorioUITexts

/// Puts phrases into the words of a language, with numbers and dates as a locale writes them.
public struct Texts: Sendable {
  /// How numbers and dates are written.
  public let locale: Locale
  private let catalogue: TextCatalogue
  private let timeZone: TimeZone

  /// Texts in a language.
  ///
  /// - Parameters:
  ///   - language: Its code, such as `de`; that of the app when nil. English where the package has no
  ///     such language.
  ///   - locale: How numbers and dates are written.
  ///   - timeZone: In which dates are given.
  public init(
    language: String? = nil, locale: Locale = .autoupdatingCurrent,
    timeZone: TimeZone = .autoupdatingCurrent
  ) {
    self.locale = locale
    self.timeZone = timeZone
    catalogue = TextCatalogue(language: language)
  }

  /// A phrase in words.
  ///
  /// - Parameter phrase: The phrase.
  /// - Returns: The text.
  public func callAsFunction(_ phrase: Phrase) -> String {
    let format = catalogue.text(for: phrase.key) ?? phrase.key
    // A text of others may have percent signs of its own.
    guard phrase.isOwnText else { return format }
    return Self.filled(format, phrase.arguments.map(word))
  }

  /// A phrase of this module without arguments.
  func callAsFunction(_ key: TextKey) -> String { self(Phrase(key)) }

  /// A date with its time.
  ///
  /// - Parameters:
  ///   - date: The date.
  ///   - offset: Local time minus UTC in seconds at the place that is meant; that of the texts' time
  ///     zone when nil.
  /// - Returns: The text.
  public func text(of date: Date, utcOffsetSeconds offset: Int? = nil) -> String {
    let formatter = DateFormatter()
    formatter.locale = locale
    formatter.timeZone = offset.flatMap { TimeZone(secondsFromGMT: $0) } ?? timeZone
    (formatter.dateStyle, formatter.timeStyle) = (.medium, .short)
    return formatter.string(from: date)
  }

  private func word(for argument: Phrase.Argument) -> String {
    switch argument {
    case .verbatim(let text): text
    case .count(let count): Decimals(locale: locale).text(of: Double(count), places: 0)
    case .date(let date): text(of: date)
    case .phrase(let phrase): self(phrase)
    }
  }

  /// Puts arguments in the place of `%@`, in order, and of `%1$@`, by number; `%%` is a percent sign.
  static func filled(_ format: String, _ arguments: [String]) -> String {
    var (result, rest, next) = ("", format[...], 0)
    while let percent = rest.firstIndex(of: "%") {
      result += rest[..<percent]
      rest = rest[rest.index(after: percent)...]
      if rest.first == "%" {
        result += "%"
        rest = rest.dropFirst()
        continue
      }
      let digits = rest.prefix { $0.isWholeNumber }
      let isNumbered = !digits.isEmpty && rest.dropFirst(digits.count).first == "$"
      let index = isNumbered ? (Int(digits) ?? 0) - 1 : next
      let tail = isNumbered ? rest.dropFirst(digits.count + 1) : rest
      guard tail.first == "@", arguments.indices.contains(index) else {
        result += "%"
        continue
      }
      result += arguments[index]
      rest = tail.dropFirst()
      if !isNumbered { next += 1 }
    }
    return result + rest
  }
}
