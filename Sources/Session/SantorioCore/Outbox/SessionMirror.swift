// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import SantorioJSON

/// A second copy of the current session's row, in case the first one is damaged.
///
/// Without it the records of a damaged file would have no user.
struct SessionMirror {
  private let path: String

  /// - Parameter path: The path of the outbox's file, beside which the copy is stored.
  init(path: String) { self.path = path + ".session" }

  func save(_ session: StoredSession, _ seal: RowSeal) throws(SessionError) {
    var json = JSONWriter()
    json.object { json in
      json.optional("id", Int(session.id))
      json.optional("user_id", session.userID)
      json.optional("organization_id", session.organizationID)
      json.optional("offline", session.isOffline)
    }
    let file = try DurableFile(path: path)
    try file.write(seal.seal(json.bytes, as: SealedPlace.mirror))
    try file.commit()
  }

  var exists: Bool { unsafe access(path, F_OK) == 0 }

  func remove() { unsafe unlink(path) }

  /// Writes the copy anew from the current session, if it is missing or out of date.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - isStale: Whether the copy may be out of date.
  /// - Throws: ``SessionError`` when the file cannot be used.
  func keep(from file: OutboxFile, isStale: Bool = false) throws(SessionError) {
    guard isStale || !exists else { return }
    do throws(SQLiteError) {
      // Ending the session in the meantime waits for this.
      try file.database.transaction { () throws(SQLiteError) in
        guard let session = try StoredSession.current(in: file.database, by: file.seal) else {
          return
        }
        try? save(session, file.seal)
      }
    } catch {
      throw SessionError(error)
    }
  }

  /// Makes the session current again unless the database has one.
  func restore(into database: SQLiteDatabase, _ seal: RowSeal) throws {
    guard try StoredSession.current(in: database, by: seal) == nil,
      let session = try? read(seal)
    else { return }
    let inserted = try database.prepare("INSERT OR IGNORE INTO session(id, offline) VALUES(?, ?)")
      .run(.integer(session.id), .integer(session.isOffline ? 1 : 0))
    if inserted == 1 { try session.write(to: database, by: seal) }
  }

  /// The session of the copy; nil when the copy is damaged as well.
  private func read(_ seal: RowSeal) throws -> StoredSession? {
    guard let data = FileManager.default.contents(atPath: path),
      let bytes = seal.open(Array(data), as: SealedPlace.mirror)
    else { return nil }
    let json = try JSONReader(parsing: bytes)
    return StoredSession(
      id: Int64(try json.member("id").integer()), userID: try json.member("user_id").string(),
      organizationID: try json.member("organization_id").string(), isValidated: false,
      isOffline: try json.member("offline").bool())
  }
}
