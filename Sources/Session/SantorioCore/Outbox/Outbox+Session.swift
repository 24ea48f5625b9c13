// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioSQLite

extension StoredSession {
  static let currentSQL = """
    SELECT id, owner, name, offline, digest, validated FROM session WHERE ended IS NULL
    """

  /// The session that has not ended, if there is one.
  static func current(
    in database: SQLiteDatabase, by seal: RowSeal
  ) throws(SQLiteError) -> StoredSession? {
    var verified: Verified?
    return try current(by: database.prepare(currentSQL), seal, &verified)
  }

  /// The columns of a session's row that identify its user.
  struct Row: Equatable {
    let id: Int64
    let owner: [UInt8]
    let name: [UInt8]
    let isOffline: Bool
    let digest: [UInt8]

    /// The session; nil when the row is damaged.
    func session(by seal: RowSeal, isValidated: Bool = false) -> StoredSession? {
      let opened = seal.open(name, as: SealedPlace.user(ofSession: id))
      guard let names = StoredSession.identifiers(opened) else { return nil }
      let session = StoredSession(
        id: id, userID: names.user, organizationID: names.organization,
        isValidated: isValidated, isOffline: isOffline)
      return session.digest(by: seal) == digest && session.owner(by: seal) == owner
        ? session : nil
    }
  }

  /// A row that was verified, and its session.
  struct Verified {
    let row: Row
    let session: StoredSession
  }

  /// The same using the compiled statement; throws if the row is damaged.
  ///
  /// A row that equals `verified` is not verified again.
  static func current(
    by statement: SQLiteStatement, _ seal: RowSeal, _ verified: inout Verified?
  ) throws(SQLiteError) -> StoredSession? {
    let found = try statement.first { row in
      (
        Row(
          id: row.integer(0), owner: row.blob(1), name: row.blob(2),
          isOffline: row.integer(3) != 0, digest: row.blob(4)), row.integer(5) != 0
      )
    }
    guard let (row, isValidated) = found else { return nil }
    let known = verified.flatMap { $0.row == row ? $0.session : nil }
    guard let session = known ?? row.session(by: seal) else {
      throw .damaged("the row of the session is damaged")
    }
    verified = Verified(row: row, session: session)
    return StoredSession(
      id: session.id, userID: session.userID, organizationID: session.organizationID,
      isValidated: isValidated, isOffline: session.isOffline)
  }
}

extension StoredSession {
  /// Writes the session's user into its row.
  func write(to database: SQLiteDatabase, by seal: RowSeal) throws {
    let name = try seal.seal(Array(name.utf8), as: SealedPlace.user(ofSession: id))
    try database.prepare("UPDATE session SET owner = ?, name = ?, digest = ? WHERE id = ?")
      .run(.blob(owner(by: seal)), .blob(name), .blob(digest(by: seal)), .integer(id))
  }
}

extension Outbox {
  /// The current session, if there is one.
  func session() throws(SessionError) -> StoredSession? { try access { try currentSession() } }

  func currentSession() throws -> StoredSession? {
    try StoredSession.current(by: statement(StoredSession.currentSQL), seal, &file.verifiedSession)
  }

  /// The session's token.
  func token(of session: StoredSession) throws(SessionError) -> String {
    try credentials.token(for: session.credential)
  }

  /// The token of the session's user for the Marketplace, if there is one.
  func marketplaceToken(of session: StoredSession) throws(SessionError) -> String? {
    do throws(SessionError) {
      return try credentials.token(for: StoredSession.marketplaceCredential(session.id))
    } catch {
      guard error.code == .credentialsMissing else { throw error }
      return nil
    }
  }

  /// Makes a user's session the current one and ends the previous one, all or nothing.
  ///
  /// For the user of the current session only the token is replaced; waiting records keep waiting.
  /// Archives of this user's sessions that the same server refused go back into the queue.
  func begin(_ user: SantorioUser, at endpoint: URL? = nil) throws(SessionError) -> StoredSession {
    var archives: [String] = []
    let session = try changing {
      archives = []
      if let current = try currentSession() {
        guard !user.isUser(of: current) else {
          if let endpoint { archives = try readmitArchives(refusedBy: endpoint, to: current.id) }
          return try renew(current, for: user)
        }
        mirror.remove()
        try end(current, reason: .replaced)
      }
      try endLostSession()
      let session = try insertSession(
        user.userID, user.organizationID, isOffline: user.isDefault)
      if let endpoint { archives = try readmitArchives(refusedBy: endpoint, to: session.id) }
      try adoptImages(by: session.id)
      // Before the commit: a session never exists without its token. After a kill in between, the
      // next session gets this number and overwrites this token.
      try saveTokens(of: user, for: session.id)
      return session
    }
    try keepMirror(isStale: true)
    try? removeTokens()
    for archive in archives { removeArchiveFile(archive) }
    return session
  }

  private func keepMirror(isStale: Bool = false) throws(SessionError) {
    try mirror.keep(from: file, isStale: isStale)
  }

