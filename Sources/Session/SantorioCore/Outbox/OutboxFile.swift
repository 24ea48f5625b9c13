// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioSQLite

/// The open file of an outbox: its connection, its compiled statements, its key.
final class OutboxFile {
  /// Files with more pages than this are looked through while they are used, not at their opening.
  private static let quickCheckPages: Int64 = 12_500

  let database: SQLiteDatabase
  let seal: RowSeal
  /// Another one for each file that was ever made.
  let generation: [UInt8]
  /// Whether what it holds was set aside, see ``OutboxRescue``.
  var isSetAside = false
  /// The file's number on its disk, by which it is known should its name be given to another.
  private let number: FileNumber
  private var statements: [String: SQLiteStatement] = [:]
  var verifiedSession: StoredSession.Verified?
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
        seal = try OutboxSchema.prepare(
          database, in: credentials, hasSession: SessionMirror(path: path).exists)
        try StoragePosition.Note(path: path).check(database)
        try database.execute("COMMIT")
      } catch {
        try? database.execute("ROLLBACK")
        throw (error as? SQLiteError)?.asDamage ?? error
      }
      try Self.check(database)
      OutboxKey.countAhead(in: database)
      _ = try StoredSession.current(in: database, by: seal)
      generation = try database.prepare("SELECT generation FROM seal").first { $0.blob(0) } ?? []
      self.database = database
      number = try FileNumber(of: path)
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

  /// Whether the file was removed, or another one put in its place, under the hands of this
  /// process.
  var isDisplaced: Bool { (try? FileNumber(of: database.path)) != number }

  /// Looks for damage of the file's pages.
  private static func check(_ database: SQLiteDatabase) throws(SQLiteError) {
    guard try database.integer("PRAGMA page_count") <= quickCheckPages else { return }
    let result = try database.prepare("PRAGMA quick_check(1)").first { $0.text(0) }
    guard result == "ok" else {
      throw SQLiteError.damaged("quick_check found a fault")
    }
  }
}

/// What tells a file from another one of the same name.
private struct FileNumber: Equatable {
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
  /// What a refused statement means where every statement is known to be right: the tables are not
  /// what this library has made.
  fileprivate var asDamage: SQLiteError {
    isWrongStatement ? .damaged("the tables are not as they were made: \(message)") : self
  }
}
