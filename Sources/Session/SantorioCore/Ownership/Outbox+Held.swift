// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite

// Records that are on disk and wait for a decision before they are sent. Submitting one releases it;
// ending the session archives it with the others.
extension Outbox {
  /// Stores all records and changes of state or none, the records held back.
  ///
  /// Records that wait or are held stay as they are, and those whose deletion waits are left out. A
  /// record that was released by a decision, and has come again, is not held again: it has the decision
  /// as before.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - older: The `log_id`s of those from before the device was the user's.
  ///   - most: The number of older records that are kept.
  ///   - changes: The changes of state.
  ///   - number: The session whose records they are; nil for the current one.
  ///   - needsUser: Whether the default user may not have them.
  /// - Throws: ``SessionError`` when nothing was stored.
  func hold(
    _ records: [HealthRecord], older: Set<String> = [], keeping most: Int = .max,
    changing changes: [StateChange] = [], inSession number: Int64? = nil,
    needingUser needsUser: Bool = false
  ) throws(SessionError) {
    try transaction {
      guard let session = try currentSession() else {
        throw SessionError.needsSession
      }
      guard number == nil || number == session.id else { throw SessionError.otherSession }
      guard !(needsUser && session.isOffline) else { throw SessionError.defaultUser }
      let released = try records.compactMap { record in
        try decision(about: record.logID, session).map { record.decided($0) }
      }
      let names = Set(released.map(\.logID))
      let others = records.filter { !names.contains($0.logID) }
      try insert(released, as: .no)
      try insert(others.filter { !older.contains($0.logID) }, as: .pending)
      let set = others.filter { older.contains($0.logID) }
      try insert(set, as: .older)
      if !set.isEmpty { try trim(.older, to: most, session) }
      for change in changes { try write(change) }
    }
  }

  /// Inserts records that have no row; the sum of a held row is inverted.
  private func insert(_ records: [HealthRecord], as held: HeldState) throws {
    let seal = try seal
    let insertion = try database.prepare(
      held == .no
        ? Self.insertionSQL[0]
        : "INSERT INTO q(log_id, sum, body, held) VALUES(?1, ~?2, ?3, \(held.rawValue)) "
          + "ON CONFLICT DO NOTHING")
    for batch in OutboxBatch.batches(of: records) {
      let rows = try batch.rows(sealedBy: seal)
      try takeRoom(rows.byteCount)
      for row in 0..<rows.count { try insertion.run(rows, row: row) }
    }
  }

  /// Lets records that are held back wait for the server; others stay as they are.
  ///
  /// - Parameters:
  ///   - identifiers: Their `log_id`s.
  ///   - decided: Those of them that are the user's by a decision, which they have from now on, also
  ///     when their device sends them again.
  ///   - decision: The decision; nil where there is none.
  ///   - number: The session whose records they are; nil for the current one.
  /// - Returns: Those of the identifiers of which there is no row.
  /// - Throws: ``SessionError`` when nothing was changed.
  @discardableResult
  func release(
    _ identifiers: [String], deciding decided: Set<String> = [], by decision: UserDecision? = nil,
    inSession number: Int64? = nil
  ) throws(SessionError) -> Set<String> {
    try transaction {
      guard let session = try currentSession() else { throw SessionError.needsSession }
      guard number == nil || number == session.id else { throw SessionError.otherSession }
      var missing = Set(identifiers)
      if let decision, !decided.isEmpty {
        for logID in identifiers where decided.contains(logID) {
          try note(decision, on: logID, session)
        }
        try removeStates(of: Self.decisionSource, beyond: Self.mostDecided)
      }
      for start in stride(from: 0, to: identifiers.count, by: Self.mostReleased) {
        let end = min(start + Self.mostReleased, identifiers.count)
        missing.subtract(try release(identifiers[start..<end]))
      }
      return missing
    }
  }

