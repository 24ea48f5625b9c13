// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite

extension Outbox {
  /// The kinds of stored events.
  enum EventKind: String {
    case submitted, failed, damaged
    /// A session's end; `log_id` holds the session's number.
    case ended
  }

  func insertEvent(
    _ kind: EventKind, _ logID: String, serverID: String? = nil, error: String? = nil,
    body: [UInt8]? = nil
  ) throws(SQLiteError) {
    try database.prepare("INSERT INTO ev(kind, log_id, server_id, err, body) VALUES(?, ?, ?, ?, ?)")
      .run(
        .text(kind.rawValue), .text(logID), SQLiteValue(serverID), SQLiteValue(error),
        SQLiteValue(body))
  }

  /// Events still to be told, oldest first, later than the one named.
  func events(after id: Int64, count: Int) throws(SessionError) -> [StoredEvent] {
    try access {
      let rows = try database.prepare(
        "SELECT id, kind, log_id, server_id, err, body FROM ev WHERE id > ? ORDER BY id LIMIT ?")
      var events: [StoredEvent] = []
      try rows.scan([.integer(id), .integer(Int64(count))]) { (row) throws(SQLiteError) in
        events.append(StoredEvent(id: row.integer(0), event: try event(row)))
        return true
      }
      return events
    }
  }

  private func event(_ row: SQLiteRow) throws(SQLiteError) -> SessionEvent {
    let logID = row.text(2)
    let kind = EventKind(rawValue: row.text(1))
    if kind == .ended, let id = Int64(logID), let ended = try endedSession(id) {
      return .sessionEnded(ended)
    }
    let record = try? HealthRecord(informJSON: row.blob(5))
    switch (kind, record) {
    case (.submitted, let record?): return .recordSubmitted(record, serverID: row.optionalText(3))
    case (.failed, let record?): return .recordFailed(record, RecordFailure(json: row.text(4)))
    default: return .recordDamaged(logID: logID)
    }
  }

  /// Forgets the events up to and including the one named.
  func discardEvents(through id: Int64) throws(SessionError) {
    try draining { try database.prepare("DELETE FROM ev WHERE id <= ?").run(.integer(id)) }
  }

  /// What the server refused and what the disk damaged, oldest first.
  func quarantine() throws(SessionError) -> [QuarantinedRecord] {
    try access {
      try database.prepare(
        """
        SELECT quarantine.log_id, user_id, organization_id, at, err, body FROM quarantine
        LEFT JOIN session ON session.id = quarantine.session ORDER BY quarantine.id
        """
      ).all { row in
        QuarantinedRecord(
          logID: row.text(0), userID: row.text(1), organizationID: row.text(2),
          date: Date(timeIntervalSince1970: Double(row.integer(3)) / 1000),
          failure: row.optionalText(4).map(RecordFailure.init(json:)), octets: row.blob(5))
      }
    }
  }
}
