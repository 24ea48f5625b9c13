// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioSQLite

// Records that are held back and are not to be sent: the user has declined them, or they are older than
// the time from which their device is the user's. The app may still submit or discard them; of more than
// it was configured to keep, the oldest leave the queue, each with an event.
extension Outbox {
  /// Marks held records as declined; others stay as they are.
  ///
  /// - Parameters:
  ///   - identifiers: Their `log_id`s.
  ///   - most: The number of declined records that are kept.
  ///   - number: The session whose records they are; nil for the current one.
  /// - Throws: ``SessionError`` when nothing was changed.
  func decline(
    _ identifiers: [String], keeping most: Int, inSession number: Int64? = nil
  ) throws(SessionError) {
    try transaction {
      guard let session = try currentSession() else { throw SessionError.needsSession }
      guard number == nil || number == session.id else { throw SessionError.otherSession }
      let mark = try database.prepare("UPDATE q SET held = 2 WHERE log_id = ? AND held")
      for identifier in identifiers { try mark.run(.blob(seal.name(of: identifier))) }
      try trim(.declined, to: most, session)
    }
  }

  /// Removes the oldest records of a state, but for the newest ones, inside the current transaction.
  func trim(_ state: HeldState, to most: Int, _ session: StoredSession) throws {
    for row in try rows(in: state, after: most) {
      guard row.isSound else {
        try remove(row, session: session.id, kind: .damaged)
        continue
      }
      try database.prepare("DELETE FROM q WHERE seq = ?").run(.integer(row.sequence))
      try insertEvent(.declined, row.logID, body: row.body)
    }
  }

  /// Those of some records that are held and not to be sent.
  ///
  /// - Parameter identifiers: Their `log_id`s.
  /// - Returns: The `log_id`s of those.
  /// - Throws: ``SessionError`` when the file cannot be read.
  func declined(among identifiers: [String]) throws(SessionError) -> Set<String> {
    try rows(of: identifiers, where: "held > 1")
  }

  /// Those of some records that wait for a decision.
  ///
  /// - Parameter identifiers: Their `log_id`s.
  /// - Returns: The `log_id`s of those.
  /// - Throws: ``SessionError`` when the file cannot be read.
  func undecided(among identifiers: [String]) throws(SessionError) -> Set<String> {
    try rows(of: identifiers, where: "held = 1")
  }

  /// Those of some records that wait for the server.
  ///
  /// - Parameter identifiers: Their `log_id`s.
  /// - Returns: The `log_id`s of those.
  /// - Throws: ``SessionError`` when the file cannot be read.
  func waiting(among identifiers: [String]) throws(SessionError) -> Set<String> {
    try rows(of: identifiers, where: "NOT held")
  }

  private func rows(
    of identifiers: [String], where condition: StaticString
  ) throws(SessionError) -> Set<String> {
    try access {
      let search = try database.prepare("SELECT 1 FROM q WHERE log_id = ? AND \(condition)")
      let seal = try seal
      return Set(
        try identifiers.filter { identifier in
          try search.first(.blob(seal.name(of: identifier))) { _ in true } ?? false
        })
    }
  }

  /// The records of a state but for the newest ones, oldest first.
  private func rows(in state: HeldState, after most: Int) throws -> [OutboxRow] {
    let seal = try seal
    return try database.prepare(
      """
      SELECT seq, log_id, body, attempts, sum FROM q WHERE held = \(state.rawValue)
      ORDER BY seq DESC LIMIT -1 OFFSET ?
      """
    ).all(.integer(Int64(max(0, most)))) { OutboxRow($0, seal, isHeld: true) }.reversed()
  }
}