  /// Runs a change of sessions; if it fails, the second copy of the session is written again.
  private func changing<Value>(_ body: () throws -> Value) throws(SessionError) -> Value {
    do throws(SessionError) {
      return try draining(body)
    } catch {
      try? keepMirror()
      throw error
    }
  }

  private func insertSession(
    _ userID: String, _ organizationID: String, isOffline: Bool
  ) throws -> StoredSession {
    try database.prepare("INSERT INTO session(offline) VALUES(?)")
      .run(.integer(isOffline ? 1 : 0))
    let session = StoredSession(
      id: try database.lastInsertedID, userID: userID, organizationID: organizationID,
      isValidated: false, isOffline: isOffline)
    try session.write(to: database, by: seal)
    return session
  }

  /// Archives rows that are left without a session when a damaged file destroyed both copies of it.
  ///
  /// Their user is unknown, and they must never be sent as the next user's.
  private func endLostSession() throws {
    guard try !isEmpty() else { return }
    let lost = try insertSession("", "", isOffline: true)
    try database.prepare(
      "UPDATE image SET session = ?, released = 0 WHERE session NOT IN (SELECT id FROM session)"
    ).run(.integer(lost.id))
    try end(lost, reason: .storageDamaged)
  }

  private var mirror: SessionMirror { SessionMirror(path: Self.databasePath(in: folder)) }

  private func renew(_ current: StoredSession, for user: SantorioUser) throws -> StoredSession {
    try saveTokens(of: user, for: current.id)
    try database.prepare("UPDATE session SET validated = 0 WHERE id = ?")
      .run(.integer(current.id))
    return StoredSession(
      id: current.id, userID: current.userID, organizationID: current.organizationID,
      isValidated: false, isOffline: current.isOffline)
  }

  private func saveTokens(of user: SantorioUser, for id: Int64) throws(SessionError) {
    let name = StoredSession.marketplaceCredential(id)
    if let token = user.marketplaceToken {
      try credentials.save(token, for: name)
    } else {
      try credentials.removeToken(for: name)
    }
    let own = StoredSession.credential(id)
    // It may come later, from where the others do not come.
    guard !user.accessToken.isEmpty else { return try credentials.removeToken(for: own) }
    try credentials.save(user.accessToken, for: own)
  }

  /// Records that the server knows the session's user and token.
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
  ///
  /// - Parameters:
  ///   - id: The session's number.
  ///   - token: The token that was refused.
  ///   - endpoint: The server that refused it.
  ///   - ifEmpty: Whether it ends only when no record waits in it.
  /// - Returns: What it leaves behind; nil when the session continues.
  /// - Throws: ``SessionError`` when the file cannot be written.
  func endRefusedSession(
    _ id: Int64, token: String, by endpoint: URL, ifEmpty: Bool = false
  ) throws(SessionError) -> EndedSession? {
    try endSession(reason: .credentialsRefused) { current in
      guard try current.id == id && (!ifEmpty || isEmpty()),
        try credentials.token(for: current.credential) == token
      else { return false }
      try database.prepare("UPDATE session SET refused_by = ? WHERE id = ?")
        .run(.text(Self.place(of: endpoint)), .integer(id))
      return true
    }
  }

  private func endSession(
    reason: EndedSession.Reason, if condition: (StoredSession) throws -> Bool
  ) throws(SessionError) -> EndedSession? {
    let ended = try changing { () -> Int64? in
      guard let current = try currentSession(), try condition(current) else { return nil }
      mirror.remove()
      try end(current, reason: reason)
      return current.id
    }
    // Tokens that cannot be removed now are removed when the session runs.
    try? removeTokens()
    guard let ended else { return nil }
    return try access { try endedSession(ended) }
  }

  /// Archives and empties the queue.
  ///
  /// The archive is on disk before the transaction can commit; after a kill in between the session
  /// is still current, and the next end overwrites the archive.
  private func end(_ session: StoredSession, reason: EndedSession.Reason) throws {
    let archive = try archiveQueue(of: session)
    try database.execute("DELETE FROM q")
    try database.execute("DELETE FROM transfer")
    try settlePositions()
    try database.prepare("UPDATE session SET ended = ?, reason = ?, archive = ? WHERE id = ?")
      .run(
        .integer(milliseconds()), .text(reason.name), SQLiteValue(archive),
        .integer(session.id))
    try insertEvent(.ended, String(session.id))
  }

  /// Removes the tokens of ended sessions, including those interrupted by a kill.
  func removeTokens() throws(SessionError) {
    let ids = try access {
      try database.prepare("SELECT id FROM session WHERE ended IS NOT NULL AND token_removed = 0")
        .all { $0.integer(0) }
    }
    for id in ids {
      try credentials.removeToken(for: StoredSession.credential(id))
      try credentials.removeToken(for: StoredSession.marketplaceCredential(id))
      try access {
        try database.prepare("UPDATE session SET token_removed = 1 WHERE id = ?").run(.integer(id))
      }
    }
  }
}
