// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SantorioConcurrency
import SantorioSQLite

/// The store in one SQLite file, with one writing and several reading connections.
///
/// Beside the file is the erasure journal, which is applied to a file restored from a backup.
final class SQLiteRecordStore: RecordStore {
  private struct Writer {
    let connection: SQLiteConnection
    let journal: ErasureJournal
    /// Whether wiped data may still be in the log.
    var needsCheckpoint = true
  }

  private let writer: Locked<Writer>
  let readers: SQLiteReaders

  /// Opens or creates the file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - journal: The journal file; beside the storage if nil.
  ///   - now: The current time.
  ///   - log: Receives the numbers of repeated erasures and of unreadable journal lines.
  /// - Throws: ``IngestError`` when the file or its journal cannot be used.
  init(
    path: String, journal: String? = nil, now: Date = Date(), log: (String) -> Void = { _ in }
  ) throws(IngestError) {
    try StorageSchema.createFile(path)
    let connection = try Self.connect(path, isWriter: true)
    let journal = try ErasureJournal(path: journal ?? path + "-erasures", log: log)
    try Self.repeatErasures(of: journal, on: connection, at: now, log)
    writer = Locked(Writer(connection: connection, journal: journal))
    readers = try SQLiteReaders { () throws(IngestError) in
      try Self.connect(path, isWriter: false)
    }
    // The log of a killed server may still contain data wiped from the tables.
    writer.withLock { checkpoint(&$0) }
  }

  private static func connect(
    _ path: String, isWriter: Bool
  ) throws(IngestError) -> sending SQLiteConnection {
    let connection: SQLiteConnection
    do throws(SQLiteError) {
      connection = try SQLiteConnection(path: path)
      try connection.database.execute(
        isWriter ? "PRAGMA secure_delete = ON" : "PRAGMA query_only = ON")
    } catch {
      throw error.isCorrupt ? StorageSchema.foreign(path) : IngestError(error)
    }
    if isWriter { try StorageSchema.prepare(connection) }
    return connection
  }

  func commit(_ changes: [Change]) throws(IngestError) -> [Change.Outcome] {
    try writer.withLock { writer throws(IngestError) in
      let (connection, journal) = (writer.connection, writer.journal)
      // Lines that an earlier commit could not retract.
      try journal.retract()
      let outcomes: [Change.Outcome]
      do throws(IngestError) {
        outcomes = try Self.transact(on: connection) { transaction throws(IngestError) in
          let outcomes = try Self.sqlite { () throws(SQLiteError) in
            try transaction.apply(changes)
          }
          // Before the commit: confirmed erasures must also hold in a file from a backup.
          if !transaction.erasures.isEmpty { try journal.append(transaction.erasures) }
          return outcomes
        }
      } catch {
        try? journal.retract()
        throw error
      }
      journal.confirm()
      if outcomes.contains(where: \.hasWiped) { writer.needsCheckpoint = true }
      if writer.needsCheckpoint { checkpoint(&writer) }
      return outcomes
    }
  }

  private static func transact<Result>(
    on connection: SQLiteConnection,
    _ body: (inout SQLiteTransaction) throws(IngestError) -> Result
  ) throws(IngestError) -> Result {
    let database = connection.database
    try sqlite { () throws(SQLiteError) in try database.execute("BEGIN IMMEDIATE") }
    do throws(IngestError) {
      var transaction = try sqlite { () throws(SQLiteError) in try SQLiteTransaction(connection) }
      let result = try body(&transaction)
      try sqlite { () throws(SQLiteError) in
        try transaction.finish()
        try database.execute("COMMIT")
      }
      return result
    } catch {
      // A failed COMMIT may already have rolled back; then this only reports an error.
      try? database.execute("ROLLBACK")
      throw error
    }
  }

  private static func sqlite<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(IngestError) -> Result {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw IngestError(error)
    }
  }

  func emptyLog() { writer.withLock { checkpoint(&$0) } }

  func wipeLog() {
    writer.withLock { writer in
      if writer.needsCheckpoint { checkpoint(&writer) }
    }
  }

  /// Empties the log, so that data wiped from the tables is wiped there too.
  ///
  /// Another program that reads the file may prevent this; then the next commit tries again.
  private func checkpoint(_ writer: inout Writer) {
    let connection = writer.connection
    // The server's own readers must be idle; other programs are not waited for.
    let isDone = readers.whileIdle {
      do throws(SQLiteError) {
        try connection.run("PRAGMA busy_timeout = 0")
        defer { _ = try? connection.run("PRAGMA busy_timeout = 5000") }
        return try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer(0) } == [0]
      } catch {
        return false
      }
    }
    writer.needsCheckpoint = !isDone
  }

  // MARK: - Erasures of a restored file

  /// Applies the journal lines that the file has not seen.
  private static func repeatErasures(
    of journal: ErasureJournal, on connection: SQLiteConnection, at now: Date,
    _ log: (String) -> Void
  ) throws(IngestError) {
    var count = 0
    var unseen: [JournalEntry] = []
    for entry in journal.entries where try !hasSeen(entry, connection) { unseen.append(entry) }
    for start in stride(from: 0, to: unseen.count, by: 500) {
      try transact(on: connection) { transaction throws(IngestError) in
        for entry in unseen[start...].prefix(500) {
          let outcome = try sqlite { () throws(SQLiteError) in
            try transaction.repeatErasure(entry, at: now)
          }
          if outcome != nil { count += 1 }
        }
      }
    }
    if count > 0 { log("erasures and revocations repeated from the journal count=\(count)") }
  }

  private static func hasSeen(
    _ entry: JournalEntry, _ connection: SQLiteConnection
  ) throws(IngestError) -> Bool {
    try sqlite { () throws(SQLiteError) in
      try !connection.rows("SELECT 1 FROM applied_erasure WHERE id = ?", .text(entry.id)) { _ in
        true
      }.isEmpty
    }
  }
}

extension Change.Outcome {
  /// Whether content was overwritten that may still be in the log.
  fileprivate var hasWiped: Bool {
    switch self {
    case .deleted, .erased: true
    case .wiped(let count): count > 0
    default: false
    }
  }
}
