// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite

/// A second copy of the current session's row, for the case that the first one is damaged.
///
/// Without it the records of a damaged file would belong to nobody.
struct SessionMirror {
  private let path: String

  /// - Parameter path: The path of the outbox's file, beside which the copy stands.
  init(path: String) { self.path = path + ".session" }

  func save(_ session: StoredSession) throws(SessionError) {
    var json = JSONWriter()
    json.object { json in
      json.optional("id", Int(session.id))
      json.optional("user_id", session.userID)
      json.optional("organization_id", session.organizationID)
      json.optional("offline", session.isOffline)
      json.optional("digest", Data(session.digest).base64EncodedString())
    }
    let file = try DurableFile(path: path)
    try file.write(json.octets)
    try file.commit()
  }

  func remove() { unsafe unlink(path) }

  /// Makes the session current again unless the database has one.
  func restore(into database: SQLiteDatabase) throws {
    guard try StoredSession.current(in: database) == nil, let session = try? read() else { return }
    try database.prepare(
      """
      INSERT OR IGNORE INTO session(id, user_id, organization_id, offline, digest)
      VALUES(?, ?, ?, ?, ?)
      """
    ).run(
      .integer(session.id), .text(session.userID), .text(session.organizationID),
      .integer(session.isOffline ? 1 : 0), .blob(session.digest))
  }

  /// The session of the copy; nil when the copy is damaged as well.
  private func read() throws -> StoredSession? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    let json = try JSONReader(parsing: data)
    let session = StoredSession(
      id: Int64(try json.member("id").integer()), userID: try json.member("user_id").string(),
      organizationID: try json.member("organization_id").string(), isValidated: false,
      isOffline: try json.member("offline").bool())
    let digest = Data(base64Encoded: try json.member("digest").string())
    return digest == Data(session.digest) ? session : nil
  }
}
