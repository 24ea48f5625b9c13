// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioFiles
import SantorioSQLite

/// Copies what can still be read of a damaged file into a new one, and sets the damaged one aside.
///
/// Only rows whose seal is whole are copied. The new file is made under another name and takes
/// its place when it is complete and on disk; so a kill or a full disk in between loses nothing, and
/// the next opening goes on where this one was: a system that ends an app which takes long at its
/// launch must not make it begin again and again.
/// The damaged file stays beside it for inspection and is never deleted.
struct OutboxRecovery {
  /// A row of a higher number is damaged.
  static let highestNumber: Int64 = 1 << 48

  let path: String
  let credentials: any CredentialStoring
  /// The lock under which the file was open.
  let use: FileLock
  let now: Date
  /// The last event that this process was given; later ones must have higher numbers.
  var lastEvent: Int64 = 0

  /// Whether a session exists without its file: the file was removed or emptied.
  static func isLost(_ path: String) -> Bool {
    var status = stat()
    let isThere = unsafe stat(path, &status) == 0 && status.st_size > 0
    return !isThere && SessionMirror(path: path).exists
  }

  /// Replaces the file, or opens the one by which another process has replaced it.
  func run() throws(SessionError) -> OutboxFile {
    let wasLost = Self.isLost(path)
    // A new file beside the old session needs its key: the rest of the folder is encrypted with it.
    if SessionMirror(path: path).exists { _ = try OutboxKey.key(in: credentials) }
    guard use.makeExclusive(unless: { wasLost && !Self.isLost(path) }) else {
      // Others have it open: either they have replaced the file, or the damage remains.
      guard !Self.isLost(path) else {
        throw SessionError(
          .storageDamaged,
          "the record file is missing, and another process has it open; that process restores it "
            + "when it next stores something"
        )
      }
      return try OutboxFile(path: path, credentials: credentials, use: use)
    }
    defer { use.share() }
    let progress = wasLost ? nil : RecoveryProgress(of: path)
    let replacement = OutboxReplacement(of: path, at: now)
    let isResumed = progress?.isIn(replacement.draft) ?? false
    // Another process may have replaced the file before this lock could be taken.
    if !isResumed, let file = try openIfWhole() { return file }
    // A placeholder for the lost file: while it exists, images that it may have named are kept.
    try DurableFile.touch(path)
    try replacement.make(isResumed: isResumed) { draft, damagedFile throws(SessionError) in
      let file = try OutboxFile(path: draft, credentials: credentials, use: use)
      try copy(into: file, progress, leaving: damagedFile)
    }
    return try OutboxFile(path: path, credentials: credentials, use: use)
  }

  private func openIfWhole() throws(SessionError) -> OutboxFile? {
    do throws(SessionError) {
      guard try isWhole() else { return nil }
      return try OutboxFile(path: path, credentials: credentials, use: use)
    } catch {
      guard error.code == .storageDamaged else { throw error }
      return nil
    }
  }

  private func isWhole() throws(SessionError) -> Bool {
    guard !Self.isLost(path) else { return false }
    do throws(SQLiteError) {
      let database = try SQLiteDatabase(path: path)
      return try database.prepare("PRAGMA integrity_check(1)").first { $0.text(0) } == "ok"
    } catch {
      throw SessionError(error)
    }
  }

  // MARK: - Copying

  private func copy(
    into file: OutboxFile, _ progress: RecoveryProgress?, leaving damagedFile: String
  ) throws(SessionError) {
    do {
      try file.database.execute("BEGIN IMMEDIATE")
      let expected = try copyTables(into: file, progress)
      try progress?.end(in: file.database)
      try SessionMirror(path: path).restore(into: file.database, file.seal)
      try countMessages(in: file.database)
      try file.database.execute(OutboxSchema.releaseImages)
      try file.database.execute(OutboxSchema.takePositionsBack)
      try reportDamage(expected: expected, file: file, damagedFile: damagedFile)
      try file.database.execute("COMMIT")
      try file.database.checkpoint()
    } catch {
      try? file.database.execute("ROLLBACK")
      throw SessionError(any: error)
    }
  }

  /// - Returns: How many records the damaged file claimed to hold; nil when that cannot be read.
  private func copyTables(into file: OutboxFile, _ progress: RecoveryProgress?) throws -> Int? {
    // SQLite removes the log of an empty file, which may still contain useful data.
    guard !Self.isLost(path), let progress, let damaged = try? SQLiteDatabase(path: path) else {
      return nil
    }
    try continueNumbering(damaged, in: file.database)
    try progress.begin(in: file.database)
    for (name, columns) in OutboxSchema.columns {
      // A table that is missing in the damaged file has no rows to copy.
      guard let copy = try? OutboxTableCopy(name, columns, from: damaged, into: file) else {
        continue
      }
      try copy.run(from: progress.start(of: name, in: file.database)) { last throws(SQLiteError) in
        try progress.note(last, of: name, in: file.database)
      }
    }
    return (try? damaged.integer("SELECT count(*) FROM q")).map(Int.init)
  }

  /// Continues the count of what the key has encrypted; if it cannot be read, from a high one.
  private func countMessages(in database: SQLiteDatabase) throws(SQLiteError) {
    let damaged = Self.isLost(path) ? nil : try? SQLiteDatabase(path: path)
    let count = try? damaged?.integer("SELECT messages FROM seal")
    try database.prepare("UPDATE seal SET messages = messages + ?")
      .run(.integer(max(0, count ?? Int64(OutboxKey.messagesAhead) * 16)))
  }

  /// Prevents numbers from being reused.
  ///
  /// A subscriber waiting for events after the last one would never get one with a lower number.
  private func continueNumbering(
    _ damaged: SQLiteDatabase, in database: SQLiteDatabase
  ) throws(SQLiteError) {
    let numbers = try? damaged.prepare("SELECT name, seq FROM sqlite_sequence").all { row in
      (row.text(0), row.integer(1))
    }
    for (table, number) in (numbers ?? []) + [("ev", lastEvent)]
    where (1...Self.highestNumber).contains(number)
      && OutboxSchema.columns.contains(where: { $0.key == table })
    {
      try OutboxSchema.number(table, after: number, in: database)
    }
  }

  private func reportDamage(expected: Int?, file: OutboxFile, damagedFile: String) throws {
    let recovered = Int(try file.database.integer("SELECT count(*) FROM q"))
    let name = (damagedFile as NSString).lastPathComponent
    let damage = StorageDamage(
      recoveredRecords: recovered, lostRecords: expected.map { max(0, $0 - recovered) },
      damagedFile: URL(fileURLWithPath: damagedFile))
    try file.database.prepare("INSERT INTO ev(kind, log_id, body) VALUES('recovered', ?, ?)")
      .run(
        .blob(file.seal.name(of: name)),
        .blob(file.seal.seal(damage.json, as: SealedPlace.event(name))))
    SantorioSession.log(.outbox, "a damaged file is replaced", .count("recovered", recovered))
  }
}