  /// Writes a decision into a record that is held, and remembers it.
  private func note(_ decision: UserDecision, on logID: String, _ session: StoredSession) throws {
    let seal = try seal
    let found = try database.prepare(
      "SELECT seq, log_id, body, attempts, sum, held FROM q WHERE log_id = ?"
    ).first(.blob(seal.name(of: logID))) { row in
      let isHeld = row.integer(5) != 0
      return (OutboxRow(row, seal, isHeld: isHeld), isHeld)
    }
    guard let (row, isHeld) = found, row.isSound else { return }
    // One that waits already has it: the user has changed it.
    if isHeld, let record = try? HealthRecord(informJSON: row.body) {
      for batch in OutboxBatch.batches(of: [record.decided(decision)]) {
        try statement(Self.replacementSQL).run(try batch.rows(sealedBy: seal), row: 0)
      }
    }
    try write(.fact(Self.decisionName(of: logID, session), decision.bytes))
  }

  static let decisionSource = "decision"
  /// The number of decisions that are remembered.
  private static let mostDecided = 20_000

  private static func decisionName(of logID: String, _ session: StoredSession) -> StateName {
    StateName(source: decisionSource, device: "\(session.name)\n\(logID)", key: "released")
  }

  /// The decision by which a record was released; nil for none.
  private func decision(about logID: String, _ session: StoredSession) throws -> UserDecision? {
    let name = Self.decisionName(of: logID, session)
    return try readStates(of: name.source, device: name.device).first { $0.name == name }
      .flatMap { UserDecision(bytes: $0.value) }
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

  /// Takes records that wait for a decision for ones from before their device was the user's.
  func setOlderAside(_ identifiers: [String], keeping most: Int) throws(SessionError) {
    try transaction {
      guard let session = try currentSession() else { throw SessionError.needsSession }
      let mark = try database.prepare("UPDATE q SET held = 3 WHERE log_id = ? AND held = 1")
      for identifier in identifiers { try mark.run(.blob(seal.name(of: identifier))) }
      try trim(.older, to: most, session)
    }
  }

  /// Lets records from before their device was the user's wait for a decision.
  func askAboutOlder(_ identifiers: [String]) throws(SessionError) {
    try transaction {
      let mark = try database.prepare("UPDATE q SET held = 1 WHERE log_id = ? AND held = 3")
      for identifier in identifiers { try mark.run(.blob(seal.name(of: identifier))) }
    }
  }

  /// The number of records that one statement releases.
  private static let mostReleased = 500

  /// The records held back, oldest first; damaged ones are left out.
  func held() throws(SessionError) -> [HealthRecord] {
    try records("held")
  }

  /// The records that wait for a decision, oldest first; damaged ones are left out.
  func undecided() throws(SessionError) -> [HealthRecord] {
    try records("held = 1")
  }

  /// The records from before their device was the user's, oldest first; damaged ones are left out.
  func older() throws(SessionError) -> [HealthRecord] {
    try records("held = 3")
  }

  /// The number of records and deletions that wait for the server.
  func pendingCount() throws(SessionError) -> Int {
    try access { Int(try database.integer("SELECT count(*) FROM q WHERE NOT held")) }
  }

  /// The number of records that are held back.
  func heldCount() throws(SessionError) -> Int {
    try access { Int(try database.integer("SELECT count(*) FROM q WHERE held")) }
  }

  /// The number of records from before their device was the user's.
  func olderCount() throws(SessionError) -> Int {
    try access { Int(try database.integer("SELECT count(*) FROM q WHERE held = 3")) }
  }

  /// Removes records that are held back; those that wait for the server stay.
  func discardHeld(_ identifiers: [String]) throws(SessionError) {
    try transaction {
      let deletion = try database.prepare("DELETE FROM q WHERE log_id = ? AND held")
      for identifier in identifiers { try deletion.run(.blob(seal.name(of: identifier))) }
    }
  }
}

extension UserDecision {
  /// The decision as it is remembered: the second of the time, a space, and the decider.
  fileprivate var bytes: [UInt8] {
    Array("\(Int64(date.timeIntervalSince1970)) \(decider)".utf8)
  }

  /// Reads the remembered form; nil for one that is damaged.
  fileprivate init?(bytes: [UInt8]) {
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let seconds = Int64(parts[0]) else { return nil }
    self.init(
      by: String(parts[1]), at: Date(timeIntervalSince1970: TimeInterval(seconds)))
  }
}
