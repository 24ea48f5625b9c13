// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Apple asks for a reason wherever code uses certain interfaces ("Describing use of required reason
/// API"); an app without it is refused.
@Suite struct `The privacy manifest` {
  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("../../..").standardized
  private static let manifest = package.appendingPathComponent(
    "Sources/Platform/SantorioPrivacy/PrivacyInfo.xcprivacy")

  /// What the names of each category's interfaces look like in code.
  private static let uses = [
    "FileTimestamp": [
      "stat(", "statat(", "getattrlist", "creationDate", "odificationDate", "attributesOfItem",
    ],
    "SystemBootTime": ["systemUptime", "mach_absolute_time"],
    "DiskSpace": [
      "statfs(", "statvfs(", "volumeAvailableCapacity", "volumeTotalCapacity", "systemFreeSize",
      "systemSize",
    ],
    "ActiveKeyboards": ["activeInputModes"],
    "UserDefaults": ["UserDefaults"],
  ]

  /// What only Linux compiles.
  private static let linuxOnly = [
    "/Programs/", "/CoreBluetooth/", "/CoreBluetoothBlueZ/", "/SantorioCurl/", "/SantorioDBus/",
    "/SantorioRoutes/", "/SantorioSystemd/",
  ]

  private func plist() throws -> [String: Any] {
    let content = try unsafe PropertyListSerialization.propertyList(
      from: Data(contentsOf: Self.manifest), format: nil)
    return try #require(content as? [String: Any])
  }

  private func sources() throws -> [String] {
    let folder = Self.package.appendingPathComponent("Sources").path
    return try FileManager.default.subpathsOfDirectory(atPath: folder)
      .map { folder + "/" + $0 }
      .filter { path in
        path.hasSuffix(".swift") && !Self.linuxOnly.contains { path.contains($0) }
      }
      .map { try String(contentsOfFile: $0, encoding: .utf8) }
  }

  @Test func `names a reason for each interface that needs one, and for no other`() throws {
    let types = try #require(plist()["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
    let declared = Set(types.compactMap { $0["NSPrivacyAccessedAPIType"] as? String })
    for type in types {
      #expect((type["NSPrivacyAccessedAPITypeReasons"] as? [String])?.isEmpty == false)
    }
    let sources = try sources()
    #expect(sources.count > 200)
    let used = Self.uses.filter { _, names in
      sources.contains { source in names.contains { source.contains($0) } }
    }
    #expect(declared == Set(used.keys.map { "NSPrivacyAccessedAPICategory" + $0 }))
  }

  @Test func `says that health data is sent for the user, and that nobody is tracked`() throws {
    let plist = try plist()
    #expect(plist["NSPrivacyTracking"] as? Bool == false)
    #expect((plist["NSPrivacyTrackingDomains"] as? [String])?.isEmpty == true)
    let types = try #require(plist["NSPrivacyCollectedDataTypes"] as? [[String: Any]])
    #expect(
      types.compactMap { $0["NSPrivacyCollectedDataType"] as? String } == [
        "NSPrivacyCollectedDataTypeHealth", "NSPrivacyCollectedDataTypeUserID",
        "NSPrivacyCollectedDataTypePhotosorVideos",
      ])
    for type in types {
      #expect(type["NSPrivacyCollectedDataTypeLinked"] as? Bool == true)
      #expect(type["NSPrivacyCollectedDataTypeTracking"] as? Bool == false)
    }
  }
}
