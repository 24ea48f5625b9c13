// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReadingsAppModel
import Testing

/// What the checklist says that an app declares is what this app declares.
@Suite struct `Checklist of the app` {
  private let text: String
  private let sections: [String: Set<String>]

  init() throws {
    text = try AppFiles.text(AppFiles.example.appendingPathComponent("CHECKLIST.md"))
    var (sections, heading) = ([String: Set<String>](), "")
    for line in text.split(separator: "\n") {
      if line.hasPrefix("## ") { heading = String(line.dropFirst(3)) }
      // The names in the first column of a table.
      guard line.hasPrefix("| `") else { continue }
      let names = line.split(separator: "|")[0].split(
        separator: "`", omittingEmptySubsequences: false)
      for (index, name) in names.enumerated() where index % 2 == 1 {
        sections[heading, default: []].insert(String(name))
      }
    }
    self.sections = sections
  }

  private func list(_ key: String) throws -> Set<String> {
    let information = try AppFiles.information()
    return Set(try #require(information[key] as? [String]))
  }

  /// What a privacy manifest collects and calls.
  private func manifest(_ file: URL) throws -> Set<String> {
    let manifest = try AppFiles.propertyList(file)
    let collected = try #require(
      manifest["NSPrivacyCollectedDataTypes"] as? [[String: Any]])
    let called = try #require(manifest["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
    return Set(
      collected.compactMap { $0["NSPrivacyCollectedDataType"] as? String }
        + called.compactMap { $0["NSPrivacyAccessedAPIType"] as? String })
  }

  private var appManifest: URL { AppFiles.sources.appendingPathComponent("PrivacyInfo.xcprivacy") }

  @Test func `has the keys of the Info.plist that this package needs`() throws {
    let keys = try AppFiles.information().keys.filter { key in
      ["NS", "BG"].contains { key.hasPrefix($0) } || key == "UIBackgroundModes"
    }
    #expect(sections["Info.plist"] == Set(keys))
    #expect(sections["Background modes"] == (try list("UIBackgroundModes")))
    let tasks = try list("BGTaskSchedulerPermittedIdentifiers")
    #expect(sections["Background tasks"] == tasks)
    #expect(tasks == Set(AppIdentifiers.backgroundTasks))
  }

  @Test func `has the entitlements`() throws {
    let entitlements = try AppFiles.propertyList(
      AppFiles.app.appendingPathComponent("ReadingsApp.entitlements"))
    #expect(sections["Entitlements"] == Set(entitlements.keys))
  }

  @Test func `has what the privacy manifest says`() throws {
    #expect(sections["Privacy manifest"] == (try manifest(appManifest)))
  }

  @Test func `leaves out what the app does not declare`() throws {
    let declared = ["Info.plist", "Background modes", "Entitlements"]
      .reduce(into: Set<String>()) { $0.formUnion(sections[$1] ?? []) }
    let left = try #require(sections["Left out on purpose"])
    #expect(left.contains("NSAppTransportSecurity"))
    #expect(left.isDisjoint(with: declared))
    #expect(left.isDisjoint(with: try AppFiles.information().keys))
  }

  @Test(.enabled(if: AppFiles.isInRepository))
  func `has all that the package's article asks of an iOS app`() throws {
    let article = AppFiles.example.appendingPathComponent(
      "../../Sources/Facades/Santorio/Santorio.docc/AppleConfiguration.md")
    var asked: Set<String> = []
    for line in try AppFiles.text(article).split(separator: "\n") where line.hasPrefix("| `") {
      let columns = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard columns.count > 4, columns[1] == "yes" || columns[1] == "if" else { continue }
      let names = columns[0].split(separator: "`").map(String.init)
      asked.insert(names.last { !$0.hasPrefix(":") } ?? "")
    }
    #expect(asked.count > 8)
    #expect(asked.subtracting(sections.values.reduce([]) { $0.union($1) }).isEmpty)
  }

  @Test(.enabled(if: AppFiles.isInRepository))
  func `collects at least what the package does`() throws {
    let package = AppFiles.example.appendingPathComponent(
      "../../Sources/Platform/SantorioPrivacy/PrivacyInfo.xcprivacy")
    let collected = try manifest(package).filter { $0.contains("CollectedDataType") }
    #expect(collected.count > 2)
    #expect(collected.isSubset(of: try manifest(appManifest)))
  }

  @Test(arguments: ["CHECKLIST.md", "README.md"])
  func `links to files that are there`(name: String) throws {
    let text = try AppFiles.text(AppFiles.example.appendingPathComponent(name))
    var count = 0
    for match in text.matches(of: try Regex(#"\]\(([^)#]+)[^)]*\)"#)) {
      let path = try #require(match.output[1].substring)
      guard !path.hasPrefix("http"), AppFiles.isInRepository || !path.hasPrefix("..") else {
        continue
      }
      count += 1
      let file = AppFiles.example.appendingPathComponent(String(path))
      #expect(FileManager.default.fileExists(atPath: file.path), "\(path)")
    }
    #expect(count > 3)
  }
}
