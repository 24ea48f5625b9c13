// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The String Catalog of the views: Xcode compiles it to tables, the package manager copies it.
///
/// It is a module of its own, like that of the pictures: what the package manager generates for
/// resources compiles with the oldest SDK in Swift 5 mode only, and traps where they are missing.
package struct TextCatalogue: Sendable {
  // Immutable: read from the file once, or looked up by the system in a bundle that does not change.
  private let texts: [String: String]
  private let table: URL?

  /// The texts of a language.
  ///
  /// - Parameter language: Its code; that of the app when nil.
  package init(language: String?) {
    let wanted = language.map { [$0] } ?? Self.appLanguages
    guard let source = Self.source else {
      (texts, table) = ([:], nil)
      return
    }
    let known = Self.translations(in: source)
    if !known.isEmpty {
      let chosen = Self.choice(of: wanted, among: Array(known.keys))
      (texts, table) = (chosen.flatMap { known[$0] } ?? [:], nil)
    } else {
      let bundle = Bundle(url: source)
      let chosen = Self.choice(of: wanted, among: bundle?.localizations ?? [])
      texts = [:]
      table = chosen.flatMap { bundle?.url(forResource: $0, withExtension: "lproj") }
    }
  }

  /// A text of the language.
  ///
  /// - Parameter key: The text in English.
  /// - Returns: The translation; nil where there is none.
  package func text(for key: String) -> String? {
    if let text = texts[key] { return text }
    guard let table, let bundle = Bundle(url: table) else { return nil }
    let text = bundle.localizedString(forKey: key, value: "", table: nil)
    return text.isEmpty ? nil : text
  }

  /// The first of the wanted languages that is there; nil for English, in which the keys are.
  static func choice(of wanted: [String], among known: [String]) -> String? {
    for language in wanted {
      let parts = language.replacingOccurrences(of: "_", with: "-").split(separator: "-")
      for count in stride(from: parts.count, to: 0, by: -1) {
        let name = parts.prefix(count).joined(separator: "-").lowercased()
        if let match = known.first(where: { $0.lowercased() == name }) { return match }
        if name == "en" { return nil }
      }
    }
    return nil
  }

  /// The languages of the app, the best first.
  private static var appLanguages: [String] {
    #if canImport(Darwin)
      Bundle.main.preferredLocalizations
    #else
      Locale.preferredLanguages
    #endif
  }

  // MARK: - Where it is

  private static let name = "santorio_SantorioUITexts"

  #if canImport(Darwin)
    private final class Marker {}

    /// The bundle with the catalogue; nil where the app was built without it.
    private static let source: URL? = {
      let own = Bundle(for: Marker.self)
      let places = [Bundle.main.resourceURL, own.resourceURL, Bundle.main.bundleURL, own.bundleURL]
      return places.compactMap { $0?.appendingPathComponent("\(name).bundle") }
        .first { Bundle(url: $0) != nil }
    }()
  #else
    private static let source: URL? =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")).map {
        URL(fileURLWithPath: $0).deletingLastPathComponent()
          .appendingPathComponent("\(name).resources")
      }
  #endif

  // MARK: - The file

  private struct File: Decodable {
    let strings: [String: Entry]
  }
  private struct Entry: Decodable {
    let localizations: [String: Localization]?
  }
  private struct Localization: Decodable {
    let stringUnit: Unit?
  }
  private struct Unit: Decodable {
    let value: String
  }

  private static let cache = TranslationCache()

  /// The translations by their languages, of a catalogue that was copied as it is; empty of one that
  /// was compiled.
  private static func translations(in source: URL) -> [String: [String: String]] {
    cache.value {
      let url = source.appendingPathComponent("Localizable.xcstrings")
      guard let data = try? Data(contentsOf: url),
        let file = try? JSONDecoder().decode(File.self, from: data)
      else { return [:] }
      var all: [String: [String: String]] = [:]
      for (key, entry) in file.strings {
        for (language, localization) in entry.localizations ?? [:] {
          all[language, default: [:]][key] = localization.stringUnit?.value
        }
      }
      return all
    }
  }
}

/// Keeps the translations once they are read.
private final class TranslationCache: @unchecked Sendable {
  // `lock` guards `kept`.
  private let lock = NSLock()
  private var kept: [String: [String: String]]?

  func value(_ read: () -> [String: [String: String]]) -> [String: [String: String]] {
    lock.lock()
    defer { lock.unlock() }
    if let kept { return kept }
    let value = read()
    kept = value
    return value
  }
}
