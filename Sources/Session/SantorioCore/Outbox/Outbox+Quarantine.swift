// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite

// Records that left the queue without being stored by the server; kept until the user decides.
extension Outbox {
  /// The records that the server refused or that were damaged on disk, oldest first.
  func quarantine() throws(SessionError) -> [QuarantinedRecord] {
    try access {
      let seal = try seal
      return try database.prepare(
        """
        SELECT quarantine.id, log_id, session.id, name, at, err, body FROM quarantine
        LEFT JOIN session ON session.id = quarantine.session ORDER BY quarantine.id
        """
      ).all { row in
        let logID = seal.logID(of: row.blob(1)) ?? ""
        let error = row.isNull(5) ? nil : seal.open(row.blob(5), as: SealedPlace.refusal(logID))
        let user = StoredSession.identifiers(
          seal.open(row.blob(3), as: SealedPlace.user(ofSession: row.integer(2))))
        return QuarantinedRecord(
          id: row.integer(0), logID: logID, userID: user?.user ?? "",
          organizationID: user?.organization ?? "",
          date: Date(timeIntervalSince1970: Double(row.integer(4)) / 1000),
          failure: error.map(RecordFailure.init(json:)),
          bytes: seal.open(row.blob(6), as: SealedPlace.quarantined(logID)) ?? row.blob(6))
      }
    }
  }

  /// How many records are in the quarantine.
  func quarantineCount() throws(SessionError) -> Int {
    try access { Int(try database.integer("SELECT count(*) FROM quarantine")) }
  }

  /// Puts refused records of the current session's user back into the queue.
  ///
  /// Damaged ones and those of other users stay. Of several contents of one record, the last goes
  /// and replaces the others, as it would have in the queue; a deletion that is among them goes if it is
  /// later than that.
  ///
  /// - Returns: How many went back.
  func retryQuarantined(_ ids: [Int64]?) throws(SessionError) -> Int {
    try transaction {
      guard let session = try currentSession() else { throw SessionError.needsSession }
      let seal = try seal
      let rows = try database.prepare(
        """
        SELECT quarantine.id, log_id, body FROM quarantine
        JOIN session ON session.id = quarantine.session
        WHERE owner = ? ORDER BY quarantine.id
        """
      ).all(.blob(session.owner(by: seal))) { row in
        (id: row.integer(0), logID: seal.logID(of: row.blob(1)) ?? "", body: row.blob(2))
      }
      let chosen = rows.compactMap { row in
        ids?.contains(row.id) ?? true
          ? seal.open(row.body, as: SealedPlace.quarantined(row.logID))
            .map { (id: row.id, logID: row.logID, body: $0) } : nil
      }
      let records = chosen.filter { !RecordDeletion.isForm($0.body) }
      let last = Dictionary(records.map { ($0.logID, $0.id) }) { max($0, $1) }
      for row in chosen {
        try removeQuarantined(row.id)
        if let deletion = RecordDeletion(stored: row.body) {
          _ = try putBack(deletion, session: session.id)
          continue
        }
        guard last[row.logID] == row.id else { continue }
        // A record that was submitted again in the meantime is newer.
        _ = try readmit(row.logID, row.body, of: session.id, held: .no, after: .max)
        try retryImages(of: row.logID, session: session.id)
      }
      return Set(chosen.map(\.logID)).count
    }
  }

  /// Removes records from the quarantine, and the images that belong to nothing else.
  ///
  /// - Returns: How many were removed.
  func discardQuarantined(_ ids: [Int64]) throws(SessionError) -> Int {
    let count = try draining {
      var count = 0
      for id in ids {
        let name = try database.prepare("SELECT log_id FROM quarantine WHERE id = ?")
          .first(.integer(id)) { $0.blob(0) }
        guard let name else { continue }
        try removeQuarantined(id)
        try database.prepare(
          """
          DELETE FROM image WHERE log_id = ?1 AND NOT released
            AND NOT EXISTS (SELECT 1 FROM q WHERE log_id = ?1)
            AND NOT EXISTS (SELECT 1 FROM quarantine WHERE log_id = ?1)
          """
        ).run(.blob(name))
        count += 1
      }
      return count
    }
    try removeUnusedImages()
    return count
  }

  private func retryImages(of logID: String, session: Int64) throws {
    try database.prepare(
      "UPDATE image SET session = ?1, err = NULL WHERE log_id = ?2 AND \(Self.isOfSameUser)"
    ).run(.integer(session), .blob(seal.name(of: logID)))
  }

  private func removeQuarantined(_ id: Int64) throws {
    try database.prepare("DELETE FROM quarantine WHERE id = ?").run(.integer(id))
  }
}
