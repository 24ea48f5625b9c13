// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioFiles
import SantorioSQLite

/// Sets a queue aside whose key does not exist any more, so that the folder can be used again.
///
/// Everything goes into a folder `set-aside-<milliseconds>` and stays there, encrypted: with the key,
/// a session that is opened on that folder has it all again. While the folder's name ends in
/// `.part`, not everything has been moved and reported yet; the next opening goes on.
struct OutboxSetAside {
  static let prefix = "set-aside-"
  private static let part = ".part"
  private static let companions = [
    ImageFiles.folderName, UploadFiles.folderName, KeychainName.fileName,
  ]
  /// What the next session of the folder uses on.
  static let staying = [".use", ".lock", ".rescue", ".reservedDiskSpace"]

  private let path: String
  private let stamp: String

  init(path: String, now: Date) {
    self.path = path
    stamp = String(Int64(now.timeIntervalSince1970 * 1000))
  }

  private var folder: String { (path as NSString).deletingLastPathComponent }

  private var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  private var unfinished: String? {
    names.first { $0.hasPrefix(Self.prefix) && $0.hasSuffix(Self.part) }
  }

  /// Goes on with a move that a kill has interrupted.
  func finish(under use: FileLock) throws(SessionError) {
    if unfinished != nil, unsafe access(path, F_OK) != 0 { try run(under: use) }
  }

  /// Moves everything, under a lock that excludes all others.
  func run(under use: FileLock) throws(SessionError) {
    guard use.makeExclusive() else {
      throw SessionError(
        .folderInUse, "the queue cannot be set aside while another process has the folder open")
    }
    defer { use.share() }
    let name = unfinished ?? Self.prefix + stamp + Self.part
    let destination = folder + "/" + name
    unsafe mkdir(destination, 0o700)
    foldLog()
    for name in names.sorted(by: fileFirst) where isOfQueue(name) {
      guard unsafe rename(folder + "/" + name, destination + "/" + name) == 0 else {
        throw SessionError(errno: errno, doing: "set aside", folder + "/" + name)
      }
    }
    try DurableFile.synchronizeFolder(of: destination + "/" + name)
    try DurableFile.synchronizeFolder(of: path)
    SantorioSession.log(.outbox, "the key of the records does not exist; the queue is set aside")
  }

  /// Moves SQLite's log into the file: one without the other would be incomplete.
  private func foldLog() {
    guard unsafe access(path, F_OK) == 0, let database = try? SQLiteDatabase(path: path) else {
      return
    }
    try? database.checkpoint()
  }

  /// Whether a file belongs to the queue that cannot be read; an app may have others in the folder.
  private func isOfQueue(_ name: String) -> Bool {
    guard !Self.staying.contains(where: { name == Outbox.fileName + $0 }) else { return false }
    return name.hasPrefix(Outbox.fileName) || name.hasPrefix("archive-")
      || name.hasSuffix(CredentialFiles.suffix) || Self.companions.contains(name)
  }

  /// The file before its companions: without it they are not taken for a queue.
  private func fileFirst(_ one: String, _ other: String) -> Bool {
    one == Outbox.fileName || other != Outbox.fileName && one < other
  }

  /// Stores the event about a queue that was set aside, in the file that has replaced it.
  func report(in file: OutboxFile, after lastEvent: Int64) throws(SessionError) {
    guard let name = unfinished else { return }
    let final = String(name.dropLast(Self.part.count))
    let queue = SetAsideQueue(
      folder: URL(fileURLWithPath: folder + "/" + final),
      records: Self.count(in: folder + "/" + name))
    let body = try file.seal.seal(queue.json, as: SealedPlace.event(final))
    let logID = try file.seal.name(of: final)
    do throws(SQLiteError) {
      try file.database.transaction { () throws(SQLiteError) in
        try OutboxSchema.numberEvents(after: lastEvent, in: file.database)
        try file.database.prepare("INSERT INTO ev(kind, log_id, body) VALUES('set_aside', ?, ?)")
          .run(.blob(logID), .blob(body))
      }
    } catch {
      throw SessionError(error)
    }
    guard unsafe rename(folder + "/" + name, folder + "/" + final) == 0 else {
      throw SessionError(errno: errno, doing: "rename", name)
    }
    try DurableFile.synchronizeFolder(of: path)
  }

  /// How many records wait in a queue that was set aside; nil when that cannot be read.
  static func count(in folder: String) -> Int? {
    let path = folder + "/" + Outbox.fileName
    guard unsafe access(path, F_OK) == 0 else { return nil }
    return (try? SQLiteDatabase(path: path).integer("SELECT count(*) FROM q")).map(Int.init)
  }
}
