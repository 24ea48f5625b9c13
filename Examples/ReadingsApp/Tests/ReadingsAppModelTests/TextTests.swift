// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReadingsAppModel
import Testing

@Suite struct `Texts of the app` {
  private func files() throws -> [(name: String, text: String)] {
    var files: [(String, String)] = []
    for folder in [AppFiles.sources, AppFiles.example.appendingPathComponent("Sources")] {
      let found = try #require(
        FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
      for case let file as URL in found where file.pathExtension == "swift" {
        files.append((file.lastPathComponent, try AppFiles.text(file)))
      }
    }
    return files
  }

  /// The placeholders of a text, in any order.
  private func placeholders(_ text: String) -> [String] {
    text.split(separator: "%").dropFirst().map { String($0.prefix { $0 != "@" }) }.sorted()
  }

  @Test func `are all in English and German`() throws {
    let catalogue = try AppFiles.catalogue("Localizable.xcstrings")
    let keys = Set(AppText.Key.allCases.map(\.rawValue))
    for (language, texts) in catalogue {
      #expect(Set(texts.keys) == keys, "\(language)")
      for (key, text) in texts {
        #expect(!text.isEmpty && placeholders(text) == placeholders(key), "\(language): \(key)")
      }
    }
    #expect(Set(catalogue.keys) == ["en", "de"])
  }

  @Test func `are all used`() throws {
    let sources = try files().filter { $0.name != "AppText+Key.swift" }.map(\.text).joined()
    for key in AppText.Key.allCases {
      #expect(sources.contains(try Regex("\\.\(key)\\b")), "\(key)")
    }
  }

  @Test func `have an argument for each placeholder`() {
    // What a placeholder lacks, the system fills with whatever lies in memory.
    for text in AppTab.allCases.map(\.title) + SignInModel.Field.allCases.map(\.title) {
      #expect(placeholders(text.key.rawValue).count == text.arguments.count)
    }
  }

  @Test func `are not written in the screens`() throws {
    for (name, text) in try files() {
      #expect(!text.contains(try Regex(#"(Text|Button|Label|navigationTitle)\("[^"]"#)), "\(name)")
    }
  }

  @Test func `say in both languages why the app wants what it asks for`() throws {
    let information = try AppFiles.information()
    let catalogue = try AppFiles.catalogue("InfoPlist.xcstrings")
    let wanted = Set(information.keys.filter { $0.hasSuffix("UsageDescription") })
    for (language, texts) in catalogue {
      #expect(Set(texts.keys) == wanted.union(["CFBundleDisplayName"]), "\(language)")
    }
    for (key, text) in catalogue["en"] ?? [:] { #expect(information[key] as? String == text) }
  }
}
