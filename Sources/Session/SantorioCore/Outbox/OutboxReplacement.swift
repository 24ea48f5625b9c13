// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioFiles

/// The replacement of a damaged file by a new one, which a kill may interrupt anywhere.
///
/// The new file is made as `….new`. The name `….new.<milliseconds>` shows that it is complete:
/// from then on it takes the place, if need be when the folder is opened the next time. The damaged
/// one and its companions become `….bad.<milliseconds>`.
struct OutboxReplacement {
  private static let companions = ["-shm", "-wal", ""]

  private let path: String
  private let stamp: String

  init(of path: String, at date: Date) {
    self.path = path
    stamp = String(Int64(date.timeIntervalSince1970 * 1000))
  }

  private init(of path: String, stamp: String) {
    self.path = path
    self.stamp = stamp
  }

  /// Where the new file is made.
  var draft: String { path + ".new" }
  private var whole: String { "\(draft).\(stamp)" }
  private var damagedFile: String { "\(path)\(Self.damagedMark)\(stamp)" }
  private static let damagedMark = ".bad."
  /// The begin of the names that damaged files have.
  static let damagedPrefix = Outbox.fileName + damagedMark

  /// Has the new file written and puts it in place, under a lock that excludes all others.
  ///
  /// - Parameters:
  ///   - isResumed: Whether the file of an interrupted replacement is gone on with.
  ///   - write: Writes the file at the first path, checkpoints and closes it; the second path is where
  ///     the damaged file will be.
  /// - Throws: What `write` throws, and ``SessionError`` when a file cannot be renamed.
  func make(
    isResumed: Bool = false, _ write: (String, String) throws(SessionError) -> Void
  ) throws(SessionError) {
    if !isResumed { removeDraft() }
    do throws(SessionError) {
      try write(draft, damagedFile)
      try requireNoLog()
    } catch {
      removeDraft()
      throw error
    }
    try Self.move(draft, to: whole)
    try DurableFile.synchronizeFolder(of: path)
    try finish()
  }

  /// Completes an interrupted replacement, if there is one, before the file is opened.
  static func finish(of path: String, under use: FileLock) throws(SessionError) {
    guard interrupted(of: path) != nil,
      use.makeExclusive(unless: { interrupted(of: path) == nil })
    else { return }
    defer { use.share() }
    try interrupted(of: path)?.finish()
  }

  /// Whether a damaged file is kept.
  static func hasDamagedFile(beside path: String) -> Bool {
    !suffixes(of: path, after: ".bad.").isEmpty
  }

  private static func interrupted(of path: String) -> OutboxReplacement? {
    suffixes(of: path, after: ".new.").max().map { OutboxReplacement(of: path, stamp: $0) }
  }

  private static func suffixes(of path: String, after mark: String) -> [String] {
    let (folder, name) = (
      (path as NSString).deletingLastPathComponent, (path as NSString).lastPathComponent
    )
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasPrefix(name + mark) }
      .map { String($0.dropFirst(name.count + mark.count)) }
  }

  /// Renames the damaged file last, so that SQLite finds it with its log or not at all.
  private func finish() throws(SessionError) {
    for suffix in Self.companions where unsafe access(path + suffix, F_OK) == 0 {
      try Self.move(path + suffix, to: damagedFile + suffix)
    }
    try Self.move(whole, to: path)
    try DurableFile.synchronizeFolder(of: path)
  }

  /// Data still in the log would be lost with the name.
  private func requireNoLog() throws(SessionError) {
    guard unsafe access(draft + "-wal", F_OK) != 0 else {
      throw SessionError(.storageFailed, "the new file could not be closed")
    }
  }

  private func removeDraft() {
    for suffix in Self.companions { unsafe unlink(draft + suffix) }
  }

  private static func move(_ path: String, to other: String) throws(SessionError) {
    guard unsafe rename(path, other) == 0 else {
      throw SessionError(errno: errno, doing: "rename", path)
    }
  }
}
