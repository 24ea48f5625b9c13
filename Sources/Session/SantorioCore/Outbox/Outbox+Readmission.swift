// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite

// Records that sessions left behind go back into the queue: automatically if a server that refused
// the session accepts it again, else at the user's request.
extension Outbox {
  /// Queues, in order, what sessions of the same user left behind that a server refused.
  ///
  /// An archive that currently cannot be read is kept.
  ///
  /// - Parameters:
  ///   - endpoint: The server.
  ///   - session: The session that starts.
  /// - Returns: The names of the files that are no longer needed once this is committed.
  /// - Throws: `SQLiteError` or ``SessionError`` when the file cannot be written.
  func readmitArchives(refusedBy endpoint: URL, to session: Int64) throws -> [String] {
    let refused = try database.prepare(
      """
      SELECT other.id, other.archive FROM session AS other JOIN session AS own
      ON other.owner = own.owner WHERE own.id = ? AND other.refused_by = ? AND other.archive IS NOT NULL ORDER BY other.id
      """
    ).all(.integer(session), .text(Self.place(of: endpoint))) {
      (id: $0.integer(0), name: $0.text(1))
    }
    let newest = try newestRow()
    return try refused.compactMap { archive in
      let data = FileManager.default.contents(atPath: folder.path + "/" + archive.name)
      let lines = data.map(ArchiveLine.lines) ?? []
      // No archive is empty when written.
      guard !lines.isEmpty else { return nil }
      _ = try readmit(lines, of: archive.id, to: session, after: newest)
      return archive.name
    }
  }

  /// Puts the records of one archive into the queue, and releases the archive.
  ///
  /// Records that were held back are held back again.
  ///
  /// - Parameters:
  ///   - name: The name of the archive's file.
  ///   - number: The session that must be current; nil for any.
  ///   - ofAnyUser: Whether records of another or unknown user become those of the current user.
  /// - Returns: How many records there were.
  /// - Throws: ``SessionError``, of code `notFound` when there is no such archive, `otherUser` when
  ///   its records are not the current user's, `noSession` when there is none.
  @discardableResult
  func retryArchive(
    _ name: String, inSession number: Int64?, ofAnyUser: Bool
  ) throws(SessionError) -> ReturnedRecords {
    let returned = try transaction { () -> ReturnedRecords in
      guard let current = try currentSession() else { throw SessionError.needsSession }
      guard number == nil || number == current.id else { throw SessionError.otherSession }
      let found = try database.prepare("SELECT id, owner FROM session WHERE archive = ?")
        .first(.text(name)) { (id: $0.integer(0), owner: $0.blob(1)) }
      guard let archive = found else { throw SessionError.noArchive(name) }
      let owner = try current.owner(by: seal)
      guard ofAnyUser || archive.owner == owner else {
        throw SessionError(.otherUser, "\(name) holds records of another user")
      }
      guard let data = FileManager.default.contents(atPath: folder.path + "/" + name) else {
        throw SessionError(.storageFailed, "\(name) cannot be read; it is kept")
      }
      let lines = ArchiveLine.lines(of: data)
      guard !lines.isEmpty else {
        throw SessionError(
          .storageDamaged, "\(name) is empty and therefore damaged; it is kept")
      }
      return try readmit(lines, of: archive.id, to: current.id, after: newestRow())
    }
    removeArchiveFile(name)
    return returned
  }

  /// A server's address in canonical form.
  static func place(of endpoint: URL) -> String {
    var parts = URLComponents(url: endpoint, resolvingAgainstBaseURL: true) ?? URLComponents()
    parts.scheme = parts.scheme?.lowercased()
    parts.host = parts.host?.lowercased()
    if parts.port == (parts.scheme == "https" ? 443 : 80) { parts.port = nil }
    while parts.path.hasSuffix("/") { parts.path.removeLast() }
    return parts.string ?? endpoint.absoluteString
  }

  private func newestRow() throws -> Int64 {
    try database.prepare("SELECT coalesce(max(seq), 0) FROM q").first { $0.integer(0) } ?? 0
  }

  /// Puts the lines of an archive into the queue; rows up to `newest` are newer than the lines.
  ///
  /// A damaged line goes to the quarantine, like a damaged row.
  private func readmit(
    _ lines: [ArchiveLine], of archive: Int64, to session: Int64, after newest: Int64
  ) throws -> ReturnedRecords {
    var returned = ReturnedRecords()
    let seal = try seal
    for line in lines {
      guard let (logID, body) = line.record(by: seal) else {
        let logID = seal.logID(of: line.name) ?? ""
        try quarantine(logID, session: archive, body: nil, orDamaged: line.sealed)
        try insertEvent(.damaged, logID)
        returned.damaged += 1
        continue
      }
      let isBack = try readmit(
        logID, body, of: session, held: line.held, after: newest)
      switch (isBack, line.held != .no) {
      case (false, _): returned.newer += 1
      case (true, true): returned.held += 1
      case (true, false): returned.waiting += 1
      }
    }
    try database.prepare("UPDATE image SET session = ? WHERE session = ?")
      .run(.integer(session), .integer(archive))
    try database.prepare("UPDATE session SET archive = NULL, archive_discarded = 1 WHERE id = ?")
      .run(
        .integer(archive))
    return returned
  }

  /// Puts a row into the queue unless one of the same name is there with a number up to `newest`.
  ///
  /// Of a record and its deletion the later one is in the queue then, whatever its number.
  ///
  /// - Returns: Whether it is in the queue now; false if the queue has newer content for it.
  func readmit(
    _ logID: String, _ body: [UInt8], of session: Int64, held: HeldState, after newest: Int64
  ) throws -> Bool {
    if let deletion = RecordDeletion(stored: body) {
      return try putBack(deletion, session: session)
    }
    let seal = try seal
    let sealed = try seal.seal(body, as: SealedPlace.queued(logID))
    let values: [SQLiteValue] = [
      .blob(try seal.name(of: logID)), .integer(RowSeal.mark(of: sealed)), .blob(sealed),
      .integer(Int64(held.rawValue)),
    ]
    let inserted = try statement(
      """
      INSERT INTO q(log_id, sum, body, held) VALUES(?1, iif(?4, ~?2, ?2), ?3, ?4)
      ON CONFLICT(log_id) DO NOTHING
      """
    ).run(values)
    if inserted == 1 { return true }
    let deletion = try waitingDeletion(of: logID)
    if let deletion, deletion.supersedes(form: body) { return false }
    return try statement(
      """
      UPDATE q SET body = ?3, sum = iif(?4, ~?2, ?2), held = ?4
      WHERE log_id = ?1 AND (seq > ?5 OR ?6)
      """
    ).run(values + [.integer(newest), .integer(deletion == nil ? 0 : 1)]) == 1
  }
}
