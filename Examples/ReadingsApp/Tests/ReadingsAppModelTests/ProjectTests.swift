// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The Xcode project, which nothing here can build: what it names is there.
@Suite struct `Xcode project` {
  typealias Object = [String: Any]

  private let objects: [String: Object]
  private let root: Object

  init() throws {
    let file = AppFiles.app.appendingPathComponent("ReadingsApp.xcodeproj/project.pbxproj")
    let project = try AppFiles.propertyList(file)
    objects = try #require(project["objects"] as? [String: Object])
    let main = try #require(project["rootObject"] as? String)
    root = try #require(objects[main])
  }

  private func all(_ kind: String) -> [Object] {
    objects.values.filter { $0["isa"] as? String == kind }
  }

  private func object(_ key: String, of parent: Object) throws -> Object {
    let name = try #require(parent[key] as? String)
    return try #require(objects[name])
  }

  private func settings() -> [Object] {
    all("XCBuildConfiguration").compactMap { $0["buildSettings"] as? Object }
  }

  private func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: AppFiles.app.appendingPathComponent(path).path)
  }

  /// The identifiers in a value.
  private func references(_ value: Any) -> [String] {
    switch value {
    case let text as String:
      text.count == 24 && text.allSatisfy(\.isHexDigit) ? [text] : []
    case let list as [Any]: list.flatMap(references)
    case let table as Object: table.values.flatMap(references)
    default: []
    }
  }

  @Test func `names no object that is not there, and has none that nothing names`() throws {
    let project = try #require(objects.first { $0.value["isa"] as? String == "PBXProject" }?.key)
    let named = Set(objects.values.flatMap(references))
    #expect(named.subtracting(objects.keys).isEmpty)
    #expect(Set(objects.keys).subtracting(named) == [project])
  }

  @Test func `names files that are there`() throws {
    var paths: [String] = []
    let group = try object("mainGroup", of: root)
    for child in try #require(group["children"] as? [String]) {
      let file = try #require(objects[child])
      if let path = file["path"] as? String { paths.append(path) }
    }
    #expect(paths.sorted() == ["Info.plist", "ReadingsApp", "ReadingsApp.entitlements"])
    #expect(paths.allSatisfy(exists))
    for key in ["INFOPLIST_FILE", "CODE_SIGN_ENTITLEMENTS"] {
      let named = settings().compactMap { $0[key] as? String }
      #expect(named.count == 2 && named.allSatisfy(paths.contains))
    }
    for (key, ending) in [
      ("ASSETCATALOG_COMPILER_APPICON_NAME", "appiconset"),
      ("ASSETCATALOG_COMPILER_GLOBAL_ACCENT_COLOR_NAME", "colorset"),
    ] {
      let named = settings().compactMap { $0[key] as? String }
      #expect(named.count == 2)
      #expect(named.allSatisfy { exists("ReadingsApp/Assets.xcassets/\($0).\(ending)") })
    }
  }

  @Test(.enabled(if: AppFiles.isInRepository)) func `names packages that are there`() {
    let paths = all("XCLocalSwiftPackageReference").compactMap { $0["relativePath"] as? String }
    #expect(paths.count == 2 && paths.allSatisfy { exists($0 + "/Package.swift") })
  }

  @Test func `links what the screens import`() throws {
    var imported: Set<String> = []
    let files = try #require(
      FileManager.default.enumerator(at: AppFiles.sources, includingPropertiesForKeys: nil))
    for case let file as URL in files where file.pathExtension == "swift" {
      for line in try AppFiles.text(file).split(separator: "\n") {
        let words = line.split(separator: " ")
        if words.count >= 2, words[words.count - 2] == "import" {
          imported.insert("\(words.last ?? "")")
        }
      }
    }
    let products = all("XCSwiftPackageProductDependency").compactMap {
      $0["productName"] as? String
    }
    let system: Set = ["Foundation", "SwiftUI", "UIKit", "UserNotifications"]
    #expect(imported.subtracting(system) == Set(products))
    #expect(all("PBXBuildFile").count == products.count)
  }

  @Test func `has the languages of the texts and the package's system version`() throws {
    let regions = try #require(root["knownRegions"] as? [String])
    #expect(Set(try AppFiles.catalogue("Localizable.xcstrings").keys).isSubset(of: regions))
    let versions = settings().compactMap { $0["IPHONEOS_DEPLOYMENT_TARGET"] as? String }
    #expect(versions == ["16.0", "16.0"])
    let manifest = try AppFiles.text(AppFiles.example.appendingPathComponent("Package.swift"))
    #expect(manifest.contains(".iOS(.v16)"))
  }

  @Test func `has an icon as the App Store wants it`() throws {
    let file = AppFiles.sources.appendingPathComponent(
      "Assets.xcassets/AppIcon.appiconset/AppIcon.png")
    let header = Array(try Data(contentsOf: file).prefix(26))
    #expect(header.prefix(4) == [0x89, 0x50, 0x4e, 0x47])
    // Width and height, then bits for each colour, then colours without transparency.
    #expect(header[16...] == [0, 0, 4, 0, 0, 0, 4, 0, 8, 2])
  }
}
