// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite

// What a session leaves behind: a file of lines, each a log_id, a tab, and the record as the queue
// kept it, encrypted, in Base64.
extension Outbox {
  /// Writes all rows of the queue to a file; nil when there are none.
  func archiveQueue(of session: StoredSession) throws -> String? {
    guard try !isEmpty() else { return nil }
    let name = "archive-\(session.id).records"
    let file = try DurableFile(path: folder.path + "/" + name)
    let seal = try seal
    let rows = try database.prepare("SELECT seq, log_id, body, attempts, sum FROM q ORDER BY seq")
    var damaged: [OutboxRow] = []
    var failure: SessionError?
    try rows.scan { row in
      let row = OutboxRow(row, seal)
      guard row.isSound else {
        damaged.append(row)
        return true
      }
      do throws(SessionError) {
        try file.write(Array("\(row.logID)\t\(Data(row.sealed).base64EncodedString())\n".utf8))
      } catch {
        failure = error
      }
      return failure == nil
    }
    if let failure { throw failure }
    for row in damaged { try remove(row, session: session.id, kind: .damaged) }
    try file.commit()
    return name
  }

  /// What is known about a session that has ended.
  func endedSession(_ id: Int64) throws -> EndedSession? {
    let row = try database.prepare(
      "SELECT user_id, organization_id, reason, archive FROM session WHERE id = ?"
    ).first(.integer(id)) { ($0.text(0), $0.text(1), $0.text(2), $0.optionalText(3)) }
    guard let (userID, organizationID, reason, name) = row else { return nil }
    let archive = name.map { folder.appendingPathComponent($0) }
    return EndedSession(
      userID: userID, organizationID: organizationID,
      reason: EndedSession.Reason(rawValue: reason) ?? .ended,
      unsentRecords: try archive.map(archivedRecords) ?? [], archive: archive)
  }

  /// The sessions that have ended and whose archives are still there, oldest first.
  func archives() throws(SessionError) -> [EndedSession] {
    try access {
      try database.prepare("SELECT id FROM session WHERE archive IS NOT NULL ORDER BY id")
        .all { $0.integer(0) }
        .compactMap { try endedSession($0) }
    }
  }

  /// The records of an archive, in the order of their submission; none when the file is gone.
  private func archivedRecords(_ archive: URL) throws -> [HealthRecord] {
    guard let data = FileManager.default.contents(atPath: archive.path) else { return [] }
    let seal = try seal
    return data.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let parts = line.split(separator: UInt8(ascii: "\t"))
      guard parts.count == 2, let sealed = Data(base64Encoded: parts[1]),
        let body = seal.open(Array(sealed), as: String(decoding: parts[0], as: UTF8.self))
      else { return nil }
      return try? HealthRecord(informJSON: body)
    }
  }

  /// Removes an archive and the images of its records; not those whose record the server has, or
  /// refused, or that waits again.
  func removeArchive(_ archive: URL) throws(SessionError) {
    let name = archive.lastPathComponent
    try draining {
      let id = try database.prepare("SELECT id FROM session WHERE archive = ?")
        .first(.text(name)) { $0.integer(0) }
      guard let id else {
        throw SessionError(.notFound, "there is no archive «\(name)» in this folder")
      }
      try database.prepare("UPDATE session SET archive = NULL WHERE id = ?").run(.integer(id))
      try database.prepare(
        """
        DELETE FROM image WHERE session = ? AND NOT released
          AND NOT EXISTS (SELECT 1 FROM q WHERE q.log_id = image.log_id)
          AND NOT EXISTS (SELECT 1 FROM quarantine WHERE quarantine.log_id = image.log_id)
        """
      ).run(.integer(id))
    }
    unsafe unlink(folder.path + "/" + name)
    try removeUnusedImages()
  }
}
