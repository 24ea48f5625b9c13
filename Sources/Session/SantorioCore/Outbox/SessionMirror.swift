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
      json.optional("offline", session.isOffline ? 1 : 0)
    }
    let file = try DurableFile(path: path)
    try file.write(json.octets)
    try file.commit()
  }

  func remove() { unsafe unlink(path) }

  /// Makes the session current again unless the database has one.
  func restore(into database: SQLiteDatabase) throws {
    guard try StoredSession.current(in: database) == nil,
      let data = FileManager.default.contents(atPath: path),
      let json = try? JSONReader(parsing: data), let id = try? json.member("id").integer(),
      let user = try? json.member("user_id").string(),
      let organization = try? json.member("organization_id").string(),
      let offline = try? json.member("offline").integer()
    else { return }
    try database.prepare(
      "INSERT OR IGNORE INTO session(id, user_id, organization_id, offline) VALUES(?, ?, ?, ?)"
    ).run(.integer(Int64(id)), .text(user), .text(organization), .integer(Int64(offline)))
  }
}
