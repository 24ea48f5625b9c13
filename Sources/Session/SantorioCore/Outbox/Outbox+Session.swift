// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite

extension StoredSession {
  static let currentSQL = """
    SELECT id, user_id, organization_id, validated, offline, digest FROM session
    WHERE ended IS NULL
    """

  /// The session that has not ended, if there is one.
  static func current(in database: SQLiteDatabase) throws(SQLiteError) -> StoredSession? {
    var verified: Row?
    return try current(by: database.prepare(currentSQL), &verified)
  }

  /// The row of a session and the digest that was written with it.
  struct Row: Equatable {
    let session: StoredSession
    let digest: [UInt8]
  }

  /// The same by the compiled statement; a row that is not as it was written is damage.
  ///
  /// What `verified` holds is not computed again.
  static func current(
    by statement: SQLiteStatement, _ verified: inout Row?
  ) throws(SQLiteError) -> StoredSession? {
    let found = try statement.first { Row(session: StoredSession($0), digest: $0.blob(5)) }
    guard let row = found else { return nil }
    guard row == verified || row.session.digest == row.digest else {
      throw .damaged("the row of the session is not as it was written")
    }
    verified = row
    return row.session
  }

  /// Reads the columns id, user_id, organization_id, validated, offline.
  private init(_ row: SQLiteRow) {
    self.init(
      id: row.integer(0), userID: row.text(1), organizationID: row.text(2),
      isValidated: row.integer(3) != 0, isOffline: row.integer(4) != 0)
  }
}

extension Outbox {
  /// The current session, if there is one.
  func session() throws(SessionError) -> StoredSession? { try access { try currentSession() } }

  func currentSession() throws -> StoredSession? {
    try StoredSession.current(
      by: statement(StoredSession.currentSQL), &file.verifiedSession)
  }

  /// The session's token.
  func token(of session: StoredSession) throws(SessionError) -> String {
    try credentials.token(for: session.credential)
  }

  /// Makes a user's session the current one and ends the one before, all or nothing.
  ///
  /// For the user of the current session only the token is replaced; what waits goes on waiting.
  func begin(_ user: User) throws(SessionError) -> StoredSession {
    let session = try transaction {
      if let current = try currentSession() {
        guard !user.isUser(of: current) else { return try renew(current, token: user.accessToken) }
        mirror.remove()
        try end(current, reason: .replaced)
      }
      try endLostSession()
      let session = try insertSession(
        user.userID, user.organizationID, isOffline: user.isDefault)
      try adoptImages(by: session.id)
      // Before the commit: a session never stands without its token. After a kill in between, the
      // next session gets this number and overwrites this token.
      try credentials.save(user.accessToken, for: session.credential)
      return session
    }
    try mirror.save(session)
    try? removeTokens()
    return session
  }

  private func insertSession(
    _ userID: String, _ organizationID: String, isOffline: Bool
  ) throws -> StoredSession {
    try database.prepare("INSERT INTO session(user_id, organization_id, offline) VALUES(?, ?, ?)")
      .run(.text(userID), .text(organizationID), .integer(isOffline ? 1 : 0))
    let session = StoredSession(
      id: try database.lastInsertedID, userID: userID, organizationID: organizationID,
      isValidated: false, isOffline: isOffline)
    try database.prepare("UPDATE session SET digest = ? WHERE id = ?")
      .run(.blob(session.digest), .integer(session.id))
    return session
  }

  /// Archives the rows that are left without a session when a damaged file took both copies of it:
  /// nobody knows whose they are, and they must never be sent as the next user's.
  private func endLostSession() throws {
    guard try !isEmpty() else { return }
    let lost = try insertSession("", "", isOffline: true)
    try database.prepare(
      "UPDATE image SET session = ?, released = 0 WHERE session NOT IN (SELECT id FROM session)"
    ).run(.integer(lost.id))
    try end(lost, reason: .storageDamaged)
  }

  private var mirror: SessionMirror { SessionMirror(path: Self.databasePath(in: folder)) }

  private func renew(_ current: StoredSession, token: String) throws -> StoredSession {
    try credentials.save(token, for: current.credential)
    try database.prepare("UPDATE session SET validated = 0 WHERE id = ?")
      .run(.integer(current.id))
    return StoredSession(
      id: current.id, userID: current.userID, organizationID: current.organizationID,
      isValidated: false, isOffline: current.isOffline)
  }

  /// Notes that the server knows the session's user and token.
  func markValidated(_ id: Int64) throws(SessionError) {
    try access {
      try database.prepare("UPDATE session SET validated = 1 WHERE id = ?").run(.integer(id))
    }
  }

  /// Ends the current session.
  func endSession() throws(SessionError) -> EndedSession? {
    try endSession(reason: .ended) { _ in true }
  }

  /// Ends a session whose token the server refused, unless it has a new one by now.
  func endRefusedSession(_ id: Int64, token: String) throws(SessionError) -> EndedSession? {
    try endSession(reason: .credentialsRefused) { current in
      guard current.id == id else { return false }
      return try credentials.token(for: current.credential) == token
    }
  }

  private func endSession(
    reason: EndedSession.Reason, if condition: (StoredSession) throws -> Bool
  ) throws(SessionError) -> EndedSession? {
    let ended = try draining { () -> Int64? in
      guard let current = try currentSession(), try condition(current) else { return nil }
      mirror.remove()
      try end(current, reason: reason)
      return current.id
    }
    // What cannot be removed now is removed when the session runs.
    try? removeTokens()
    guard let ended else { return nil }
    return try access { try endedSession(ended) }
  }

  /// Archives and empties the queue.
  ///
  /// The archive is on the disk before the transaction can commit; after a kill in between the session
  /// still stands, and the next end overwrites the archive.
  private func end(_ session: StoredSession, reason: EndedSession.Reason) throws {
    let archive = try archiveQueue(of: session)
    try database.execute("DELETE FROM q")
    try database.prepare("UPDATE session SET ended = ?, reason = ?, archive = ? WHERE id = ?")
      .run(
        .integer(milliseconds()), .text(reason.rawValue), SQLiteValue(archive),
        .integer(session.id))
    try insertEvent(.ended, String(session.id))
  }

  /// Removes the tokens of sessions that have ended, also of those that ended with a kill.
  func removeTokens() throws(SessionError) {
    let ids = try access {
      try database.prepare("SELECT id FROM session WHERE ended IS NOT NULL AND token_removed = 0")
        .all { $0.integer(0) }
    }
    for id in ids {
      try credentials.removeToken(for: StoredSession.credential(id))
      try access {
        try database.prepare("UPDATE session SET token_removed = 1 WHERE id = ?").run(.integer(id))
      }
    }
  }
}
