// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioSQLite

// Records that are on disk and wait for the user's approval before they are sent. Submitting one
// releases it; ending the session archives it with the others.
extension Outbox {
  /// Stores all items and changes of state or none, the items held back.
  ///
  /// Items already waiting or held are left as they are, and those whose deletion waits are left out. What was released before, and has come
  /// again, is not held again.
  func hold(
    _ items: [some OutboxItem], changing changes: [StateChange] = [],
    inSession number: Int64? = nil, needingUser: Bool = false
  ) throws(SessionError) {
    try transaction {
      guard let session = try currentSession() else {
        throw SessionError.needsSession
      }
      guard number == nil || number == session.id else { throw SessionError.otherSession }
      guard !(needingUser && session.isOffline) else { throw SessionError.defaultUser }
      let insertion = try database.prepare(
        "INSERT INTO q(log_id, sum, body, held) VALUES(?1, ~?2, ?3, 1) ON CONFLICT DO NOTHING")
      let seal = try seal
      for batch in OutboxBatch.batches(of: items) {
        let rows = try batch.rows(sealedBy: seal)
        try takeRoom(rows.byteCount)
        for row in 0..<rows.count {
          let isReleased = try isReleased(rows.name(row), session, seal)
          try (isReleased ? statement(Self.insertionSQL[0]) : insertion).run(rows, row: row)
        }
      }
      for change in changes { try write(change) }
    }
  }

  /// Lets records that are held back wait for the server, as they are on disk; others stay as they
  /// are.
  ///
  /// - Parameters:
  ///   - identifiers: Their `log_id`s.
  ///   - decided: Those for which the user has decided whose they are: they are not held again when
  ///     their device sends them again.
  ///   - number: The session whose records they are; nil for the current one.
  /// - Returns: Those of the identifiers of which there is no row.
  /// - Throws: ``SessionError`` when nothing was changed.
  @discardableResult
  func release(
    _ identifiers: [String], decided: [String] = [], inSession number: Int64? = nil
  ) throws(SessionError) -> Set<String> {
    try transaction {
      guard let session = try currentSession() else { throw SessionError.needsSession }
      guard number == nil || number == session.id else { throw SessionError.otherSession }
      var missing = Set(identifiers)
      for start in stride(from: 0, to: identifiers.count, by: Self.mostReleased) {
        let end = min(start + Self.mostReleased, identifiers.count)
        missing.subtract(try release(identifiers[start..<end]))
      }
      for logID in decided where !missing.contains(logID) {
        try write(.fact(Self.releaseName(of: logID, session), [1]))
      }
      if !decided.isEmpty { try removeStates(of: Self.releaseSource, beyond: Self.mostDecided) }
      return missing
    }
  }

  static let releaseSource = "release"
  /// The number of decisions that are remembered.
  private static let mostDecided = 20_000

  private static func releaseName(of logID: String, _ session: StoredSession) -> StateName {
    StateName(
      source: releaseSource, device: "\(session.name)\n\(logID)", key: "released")
  }

  private func isReleased(
    _ name: [UInt8], _ session: StoredSession, _ seal: RowSeal
  ) throws -> Bool {
    guard let logID = seal.logID(of: name) else { return false }
    let state = Self.releaseName(of: logID, session)
    return try readStates(of: state.source, device: state.device).contains { $0.name == state }
  }

  /// - Returns: Those of which there is a row.
  private func release(_ identifiers: ArraySlice<String>) throws -> [String] {
    let seal = try seal
    let names = try identifiers.map { SQLiteValue.blob(try seal.name(of: $0)) }
    let places = names.map { _ in "?" }.joined(separator: ", ")
    try database.prepare(
      "UPDATE q SET held = 0, sum = ~sum WHERE held AND log_id IN (\(places))"
    ).run(names)
    var found: [String] = []
    try database.prepare("SELECT log_id FROM q WHERE log_id IN (\(places))").scan(names) { row in
      if let logID = seal.logID(of: row.blob(0)) { found.append(logID) }
      return true
    }
    return found
  }

  /// Holds back records that wait for the server, unless an upload of the system's carries them.
  ///
  /// - Parameters:
  ///   - identifiers: Their `log_id`s.
  ///   - number: The session whose records they are; nil for the current one.
  /// - Returns: The `log_id`s of those that were held back.
  /// - Throws: ``SessionError`` when nothing was changed.
  func holdAgain(
    _ identifiers: [String], inSession number: Int64? = nil
  ) throws(SessionError) -> [String] {
    try transaction {
      guard let session = try currentSession() else { throw SessionError.needsSession }
      guard number == nil || number == session.id else { throw SessionError.otherSession }
      let underway = try rowsUnderway()
      let row = try database.prepare(
        "SELECT seq, log_id, body, attempts, sum FROM q WHERE log_id = ? AND NOT held")
      let seal = try seal
      let mark = try database.prepare("UPDATE q SET held = 1, sum = ~sum WHERE seq = ?")
      return try identifiers.filter { logID in
        let found = try row.first(.blob(seal.name(of: logID))) { OutboxRow($0, seal) }
        guard let found, !found.isDeletion, !underway.contains(found.sequence) else { return false }
        try mark.run(.integer(found.sequence))
        return true
      }
    }
  }

  /// How many records one statement releases.
  private static let mostReleased = 500

  /// The records held back, oldest first; damaged ones are left out.
  func held() throws(SessionError) -> [HealthRecord] {
    try records("held")
  }

  /// The records held back and never declined, oldest first; damaged ones are left out.
  func undecided() throws(SessionError) -> [HealthRecord] {
    try records("held = 1")
  }

  /// How many records and deletions wait for the server.
  func pendingCount() throws(SessionError) -> Int {
    try access { Int(try database.integer("SELECT count(*) FROM q WHERE NOT held")) }
  }

  /// How many records are held back.
  func heldCount() throws(SessionError) -> Int {
    try access { Int(try database.integer("SELECT count(*) FROM q WHERE held")) }
  }

  /// Removes records that are held back; those that wait for the server stay.
  func discardHeld(_ identifiers: [String]) throws(SessionError) {
    try transaction {
      let deletion = try database.prepare("DELETE FROM q WHERE log_id = ? AND held")
      for identifier in identifiers { try deletion.run(.blob(seal.name(of: identifier))) }
    }
  }
}
