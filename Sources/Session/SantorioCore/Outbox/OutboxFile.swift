// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioSQLite

/// The open file of an outbox: its connection, its compiled statements, its key.
final class OutboxFile {
  /// Files with more pages than this are looked through while they are used, not at their opening.
  private static let quickCheckPages: Int64 = 12_500

  let database: SQLiteDatabase
  let seal: RowSeal
  private var statements: [String: SQLiteStatement] = [:]
  var verifiedSession: StoredSession.Row?
  /// Held as long as the file is open, so that nobody sets it aside under another's hands.
  let use: FileLock

  /// Opens the file, or makes it, under a lock that tells others that it is in use.
  ///
  /// - Throws: ``SessionError``, of code `storageDamaged` when SQLite finds the file damaged.
  init(path: String, credentials: any CredentialStoring, use: FileLock) throws(SessionError) {
    self.use = use
    try DurableFile.touch(path)
    do {
      let database = try SQLiteDatabase(path: path)
      try database.execute(OutboxSchema.pragmas)
      database.checkpointByHand()
      // Two processes may open a new file at once: the look and the making are one transaction.
      try database.execute("BEGIN IMMEDIATE")
      do {
        seal = try OutboxSchema.prepare(database, in: credentials)
        try database.execute("COMMIT")
      } catch {
        try? database.execute("ROLLBACK")
        throw (error as? SQLiteError)?.asDamage ?? error
      }
      try Self.check(database)
      _ = try StoredSession.current(in: database)
      self.database = database
    } catch {
      throw SessionError(any: error)
    }
  }

  /// The lock that everybody shares who has the file open.
  static func use(of path: String) throws(SessionError) -> FileLock {
    guard let lock = try FileLock(path: path + ".use", .shared) else {
      throw SessionError(.storageFailed, "the file cannot be shared with other processes")
    }
    return lock
  }

  /// The compiled statement of a text that is used again and again, and never while it is at work.
  func statement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    if let known = statements[sql] { return known }
    let statement = try database.prepare(sql)
    statements[sql] = statement
    return statement
  }

  /// Whether the log has grown so long that it is to be moved into the database.
  var isLogLong: Bool { database.logPages >= OutboxSchema.logPages }

  /// Looks for damage of the file's pages.
  private static func check(_ database: SQLiteDatabase) throws(SQLiteError) {
    guard try database.integer("PRAGMA page_count") <= quickCheckPages else { return }
    let verdict = try database.prepare("PRAGMA quick_check(1)").first { $0.text(0) }
    guard verdict == "ok" else {
      throw SQLiteError.damaged("quick_check found a fault")
    }
  }
}

extension SQLiteError {
  /// What a refused statement means where every statement is known to be right: the tables are not what
  /// this library has made.
  fileprivate var asDamage: SQLiteError {
    isWrongStatement ? .damaged("the tables are not as they were made: \(message)") : self
  }
}
