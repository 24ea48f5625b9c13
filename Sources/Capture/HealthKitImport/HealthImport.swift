// SPDX-License-Identifier: Apache-2.0

import AppleHealthExport
import Foundation
package import HealthKit
import SantorioFiles

/// Imports the document of an Apple Health export into a store.
///
/// What is taken is committed with the place in the document that it goes up to: an import that was
/// killed continues there when the same document is imported again. A document that was imported
/// before, or a later export of the same person, adds only what is new.
package final class HealthImport {
  private let system: HealthSystem
  /// Two imports at once would take each other's first load for their own.
  private let lock: FileLock
  private let document: String
  private let progress: (ImportProgress) throws -> Void
  private let totalBytes: Int?
  private var reader: HealthExportReader<ImportWriter>

  private static let stateName = "import"

  /// How far an import was, as the store keeps it.
  private struct State: Codable {
    var document: String
    var position: ExportPosition
    var isFirstLoad: Bool
    var firstRow: Int64
    var isOlder: Bool
    var report: ImportReport
    var findings: ExportFindings
    var copies: ImportCopies.State
  }

  /// Begins or continues an import.
  ///
  /// - Parameters:
  ///   - system: The store.
  ///   - document: What tells the document from others: its size and a digest of its beginning.
  ///   - totalBytes: The document's size, for the progress.
  ///   - progress: Is called after each commit; its error ends the import, which can be continued.
  /// - Throws: The errors of the store.
  package init(
    into system: HealthSystem, document: String, totalBytes: Int?,
    progress: @escaping (ImportProgress) throws -> Void
  ) throws {
    self.system = system
    // The store first: its folder may have to be made for the lock.
    try system.sync { try $0.requireWritable() }
    do {
      lock = try FileLock(system.path + ".import")
    } catch {
      guard error == .taken else { throw error }
      throw ImportError.underWay
    }
    self.document = document
    self.totalBytes = totalBytes
    self.progress = progress
    let (writer, position, findings) = try system.importing { try Self.begin(document, $0) }
    reader = HealthExportReader(handler: writer, at: position, after: findings)
  }

  private static func begin(
    _ document: String, _ database: HealthDatabase
  ) throws -> (ImportWriter, ExportPosition, ExportFindings) {
    // What another version of the program has kept is no state of this one.
    let saved = try database.state(stateName).flatMap {
      try? JSONDecoder().decode(State.self, from: Data($0.utf8))
    }
    try database.relaxSynchronization()
    if let saved, saved.document == document {
      let writer = ImportWriter(
        database, isFirstLoad: saved.isFirstLoad, firstRow: saved.firstRow, copies: saved.copies,
        report: saved.report, isOlder: saved.isOlder)
      return (writer, saved.position, saved.findings)
    }
    // Another document that was not finished is given up: what it brought is in the store.
    var isFirstLoad = false
    var firstRow: Int64 = 0
    try database.write {
      isFirstLoad = try database.isEmpty()
      _ = try database.joinExpectedParts()
      firstRow = database.nextRow
    }
    let writer = ImportWriter(database, isFirstLoad: isFirstLoad, firstRow: firstRow)
    return (writer, .start, ExportFindings())
  }

  /// Where the document has to be read from: 0, unless an import of it was not finished.
  package var offset: Int { reader.position.offset }

  /// Takes the next bytes of the document, and commits what they bring.
  ///
  /// - Parameter bytes: Some megabytes; of fewer, more commits are made.
  /// - Throws: ``HealthExportError`` if this is no export, and the store's errors.
  package func feed(_ bytes: UnsafeRawBufferPointer) throws {
    try system.importing { database in
      let (_, types) = try database.write {
        try unsafe reader.feed(bytes)
        if let failure = reader.handler.failure { throw failure }
        try keepState(database)
      }
      system.announceImport(types)
    }
    try progress(
      ImportProgress(
        bytes: reader.position.offset, totalBytes: totalBytes,
        samples: reader.handler.report.added + reader.handler.report.known))
  }

  private func keepState(_ database: HealthDatabase) throws {
    let writer = reader.handler
    let state = State(
      document: document, position: reader.position, isFirstLoad: writer.isFirstLoad,
      firstRow: writer.firstRow, isOlder: writer.isOlder, report: writer.report,
      findings: reader.findings, copies: writer.copies.state)
    try database.setState(
      Self.stateName, String(decoding: JSONEncoder().encode(state), as: UTF8.self))
  }

  /// Whether an import into a store was begun and not completed.
  package static func isUnfinished(_ system: HealthSystem) throws -> Bool {
    try system.sync { try $0.state(stateName) } != nil
  }

  /// Says that the document has no more bytes, and completes the import.
  ///
  /// - Parameter files: Files of the export that are not imported, by kind.
  /// - Returns: What was found and what became of it.
  /// - Throws: ``HealthExportError`` if there was no export, and the store's errors.
  package func finish(files: [String: Int] = [:]) throws -> ImportReport {
    let added = try system.importing { database in
      let (added, types) = try database.write {
        try reader.finish()
        if let failure = reader.handler.failure { throw failure }
        let added = try database.joinExpectedParts()
        try database.setState(Self.stateName, nil)
        return added
      }
      try database.restoreSynchronization()
      system.announceImport(types)
      return added
    }
    return report(added: added, files)
  }

  private func report(added: Int, _ files: [String: Int]) -> ImportReport {
    var writer = reader.handler
    writer.note(reader.counts, reader.problems, isComplete: reader.isComplete)
    writer.note(files)
    var report = writer.report
    report.added += added
    return report
  }
}
