// SPDX-License-Identifier: Apache-2.0

import SantorioSQLite
import SantorioConcurrency

/// The store in one SQLite file: one connection that writes, one that reads beside it.
final class SQLiteRecordStore: RecordStore {
  private struct Writer {
    let connection: SQLiteConnection
    /// What was wiped may still stand in the log.
    var owesCheckpoint = true
  }

  private let writer: Locked<Writer>
  private let reader: Locked<SQLiteConnection>

  // Both walk an index from the place wanted; a sort of all that is stored would be the end of it.
  static let page = """
    SELECT record.arrival, number, record.revision, created_at, body
    FROM record JOIN revision ON revision.arrival = record.arrival
    WHERE user = ? AND record.arrival > ? ORDER BY record.arrival LIMIT ?
    """
  static let arrivals = """
    SELECT revision.arrival, record.number, revision.revision, record.created_at, body, log_id,
      user.number, user.id, organization, uid
    FROM revision JOIN record ON record.number = revision.record
      JOIN user ON user.number = record.user
    WHERE revision.arrival > ?1 AND revision.arrival > deletion
    UNION ALL
    SELECT deletion, NULL, NULL, NULL, NULL, log_id, user.number, user.id, organization, uid
    FROM record JOIN user ON user.number = record.user
    WHERE deletion > ?1 AND deletion > 0
    ORDER BY 1 LIMIT ?2
    """

  /// Opens or creates the file.
  init(path: String) throws(IngestError) {
    try StorageSchema.createFile(path)
    writer = Locked(Writer(connection: try Self.connect(path, prepare: true)))
    reader = Locked(try Self.connect(path, prepare: false))
    // A server that was killed may have wiped what its log still shows.
    writer.withLock { checkpoint(&$0) }
  }

  private static func connect(
    _ path: String, prepare: Bool
  ) throws(IngestError) -> sending SQLiteConnection {
    let connection: SQLiteConnection
    do throws(SQLiteError) {
      connection = try SQLiteConnection(path: path)
      try connection.database.execute(
        prepare ? "PRAGMA secure_delete = ON" : "PRAGMA query_only = ON")
    } catch {
      throw error.isCorrupt ? StorageSchema.foreign(path) : IngestError(error)
    }
    if prepare { try StorageSchema.prepare(connection) }
    return connection
  }

  func commit(_ changes: [Change]) throws(IngestError) -> [Change.Outcome] {
    do throws(SQLiteError) {
      return try writer.withLock { writer throws(SQLiteError) in
        let connection = writer.connection
        let outcomes = try connection.database.transaction { () throws(SQLiteError) in
          var transaction = try SQLiteTransaction(connection)
          let outcomes = try transaction.apply(changes)
          try transaction.finish()
          return outcomes
        }
        if outcomes.contains(where: \.isDeletion) { writer.owesCheckpoint = true }
        if writer.owesCheckpoint { checkpoint(&writer) }
        return outcomes
      }
    } catch {
      throw IngestError(error)
    }
  }

  /// Empties the log, so that what was wiped in the tables is wiped there too.
  ///
  /// Another program that reads the file may be in the way; then the next commit tries again.
  private func checkpoint(_ writer: inout Writer) {
    let connection = writer.connection
    // Our own reader has to be out of the way, nobody else is waited for.
    let isDone = reader.withLock { _ in
      do throws(SQLiteError) {
        try connection.run("PRAGMA busy_timeout = 0")
        defer { _ = try? connection.run("PRAGMA busy_timeout = 5000") }
        return try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer(0) } == [0]
      } catch {
        return false
      }
    }
    writer.owesCheckpoint = !isDone
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
        """
        SELECT (SELECT count(*) FROM record WHERE user = ?1)
          - (SELECT count(*) FROM record WHERE user = ?1 AND deletion = arrival)
        """, .integer(account.number)
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
        SELECT record.arrival, number, record.revision, created_at, body
        FROM record JOIN revision ON revision.arrival = record.arrival
        WHERE user = ? AND log_id = ?
        """, .integer(account.number), .text(logID)
      ) { StoredRecord($0, from: 0) }.first
    }
  }

  func media(of account: Account, logID: String) throws(IngestError) -> [StoredMedia]? {
    try read { connection throws(SQLiteError) in
      let record = try connection.rows(
        "SELECT number FROM record WHERE user = ? AND log_id = ? AND arrival > deletion",
        .integer(account.number), .text(logID)
      ) { $0.integer(0) }.first
      guard let record else { return nil }
      return try connection.rows(
        "SELECT \(StoredMedia.columns) FROM media WHERE record = ? ORDER BY number",
        .integer(record), map: StoredMedia.init
      ).compactMap(\.self)
    }
  }

  func needsMedia(_ digest: MediaDigest) throws(IngestError) -> Bool {
    try read { connection throws(SQLiteError) in
      try !connection.rows(
        "SELECT 1 FROM media WHERE digest = ? LIMIT 1", .text(digest.hex)
      ) { _ in true }.isEmpty
    }
  }

  func arrivals(after: Int64, limit: Int) throws(IngestError) -> [Arrival] {
    try read { connection throws(SQLiteError) in
      try connection.rows(
        Self.arrivals, .integer(after), .integer(Int64(limit)), map: Arrival.init)
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
      id: row.integer(column + 1), revision: row.integer(column + 2),
      arrival: row.integer(column), createdMilliseconds: row.integer(column + 3),
      octets: row.blob(column + 4))
  }
}

extension Arrival {
  fileprivate init(_ row: SQLiteRow) {
    self.init(
      number: row.integer(0), account: Account(row, from: 6),
      event: row.isNull(1)
        ? .deleted(logID: row.text(5)) : .stored(StoredRecord(row, from: 0)))
  }
}

extension StoredMedia {
  static let columns = "number, digest, content_type, size"

  /// Reads a row of the columns; nil when it names no image that the server takes.
  init?(_ row: SQLiteRow) {
    guard let digest = MediaDigest(hex: row.text(1)), let type = ImageType(rawValue: row.text(2))
    else { return nil }
    id = row.integer(0)
    description = MediaDescription(digest: digest, type: type, size: Int(row.integer(3)))
  }
}

extension Change.Outcome {
  fileprivate var isDeletion: Bool {
    guard case .deleted = self else { return false }
    return true
  }
}
