// SPDX-License-Identifier: Apache-2.0

import SantorioSQLite

/// Brings the rows of version 1, which did not encrypt, into the form of version 2.
enum OutboxVersion1 {
  static func encrypt(_ database: SQLiteDatabase, _ seal: RowSeal) throws {
    try removeDamaged(database)
    try markSessions(database)
    for (table, key) in [("q", "seq"), ("ev", "id"), ("quarantine", "id")] {
      let rows = try database.prepare("SELECT \(key), log_id FROM \(table) WHERE body IS NOT NULL")
        .all { ($0.integer(0), $0.text(1)) }
      let read = try database.prepare("SELECT body FROM \(table) WHERE \(key) = ?")
      let write = try database.prepare("UPDATE \(table) SET body = ? WHERE \(key) = ?")
      for (id, logID) in rows {
        let body = try read.first(.integer(id)) { $0.blob(0) } ?? []
        let sealed = try seal.seal(body, as: logID)
        try write.run(.blob(sealed), .integer(id))
        guard table == "q" else { continue }
        try database.prepare("UPDATE q SET sum = ? WHERE seq = ?")
          .run(.integer(RowSeal.mark(of: sealed)), .integer(id))
      }
    }
  }

  private static func markSessions(_ database: SQLiteDatabase) throws {
    let sessions = try database.prepare("SELECT id, user_id, organization_id FROM session").all {
      StoredSession(
        id: $0.integer(0), userID: $0.text(1), organizationID: $0.text(2), isValidated: false,
        isOffline: false)
    }
    for session in sessions {
      try database.prepare("UPDATE session SET digest = ? WHERE id = ?")
        .run(.blob(session.digest), .integer(session.id))
    }
  }

  /// Moves rows whose checksum does not match where damaged rows go.
  private static func removeDamaged(_ database: SQLiteDatabase) throws {
    let rows = try database.prepare("SELECT seq, log_id, body, sum FROM q").all {
      (id: $0.integer(0), isSound: checksum($0.text(1), $0.blob(2)) == $0.integer(3))
    }
    for row in rows where !row.isSound {
      try database.prepare(
        """
        INSERT INTO quarantine(log_id, session, at, body)
        SELECT log_id, coalesce((SELECT id FROM session WHERE ended IS NULL), 0), 0, body
        FROM q WHERE seq = ?
        """
      ).run(.integer(row.id))
      try database.prepare(
        "INSERT INTO ev(kind, log_id, body) SELECT 'damaged', log_id, body FROM q WHERE seq = ?"
      ).run(.integer(row.id))
      try database.prepare("DELETE FROM q WHERE seq = ?").run(.integer(row.id))
    }
  }

  /// FNV-1a, 64 bits, over a record's identifier and its octets.
  static func checksum(_ logID: String, _ body: [UInt8]) -> Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for octet in logID.utf8 { hash = (hash ^ UInt64(octet)) &* 0x0000_0100_0000_01b3 }
    for octet in body { hash = (hash ^ UInt64(octet)) &* 0x0000_0100_0000_01b3 }
    return Int64(bitPattern: hash)
  }
}
