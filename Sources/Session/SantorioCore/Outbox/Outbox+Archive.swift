// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite

// What a session leaves behind: a file with one line per record. A line holds the record's name, a
// tab, and the record as kept in the queue, encrypted, both in Base64. For a held record, a tab and
// a word follow.
extension Outbox {
  /// Writes all rows of the queue to a file; nil when there are none.
  func archiveQueue(of session: StoredSession) throws -> String? {
    guard try !isEmpty() else { return nil }
    let name = "archive-\(session.id).records"
    let file = try DurableFile(path: folder.path + "/" + name)
    let seal = try seal
    let rows = try database.prepare(
      "SELECT seq, log_id, body, attempts, sum, held FROM q ORDER BY seq")
    var damaged: [OutboxRow] = []
    try rows.each { (found: SQLiteRow) throws(SessionError) in
      let held = HeldState(column: found.integer(5))
      let row = OutboxRow(found, seal, isHeld: held != .no)
      guard row.isSound else {
        damaged.append(row)
        return
      }
      let line = ArchiveLine(
        name: try seal.name(of: row.logID),
        sealed: try seal.seal(row.body, as: SealedPlace.archived(row.logID)), held: held)
      try file.write(Array(line.text.utf8))
    }
    for row in damaged { try remove(row, session: session.id, kind: .damaged) }
    try file.commit()
    return name
  }

  /// The known data of a session that has ended.
  func endedSession(_ id: Int64) throws -> EndedSession? {
    let row = try database.prepare(
      "SELECT name, reason, archive FROM session WHERE id = ?"
    ).first(.integer(id)) { ($0.blob(0), $0.text(1), $0.optionalText(2)) }
    guard let (sealed, reason, name) = row else { return nil }
    let user = StoredSession.identifiers(
      try seal.open(sealed, as: SealedPlace.user(ofSession: id)))
    let archive = name.map { folder.appendingPathComponent($0) }
    let (records, deletions) = try archive.map(archived) ?? ([], [])
    return EndedSession(
      userID: user?.user ?? "", organizationID: user?.organization ?? "",
      reason: EndedSession.Reason.all.first { $0.name == reason } ?? .ended,
      unsentRecords: records.filter { !$0.isHeld }.map(\.record),
      heldRecords: records.filter(\.isHeld).map(\.record), archive: archive,
      unsentDeletions: deletions)
  }

  /// The sessions that have ended and whose archives are still there, oldest first.
  func archives() throws(SessionError) -> [EndedSession] {
    try access {
      try database.prepare("SELECT id FROM session WHERE archive IS NOT NULL ORDER BY id")
        .all { $0.integer(0) }
        .compactMap { try endedSession($0) }
    }
  }

  /// The records and deletions of an archive, in the order of their submission; none when the file
  /// is gone.
  private func archived(
    _ archive: URL
  ) throws -> (records: [(record: HealthRecord, isHeld: Bool)], deletions: [RecordDeletion]) {
    guard let data = FileManager.default.contents(atPath: archive.path) else { return ([], []) }
    let seal = try seal
    let lines = ArchiveLine.lines(of: data).compactMap { line in
      line.record(by: seal).map { (body: $0.body, isHeld: line.held != .no) }
    }
    return (
      lines.compactMap { line in
        (try? HealthRecord(informJSON: line.body)).map { ($0, line.isHeld) }
      }, lines.compactMap { RecordDeletion(stored: $0.body) }
    )
  }

  /// The queues that were set aside, oldest first.
  func setAsideQueues() throws(SessionError) -> [SetAsideQueue] {
    try open()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasPrefix(OutboxSetAside.prefix) }.sorted().map { name in
      let place = folder.appendingPathComponent(name, isDirectory: true)
      return SetAsideQueue(folder: place, records: OutboxSetAside.count(in: place.path))
    }
  }

  func removeArchiveFile(_ name: String) { unsafe unlink(folder.path + "/" + name) }

  /// Removes an archive and the images of its records.
  ///
  /// Images stay if the server has or refused their record, or if it waits again.
  func removeArchive(_ archive: URL) throws(SessionError) {
    let name = archive.lastPathComponent
    try draining {
      let id = try database.prepare("SELECT id FROM session WHERE archive = ?")
        .first(.text(name)) { $0.integer(0) }
      guard let id else {
        throw SessionError.noArchive(name)
      }
      try database.prepare("UPDATE session SET archive = NULL, archive_discarded = 1 WHERE id = ?")
        .run(
          .integer(id))
      try database.prepare(
        """
        DELETE FROM image WHERE session = ? AND NOT released
          AND NOT EXISTS (SELECT 1 FROM q WHERE q.log_id = image.log_id)
          AND NOT EXISTS (SELECT 1 FROM quarantine WHERE quarantine.log_id = image.log_id)
        """
      ).run(.integer(id))
    }
    removeArchiveFile(name)
    try removeUnusedImages()
  }
}

extension SQLiteStatement {
  /// Runs the statement and hands each row to `body`, whose error ends it.
  func each(
    _ values: SQLiteValue..., body: (SQLiteRow) throws(SessionError) -> Void
  ) throws {
    var failure: SessionError?
    try scan(values) { row in
      do throws(SessionError) { try body(row) } catch { failure = error }
      return failure == nil
    }
    if let failure { throw failure }
  }
}

/// A record in an archive.
struct ArchiveLine {
  /// The record's name; empty when that part of the line is damaged.
  let name: [UInt8]
  /// The record as kept in the queue; empty when that part of the line is damaged.
  let sealed: [UInt8]
  let held: HeldState

  var text: String {
    let parts = [name, sealed].map { Data($0).base64EncodedString() }
    return (parts + (held.word.map { [$0] } ?? [])).joined(separator: "\t") + "\n"
  }

  /// The record, decrypted; nil when the line is damaged.
  func record(by seal: RowSeal) -> (logID: String, body: [UInt8])? {
    guard let logID = seal.logID(of: name),
      let body = seal.open(sealed, as: SealedPlace.archived(logID))
    else { return nil }
    return (logID, body)
  }

  static func lines(of data: Data) -> [ArchiveLine] {
    data.split(separator: UInt8(ascii: "\n")).map { line in
      let parts = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      func bytes(_ part: String) -> [UInt8] { Array(Data(base64Encoded: part) ?? Data()) }
      return ArchiveLine(
        name: bytes(parts[0]), sealed: parts.count > 1 ? bytes(parts[1]) : [],
        held: parts.count > 2 ? HeldState(word: parts[2]) : .no)
    }
  }
}

extension HeldState {
  /// The word in an archive; nil of a record that waits for the server.
  fileprivate var word: String? {
    switch self {
    case .no: nil
    case .pending: "held"
    case .declined: "declined"
    case .older: "older"
    }
  }

  /// The state of a word; one that is damaged must not send a record without a decision.
  fileprivate init(word: String) {
    self = [.declined, .older].first { $0.word == word } ?? .pending
  }
}
