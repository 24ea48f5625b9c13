// SPDX-License-Identifier: Apache-2.0

import SantorioSQLite
import SantorioConcurrency

/// The store in one SQLite file: one connection that writes, one that reads beside it.
final class SQLiteRecordStore: RecordStore {
  private let writer: Locked<SQLiteConnection>
  private let reader: Locked<SQLiteConnection>

  // Both walk an index from the place wanted; a sort of all that is stored would be the end of it.
  static let page = """
    SELECT number, record.revision, record.arrival, created_at, body
    FROM record JOIN revision ON revision.arrival = record.arrival
    WHERE user = ? AND record.arrival > ? ORDER BY record.arrival LIMIT ?
    """
  static let arrivals = """
    SELECT record.number, revision.revision, revision.arrival, record.created_at, body,
      user.number, user.id, organization, uid
    FROM revision JOIN record ON record.number = revision.record
      JOIN user ON user.number = record.user
    WHERE revision.arrival > ? ORDER BY revision.arrival LIMIT ?
    """

  /// Opens or creates the file.
  init(path: String) throws(IngestError) {
    try StorageSchema.createFile(path)
    writer = Locked(try Self.connect(path, prepare: true))
    reader = Locked(try Self.connect(path, prepare: false))
  }

  private static func connect(
    _ path: String, prepare: Bool
  ) throws(IngestError) -> sending SQLiteConnection {
    let connection: SQLiteConnection
    do throws(SQLiteError) {
      connection = try SQLiteConnection(path: path)
      if !prepare { try connection.database.execute("PRAGMA query_only = ON") }
    } catch {
      throw error.isCorrupt ? StorageSchema.foreign(path) : IngestError(error)
    }
    if prepare { try StorageSchema.prepare(connection) }
    return connection
  }

  func commit(_ changes: [Change]) throws(IngestError) -> [Change.Outcome] {
    do throws(SQLiteError) {
      return try writer.withLock { connection throws(SQLiteError) in
        try connection.database.transaction { () throws(SQLiteError) in
          var transaction = try SQLiteTransaction(connection)
          let outcomes = try transaction.apply(changes)
          try transaction.finish()
          return outcomes
        }
      }
    } catch {
      throw IngestError(error)
    }
  }

  private func read<Result: Sendable>(
    _ body: (SQLiteConnection) throws(SQLiteError) -> Result
  ) throws(IngestError) -> Result {
    do throws(SQLiteError) {
      return try reader.withLock { connection throws(SQLiteError) in try body(connection) }
    } catch {
      throw IngestError(error)
    }
  }

  func account(tokenDigest: [UInt8]) throws(IngestError) -> Account? {
    try read { connection throws(SQLiteError) in
      try connection.rows(
        """
        SELECT number, id, organization, uid FROM token JOIN user ON user = number
        WHERE digest = ?
        """, .blob(tokenDigest)
      ) { Account($0, from: 0) }.first
    }
  }

  func recordCount(of account: Account) throws(IngestError) -> Int {
    try read { connection throws(SQLiteError) in
      try connection.rows(
        "SELECT count(*) FROM record WHERE user = ?", .integer(account.number)
      ) { Int($0.integer(0)) }.first ?? 0
    }
  }

  func records(
    of account: Account, after: Int64, limit: Int
  ) throws(IngestError) -> [StoredRecord] {
    try read { connection throws(SQLiteError) in
      try connection.rows(
        Self.page, .integer(account.number), .integer(after), .integer(Int64(limit))
      ) { StoredRecord($0, from: 0) }
    }
  }

  func record(of account: Account, logID: String) throws(IngestError) -> StoredRecord? {
    try read { connection throws(SQLiteError) in
      try connection.rows(
        """
        SELECT number, record.revision, record.arrival, created_at, body
        FROM record JOIN revision ON revision.arrival = record.arrival
        WHERE user = ? AND log_id = ?
        """, .integer(account.number), .text(logID)
      ) { StoredRecord($0, from: 0) }.first
    }
  }

  func arrivals(after: Int64, limit: Int) throws(IngestError) -> [Arrival] {
    try read { connection throws(SQLiteError) in
      try connection.rows(
        Self.arrivals, .integer(after), .integer(Int64(limit))
      ) { Arrival(record: StoredRecord($0, from: 0), account: Account($0, from: 5)) }
    }
  }

  func totals() throws(IngestError) -> Totals {
    try read { connection throws(SQLiteError) in try Totals(connection) }
  }
}

extension Account {
  fileprivate init(_ row: SQLiteRow, from column: Int32) {
    self.init(
      number: row.integer(column), id: row.text(column + 1), organization: row.text(column + 2),
      uid: row.text(column + 3))
  }
}

extension StoredRecord {
  fileprivate init(_ row: SQLiteRow, from column: Int32) {
    self.init(
      id: row.integer(column), revision: row.integer(column + 1),
      arrival: row.integer(column + 2), createdMilliseconds: row.integer(column + 3),
      octets: row.blob(column + 4))
  }
}
