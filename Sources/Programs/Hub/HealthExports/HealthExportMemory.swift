// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCryptography

/// The health store of a patient, and which exports are in it.
///
/// Each owner of the alias has a folder: what was imported of one is never read for the next.
struct HealthExportMemory {
  private struct Facts: Codable {
    /// Exports of before are not the owner's; nil for the alias's first owner.
    var since: Date?
    var taken: [HealthExportFile] = []
    /// When records were made for the first time.
    var begun: Date?
    /// When the last one was taken.
    var last: Date?
    /// Whether records have not been made of all that is in the store.
    var isReadingOwed = false
    /// How many records were made.
    var records = 0
  }

  private let folder: URL
  private var facts: Facts

  /// The health store.
  var store: String { folder.appendingPathComponent("health.sqlite").path }

  private static let file = "exports.json"

  /// Opens the memory for an owner, and removes those of others.
  ///
  /// - Parameters:
  ///   - parent: The folder in which those of all owners are.
  ///   - owner: Who the patient is.
  ///   - former: What the same patient was called before there was a server; nil if there is none.
  ///   - now: The time of day.
  /// - Throws: The errors of the file system.
  init(in parent: URL, of owner: String, formerly former: String?, now: Date) throws {
    let name = Self.name(of: owner)
    folder = parent.appendingPathComponent(name, isDirectory: true)
    let manager = FileManager.default
    if let former = former.map({ parent.appendingPathComponent(Self.name(of: $0)) }),
      manager.fileExists(atPath: former.path), !manager.fileExists(atPath: folder.path)
    {
      try manager.moveItem(at: former, to: folder)
    }
    let others = ((try? manager.contentsOfDirectory(atPath: parent.path)) ?? [])
      .filter { $0 != name }
    try manager.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let path = folder.appendingPathComponent(Self.file).path
    if manager.fileExists(atPath: path) {
      facts = try JSONDecoder().decode(Facts.self, from: Data(contentsOf: URL(filePath: path)))
    } else {
      facts = Facts(since: others.isEmpty ? nil : now)
      // Before the others are gone: without them nobody knows that the alias was somebody else's.
      try keep()
    }
    for other in others {
      try manager.removeItem(at: parent.appendingPathComponent(other))
    }
  }

  private static func name(of owner: String) -> String { SHA256Digest.hex(Array(owner.utf8)) }

  /// How many exports were taken.
  var count: Int { facts.taken.count }

  /// When the last one was taken.
  var last: Date? { facts.last }

  /// Whether records have not been made of all that is in the store.
  var isReadingOwed: Bool { facts.isReadingOwed }

  /// Whether an export was taken as it is now.
  func has(_ file: HealthExportFile) -> Bool { facts.taken.contains(file) }

  /// Whether an export was there before the alias became this patient's.
  func isOfBefore(_ file: HealthExportFile) -> Bool {
    facts.since.map { file.modified < $0 } ?? false
  }

  /// Notes that an export is in the store, and that records have to be made.
  mutating func take(_ file: HealthExportFile, at now: Date) throws {
    facts.taken.removeAll { $0.name == file.name }
    facts.taken.append(file)
    (facts.last, facts.isReadingOwed) = (now, true)
    try keep()
  }

  /// When records were made for the first time; that is now if they never were.
  ///
  /// A session that is started anew for the same patient reads from there on, too.
  mutating func begun(at now: Date) throws -> Date {
    if let begun = facts.begun { return begun }
    facts.begun = now
    try keep()
    return now
  }

  /// How many records were made.
  var records: Int { facts.records }

  /// Notes that records were made, and whether that is all.
  mutating func noteRead(_ records: Int, isComplete: Bool) throws {
    facts.records += records
    facts.isReadingOwed = !isComplete
    try keep()
  }

  /// Forgets exports that are in the folder no more.
  mutating func keepOnly(_ files: [HealthExportFile]) throws {
    let names = Set(files.map(\.name))
    guard facts.taken.contains(where: { !names.contains($0.name) }) else { return }
    facts.taken.removeAll { !names.contains($0.name) }
    try keep()
  }

  private func keep() throws {
    try JSONEncoder().encode(facts).write(
      to: folder.appendingPathComponent(Self.file), options: .atomic)
  }
}
