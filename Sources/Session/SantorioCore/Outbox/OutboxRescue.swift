// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioSQLite

/// The writing anew of a file that was removed while it is open, with all that it still holds.
///
/// All who have the file open find out before they store anything else. The first of them writes
/// it, the others open what that one has written. A file that somebody has put in its place is left
/// alone: then what the open one holds is set aside, and nothing more is stored until the process
/// is started again.
struct OutboxRescue {
  private let path: String
  private let file: OutboxFile
  private let stamp: String

  init(path: String, of file: OutboxFile, at date: Date) {
    self.path = path
    self.file = file
    stamp = String(Int64(date.timeIntervalSince1970 * 1000))
  }

  /// Sees to it that the file at the path has all that the open one holds.
  ///
  /// - Throws: ``SessionError``, of code `storageDamaged` when another file stands there.
  func run() throws(SessionError) {
    guard let lock = try FileLock(path: path + ".rescue", .exclusive) else {
      throw SessionError.displaced
    }
    defer { withExtendedLifetime(lock) {} }
    guard unsafe access(path, F_OK) == 0 else { return try write(to: path) }
    guard !isContained else { return }
    if !file.isSetAside { try write(to: "\(path).bad.\(stamp)") }
    file.isSetAside = true
    throw SessionError(
      .storageDamaged,
      "another file was put in the place of the records' own; what that held is set aside; start the "
        + "program again")
  }

  /// Whether the file at the path is what another process has written of the same one.
  private var isContained: Bool {
    guard let other = try? SQLiteDatabase(path: path),
      let position = try? StoragePosition(of: other),
      let own = try? StoragePosition(of: file.database)
    else { return false }
    return position.contains(own)
  }

  /// Writes a copy that appears under its name whole, and takes the name of no other file.
  private func write(to path: String) throws(SessionError) {
    let draft = self.path + ".rescue.tmp"
    unsafe unlink(draft)
    // For its owner's eyes; SQLite takes an empty file.
    try DurableFile.touch(draft)
    defer { unsafe unlink(draft) }
    do {
      try file.database.prepare("VACUUM INTO ?").run(.text(draft))
    } catch {
      throw SessionError(any: error)
    }
    guard unsafe link(draft, path) == 0 else {
      throw SessionError(errno: errno, doing: "put back", path)
    }
    try DurableFile.synchronizeFolder(of: path)
    Session.log("the file of the records was removed or replaced; what it held is written anew")
  }
}
