// SPDX-License-Identifier: Apache-2.0

import DigitReader
import Foundation
import HealthDevices
import HealthRecords
import SantorioOCR
import Testing

@testable import SantorioUI
@testable import SantorioUITexts

@Suite struct `Texts of the screens` {
  private struct Catalogue: Decodable {
    struct Entry: Decodable {
      let extractionState: String?
      let localizations: [String: Localization]
    }
    struct Localization: Decodable {
      struct Unit: Decodable {
        let state: String
        let value: String
      }
      let stringUnit: Unit
    }
    let sourceLanguage: String
    let strings: [String: Entry]
  }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Sources/Interface").standardized

  private func catalogue() throws -> Catalogue {
    let file = Self.root.appendingPathComponent("SantorioUITexts/Resources/Localizable.xcstrings")
    return try JSONDecoder().decode(Catalogue.self, from: Data(contentsOf: file))
  }

  /// The texts of other modules that are shown.
  private static var others: Set<String> {
    var texts: Set<String> = []
    for device in DeviceModel.supported {
      texts.formUnion([device.instructions, device.readingInstructions])
      if let text = device.pairingInstructions { texts.insert(text) }
    }
    for row in MetricTable.rows {
      texts.insert(row.displayName)
      texts.formUnion(row.valueNames.values.map { $0.replacingOccurrences(of: "_", with: " ") })
    }
    texts.formUnion(CaptureAdvice.allCases.map(\.text))
    texts.formUnion(OCRPeripheral.supportedPeripherals().map(\.name))
    return texts
  }

  private static func placeholders(_ text: String) -> [String] {
    text.matches(of: /%(?:%|(?:[0-9]\$)?@)/).map { String($0.output) }.sorted()
  }

  @Test func `are all in the String Catalog, with a translation`() throws {
    let catalogue = try catalogue()
    #expect(catalogue.sourceLanguage == "en")
    for key in TextKey.allCases.map(\.rawValue) + Self.others {
      let german = catalogue.strings[key]?.localizations["de"]?.stringUnit
      #expect(german?.state == "translated", "\(key)")
      #expect(german?.value.isEmpty == false, "\(key)")
    }
  }

  @Test func `are all that the String Catalog has`() throws {
    let used = Set(TextKey.allCases.map(\.rawValue)).union(Self.others)
    // Entries that only an app with a licensee's plug-in can read.
    let licensed = DeviceCatalogue.standard.entries.filter(\.isDisabled).flatMap {
      [$0.instructions, $0.readingInstructions, $0.pairingInstructions].compactMap(\.self)
    }
    let stale = Set(try catalogue().strings.keys).subtracting(used).subtracting(licensed)
    #expect(stale.isEmpty, "\(stale)")
  }

  @Test func `have the same placeholders in each language`() throws {
    for (key, entry) in try catalogue().strings {
      for (language, localization) in entry.localizations {
        #expect(
          Self.placeholders(localization.stringUnit.value) == Self.placeholders(key),
          "\(language): \(key)")
      }
    }
  }

  @Test func `are all said somewhere`() throws {
    let folder = Self.root.appendingPathComponent("SantorioUI")
    var source = ""
    let files = try #require(FileManager.default.enumerator(atPath: folder.path))
    for case let path as String in files
    where path.hasSuffix(".swift") && !path.hasSuffix("TextKey.swift") {
      source += try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
    }
    let words = Set(source.matches(of: /\.([A-Za-z]+)/).map { String($0.output.1) })
    let unused = TextKey.allCases.filter { !words.contains("\($0)") }
    #expect(unused.isEmpty, "\(unused)")
  }

  @Test func `are no texts of their own in the views`() throws {
    let folder = Self.root.appendingPathComponent("SantorioUI")
    let files = try #require(FileManager.default.enumerator(atPath: folder.path))
    for case let path as String in files where path.hasSuffix("View.swift") {
      let source = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
      for match in source.matches(of: /"[^"\n]*[a-z]{3} [a-z][^"\n]*"/) {
        #expect(match.output.contains("\\("), "\(path): \(match.output)")
      }
    }
  }

  @Test func `are in the language that is asked for`() {
    let (english, german) = (Texts(language: "en"), Texts(language: "de"))
    #expect(english(.tryAgain) == "Try again")
    #expect(german(.tryAgain) == "Erneut versuchen")
    #expect(Texts(language: "de_AT")(.tryAgain) == "Erneut versuchen")
    #expect(Texts(language: "fr")(.tryAgain) == "Try again")
    #expect(german(Phrase(.systolic)) == "Systolischer Blutdruck")
    #expect(
      german(Phrase(english: DeviceModel.aAndDUA651BLE.instructions)).hasPrefix("Setzen Sie sich"))
    #expect(german(Phrase(english: "100 % of an app's own, %@")) == "100 % of an app's own, %@")
    #expect(TextCatalogue.choice(of: ["fr", "de-CH"], among: ["de"]) == "de")
    #expect(TextCatalogue.choice(of: ["en-GB", "de"], among: ["de"]) == nil)
    #expect(TextCatalogue.choice(of: [], among: ["de"]) == nil)
  }

  @Test func `have numbers and dates as the region writes them`() {
    let german = Texts(
      language: "de", locale: Locale(identifier: "de_DE"),
      timeZone: TimeZone(identifier: "Europe/Berlin") ?? .gmt)
    let american = Texts(
      language: "en", locale: Locale(identifier: "en_US"), timeZone: .gmt)
    let date = Phrase(.lastRead, .date(Stage.now))
    #expect(german(date).hasPrefix("Zuletzt ausgelesen: 15.06.2024"))
    #expect(german(date).contains("17:40"))
    #expect(american(date).contains("Jun 15, 2024"))
    #expect(american.text(of: Stage.now, utcOffsetSeconds: 3600).contains("4:40"))
    #expect(german(Phrase(.battery, .count(90))) == "Batterie: 90 %")
    #expect(
      american(Phrase(.archiveContent, .count(2), .text(.archiveEnded)))
        == "Readings: 2, signed out: by you")
  }

  @Test func `are filled in where placeholders stand`() {
    #expect(Texts.filled("%2$@ %1$@", ["a", "b"]) == "b a")
    #expect(Texts.filled("%@, %@", ["a", "b"]) == "a, b")
    #expect(Texts.filled("100 %%", []) == "100 %")
    #expect(Texts.filled("%", []) == "%")
    #expect(Texts.filled("%@ %3$@", ["%@"]) == "%@ %3$@")
  }
}
