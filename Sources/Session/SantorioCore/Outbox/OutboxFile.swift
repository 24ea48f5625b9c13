// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioFiles
import SantorioSQLite

/// The open file of an outbox: its connection, compiled statements and key.
final class OutboxFile {
  /// Files with more pages than this are checked while they are used, not when they are opened.
  private static let quickCheckPages: Int64 = 12_500

  let database: SQLiteDatabase
  let seal: RowSeal
  /// Unique to each file that was ever made.
  let generation: [UInt8]
  /// Whether its content was set aside, see ``OutboxRescue``.
  var isSetAside = false
  /// The file's number on its disk, which identifies it if its name is given to another file.
  let number: FileNumber
  private var statements: [String: SQLiteStatement] = [:]
  var verifiedSession: StoredSession.Verified?
  /// Changes whenever another connection has changed the file; nil before it was looked at.
  private var version: Int64?
  /// Held while the file is open, so that no process sets it aside while another uses it.
  let use: FileLock

  /// Opens or creates the file, under a lock that shows others that it is in use.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - credentials: Where the key of the records is.
  ///   - use: The lock.
  ///   - checked: The file whose pages were checked for damage before.
  /// - Throws: ``SessionError``, of code `storageDamaged` when SQLite finds the file damaged.
  init(
    path: String, credentials: any CredentialStoring, use: FileLock, checked: FileNumber? = nil
  ) throws(SessionError) {
    self.use = use
    try DurableFile.touch(path)
    do {
      number = try FileNumber(of: path)
      let database = try SQLiteDatabase(path: path)
      try database.execute(OutboxSchema.pragmas)
      database.checkpointByHand()
      // Two processes may open a new file at once: checking and creating are one transaction.
      try database.execute("BEGIN IMMEDIATE")
      do {
        seal = try OutboxSchema.prepare(
          database, in: credentials, hasSession: SessionMirror(path: path).exists)
        try database.execute("COMMIT")
      } catch {
        try? database.execute("ROLLBACK")
        throw (error as? SQLiteError)?.asDamage ?? error
      }
      if number != checked { try Self.check(database) }
      OutboxKey.countAhead(in: database)
      _ = try StoredSession.current(in: database, by: seal)
      generation = try StoragePosition(of: database).generation
      // The check has read all pages.
      database.releaseMemory()
      self.database = database
    } catch {
      throw SessionError(any: error)
    }
  }

  /// The lock shared by all processes that have the file open.
  static func use(of path: String) throws(SessionError) -> FileLock {
    guard let lock = try FileLock.take(path + ".use", .shared) else {
      throw SessionError(.storageFailed, "the file cannot be shared with other processes")
    }
    return lock
  }

  /// The compiled statement of a text that is used repeatedly, but never while it is running.
  func statement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    if let known = statements[sql] { return known }
    let statement = try database.prepare(sql)
    statements[sql] = statement
    return statement
  }

  /// Gives back the memory of pages and compiled statements, which are read and compiled again when
  /// they are used.
  func releaseMemory() {
    statements = [:]
    database.releaseMemory()
  }

  /// Whether another connection has changed the file since the last call; true for the first.
  func hasNews() throws(SQLiteError) -> Bool {
    let current = try statement("PRAGMA data_version").first { $0.integer(0) }
    defer { version = current }
    return current != version
  }

  /// Whether the log is so long that it must be moved into the database.
  var isLogLong: Bool { database.logPages >= OutboxSchema.logPages }

  /// Whether the file was removed or replaced while this process has it open.
  var isDisplaced: Bool { (try? FileNumber(of: database.path)) != number }

  /// Checks the file's pages for damage.
  private static func check(_ database: SQLiteDatabase) throws(SQLiteError) {
    guard try database.integer("PRAGMA page_count") <= quickCheckPages else { return }
    let result = try database.prepare("PRAGMA quick_check(1)").first { $0.text(0) }
    guard result == "ok" else {
      throw SQLiteError.damaged("quick_check found a fault")
    }
  }
}

/// Distinguishes a file from another one of the same name.
struct FileNumber: Equatable {
  let device: UInt64
  let inode: UInt64

  init(of path: String) throws(SessionError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      throw SessionError(errno: errno, doing: "find", path)
    }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(status.st_ino)
  }
}

extension SQLiteError {
  /// The meaning of a refused statement where every statement is known to be correct.
  ///
  /// The tables are not those made by this library.
  fileprivate var asDamage: SQLiteError {
    isWrongStatement ? .damaged("the tables do not have the expected form: \(message)") : self
  }
}
