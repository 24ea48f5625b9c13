// SPDX-License-Identifier: Apache-2.0

import SantorioSQLite

/// A record on its way into the queue, encoded once; these octets are stored, sent and archived.
struct OutboxItem: Sendable {
  let logID: String
  let body: [UInt8]
}

/// A record claimed from the queue.
struct OutboxRow: Hashable, Sendable {
  let sequence: Int64
  let logID: String
  let body: [UInt8]
  /// How often the server left the record without an answer.
  let attempts: Int
  let sum: Int64

  var isSound: Bool { RowChecksum.of(logID: logID, body: body) == sum }
}

extension OutboxRow {
  /// Reads the columns seq, log_id, body, attempts, sum.
  init(_ row: SQLiteRow) {
    sequence = row.integer(0)
    logID = row.text(1)
    body = row.blob(2)
    attempts = Int(row.integer(3))
    sum = row.integer(4)
  }
}

/// The session as the file knows it.
struct StoredSession: Hashable, Sendable {
  let id: Int64
  let userID: String
  let organizationID: String
  let isValidated: Bool

  /// The name of its token in the credential store.
  var credential: String { Self.credential(id) }
  static func credential(_ id: Int64) -> String { "session-\(id)" }
}

/// What happens to a claimed row.
enum Settlement: Hashable, Sendable {
  case submitted(serverID: String?)
  case failed(RecordFailure)
  /// Stays in the queue and is not claimed before the time has passed, which is at most
  /// ``Outbox/longestRowWait``.
  case postponed(Duration)
}

/// A stored event, still to be told.
struct StoredEvent: Sendable {
  let id: Int64
  let event: SessionEvent
}
