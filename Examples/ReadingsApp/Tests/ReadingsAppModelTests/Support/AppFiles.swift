// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The files of the app that are no code.
enum AppFiles {
  /// The folder of the example.
  static let example = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  /// Whether the example is where this repository has it, and was not copied.
  static let isInRepository = FileManager.default.fileExists(
    atPath: example.appendingPathComponent("../../Sources/Facades/Santorio/Santorio.docc").path)
  /// The folder of the Xcode project.
  static let app = example.appendingPathComponent("App")
  /// The folder that Xcode builds.
  static let sources = app.appendingPathComponent("ReadingsApp")

  /// The Info.plist.
  static func information() throws -> [String: Any] {
    try propertyList(app.appendingPathComponent("Info.plist"))
  }

  /// A property list, such as an Info.plist, entitlements or an Xcode project.
  static func propertyList(_ file: URL) throws -> [String: Any] {
    let content = try PropertyListSerialization.propertyList(
      from: try Data(contentsOf: file), format: nil)
    return try #require(content as? [String: Any])
  }

  static func text(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }

  /// The texts of a String Catalog: language to key to text.
  static func catalogue(_ name: String) throws -> [String: [String: String]] {
    let file = sources.appendingPathComponent(name)
    let catalogue = try JSONDecoder().decode(Catalogue.self, from: try Data(contentsOf: file))
    var texts = ["en": [String: String](), "de": [:]]
    for (key, entry) in catalogue.strings {
      texts["en"]?[key] = key
      for (language, localization) in entry.localizations {
        texts[language, default: [:]][key] = localization.stringUnit.value
      }
    }
    return texts
  }

  private struct Catalogue: Decodable {
    struct Entry: Decodable { let localizations: [String: Localization] }
    struct Localization: Decodable { let stringUnit: Unit }
    struct Unit: Decodable { let value: String }
    let strings: [String: Entry]
  }
}
