// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioFiles
import SantorioSQLite

/// Rewrites a file that was removed while it is open, with everything that it still holds.
///
/// All processes that have the file open notice this before they store anything else. The first
/// of them writes it, and the others open that file. A different file in its place is left alone:
/// then the content of the open one is set aside, and nothing more is stored until the process is
/// restarted.
struct OutboxRescue {
  private let path: String
  private let file: OutboxFile
  private let stamp: String

  init(path: String, of file: OutboxFile, at date: Date) {
    self.path = path
    self.file = file
    stamp = String(Int64(date.timeIntervalSince1970 * 1000))
  }

  /// Ensures that the file at the path has everything that the open one holds.
  ///
  /// - Throws: ``SessionError``, of code `storageDamaged` when a different file is there.
  func run() throws(SessionError) {
    guard let lock = try FileLock.take(path + ".rescue", .exclusive) else {
      throw SessionError.displaced
    }
    defer { withExtendedLifetime(lock) {} }
    guard unsafe access(path, F_OK) == 0 else { return try write(to: path) }
    guard !isContained else { return }
    if !file.isSetAside { try write(to: "\(path).bad.\(stamp)") }
    file.isSetAside = true
    throw SessionError(
      .storageDamaged,
      "the record file was replaced by another one; its content is set aside; restart the program")
  }

  /// Whether the file at the path was written by another process from the same one.
  private var isContained: Bool {
    guard let other = try? SQLiteDatabase(path: path),
      let position = try? StoragePosition(of: other),
      let own = try? StoragePosition(of: file.database)
    else { return false }
    return position.contains(own)
  }

  /// Writes a copy that appears under its name whole, and never overwrites another file.
  private func write(to path: String) throws(SessionError) {
    let draft = self.path + ".rescue.tmp"
    unsafe unlink(draft)
    // Only the owner can read it; SQLite accepts an empty file.
    try DurableFile.touch(draft)
    defer { unsafe unlink(draft) }
    do {
      try file.database.prepare("VACUUM INTO ?").run(.text(draft))
    } catch {
      throw SessionError(any: error)
    }
    guard unsafe link(draft, path) == 0 else {
      throw SessionError(errno: errno, doing: "restore", path)
    }
    try DurableFile.synchronizeFolder(of: path)
    SantorioSession.log(
      .outbox, "the record file was removed or replaced; its content is written again")
  }
}
