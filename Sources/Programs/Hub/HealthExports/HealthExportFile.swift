// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An export of the iPhone's Health app in a folder: an archive, a document, or an unpacked folder.
struct HealthExportFile: Hashable, Sendable, Codable {
  /// Its name in the folder.
  let name: String
  /// Bytes of the file, or of all files of the unpacked folder that it may be read from.
  let size: Int
  /// When it was changed last.
  let modified: Date

  /// The exports of a folder, those that were changed last at the end.
  ///
  /// Hidden files, symbolic links and what has another extension are left out: programs that transfer
  /// files give what is incomplete such a name.
  ///
  /// - Throws: The error of the file system.
  static func all(in folder: String) throws -> [Self] {
    try FileManager.default.contentsOfDirectory(atPath: folder)
      .compactMap { Self($0, in: folder) }
      .sorted { ($0.modified, $0.name) < ($1.modified, $1.name) }
  }

  private init?(_ name: String, in folder: String) {
    guard !name.hasPrefix("."), let facts = Facts(folder + "/" + name) else { return nil }
    if facts.isFolder {
      guard let inside = Self.documents(in: folder + "/" + name) else { return nil }
      self.init(name: name, size: inside.size, modified: inside.modified)
    } else {
      guard Self.isExport(name) else { return nil }
      self.init(name: name, size: facts.size, modified: facts.modified)
    }
  }

  private init(name: String, size: Int, modified: Date) {
    (self.name, self.size, self.modified) = (name, size, modified)
  }

  private static func isExport(_ name: String) -> Bool {
    ["zip", "xml"].contains((name as NSString).pathExtension.lowercased())
  }

  /// The documents of an unpacked folder, or of the one in it; nil if there are none.
  private static func documents(in folder: String) -> (size: Int, modified: Date)? {
    let manager = FileManager.default
    var all: [Facts] = []
    for name in (try? manager.contentsOfDirectory(atPath: folder)) ?? [] {
      guard let facts = Facts(folder + "/" + name) else { continue }
      if facts.isFolder {
        let inside = (try? manager.contentsOfDirectory(atPath: folder + "/" + name)) ?? []
        all += inside.filter(isDocument).compactMap { Facts(folder + "/" + name + "/" + $0) }
      } else if isDocument(name) {
        all.append(facts)
      }
    }
    guard let last = all.map(\.modified).max() else { return nil }
    return (all.map(\.size).reduce(0, +), last)
  }

  private static func isDocument(_ name: String) -> Bool {
    (name as NSString).pathExtension.lowercased() == "xml"
  }
}

/// What the file system says of a file or a folder; nil for anything else, such as a symbolic link.
private struct Facts {
  let isFolder: Bool
  let size: Int
  let modified: Date

  init?(_ path: String) {
    let facts = try? FileManager.default.attributesOfItem(atPath: path)
    guard let kind = facts?[.type] as? FileAttributeType,
      kind == .typeRegular || kind == .typeDirectory,
      let date = facts?[.modificationDate] as? Date
    else { return nil }
    isFolder = kind == .typeDirectory
    size = (facts?[.size] as? NSNumber)?.intValue ?? 0
    modified = date
  }
}
