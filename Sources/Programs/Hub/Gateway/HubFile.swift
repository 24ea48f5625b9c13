// SPDX-License-Identifier: Apache-2.0

package import Foundation
import SantorioCore
import SantorioCryptography

/// The file of a hub's facts, `.hub.json` in its folder, with a checksum, and its copy.
///
/// The copy is written first: a file that can be read is what was kept last, and a copy that is read in
/// its place is as new or newer.
package struct HubFile {
  private let path: String
  private let copy: String

  init(folder: URL) {
    path = folder.appendingPathComponent(".hub.json").path
    copy = folder.appendingPathComponent(".hub.copy.json").path
  }

  /// Returns true if a folder is a hub's: it holds the file or its copy.
  package static func exists(in folder: URL) -> Bool {
    let file = HubFile(folder: folder)
    return exists(file.path) || exists(file.copy)
  }

  /// Reads the facts; nil where there is neither file.
  ///
  /// - Throws: `SessionError` when neither can be read.
  func read() throws(SessionError) -> HubFacts? {
    if let facts = Self.facts(at: path) { return facts }
    if let facts = Self.facts(at: copy) {
      HubLog.warn("the hub's file cannot be read; its copy is")
      return facts
    }
    guard !Self.exists(path), !Self.exists(copy) else {
      throw SessionError(
        .storageFailed,
        "neither \(path) nor its copy \(copy) can be read, which say whose the enrolled devices are, and "
          + "since when; restore one of them. Without them, what a device still has of an earlier "
          + "patient is taken for the next one's: remove them only where no device has changed hands, "
          + "then enrol them anew")
    }
    return nil
  }

  /// Writes the facts, which are on disk when this returns.
  func write(_ facts: HubFacts) throws(SessionError) {
    // Numbers, texts and dates can always be encoded.
    guard let bytes = try? Self.bytes(of: facts) else { return }
    for path in [copy, path] {
      let file = try DurableFile(path: path)
      try file.write(bytes)
      try file.commit()
    }
  }

  /// A link to nothing is not a missing file.
  private static func exists(_ path: String) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: path)) != nil
  }

  // MARK: - The form

  private static let (opening, middle, end) = ("{\"sha256\":\"", "\",\"facts\":", "}\n")

  private static func bytes(of facts: HubFacts) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let content = Array(try encoder.encode(facts))
    let digest = SHA256Digest.hex(content)
    return Array((opening + digest + middle).utf8) + content + Array(end.utf8)
  }

  /// The facts of a file; nil where it is missing or damaged.
  private static func facts(at path: String) -> HubFacts? {
    guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
    let start = opening.utf8.count + 64 + middle.utf8.count
    guard bytes.count > start + end.utf8.count else { return nil }
    let content = Array(bytes[start..<(bytes.count - end.utf8.count)])
    let digest = SHA256Digest.hex(content)
    guard Array(bytes.prefix(start)) == Array((opening + digest + middle).utf8) else { return nil }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try? decoder.decode(HubFacts.self, from: Data(content))
  }
}
