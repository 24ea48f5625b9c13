// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioFiles
import SantorioSQLite

/// Opens or creates an outbox's file, and repairs what a kill, damage or a lost key has left.
struct OutboxOpening {
  let path: String
  let credentials: any CredentialStoring
  let now: Date
  /// The last event that this process was given; later ones must have higher numbers.
  let lastEvent: Int64
  /// The file whose pages were checked for damage before.
  let checked: FileNumber?
  /// Whether a queue whose key does not exist is set aside, see ``OutboxSetAside``.
  let startsAnewWithoutKey: Bool

  /// Opens the file; on a full disk it uses a part of the reserved disk space.
  func run(with reservedDiskSpace: ReservedDiskSpace) throws(SessionError) -> OutboxFile {
    do throws(SessionError) {
      return try openWithKey()
    } catch {
      guard error.code == .diskFull, reservedDiskSpace.lighten() else { throw error }
      return try openWithKey()
    }
  }

  private func openWithKey() throws(SessionError) -> OutboxFile {
    let use = try OutboxFile.use(of: path)
    let setAside = OutboxSetAside(path: path, now: now)
    do throws(SessionError) {
      try setAside.finish(under: use)
      return try openOrRepair(under: use, after: setAside)
    } catch {
      guard error.code == .credentialsMissing, startsAnewWithoutKey else { throw error }
      try setAside.run(under: use)
      return try openOrRepair(under: use, after: setAside)
    }
  }

  private func openOrRepair(
    under use: FileLock, after setAside: OutboxSetAside
  ) throws(SessionError) -> OutboxFile {
    try OutboxReplacement.finish(of: path, under: use)
    let folder = URL(fileURLWithPath: (path as NSString).deletingLastPathComponent)
    try OutboxRekey(folder: folder, credentials: credentials).finish(under: use)
    let file: OutboxFile
    do throws(SessionError) {
      guard !OutboxRecovery.isLost(path) else {
        throw SessionError(.storageDamaged, "the record file is missing")
      }
      file = try OutboxFile(path: path, credentials: credentials, use: use, checked: checked)
    } catch {
      guard error.code == .storageDamaged else { throw error }
      file = try OutboxRecovery(
        path: path, credentials: credentials, use: use, now: now, lastEvent: lastEvent
      ).run()
    }
    try file.settle(at: path)
    try setAside.report(in: file, after: lastEvent)
    return file
  }
}

extension OutboxFile {
  /// Makes the file and its companions consistent, after a failure or a loss.
  func settle(at path: String) throws(SessionError) {
    try adoptArchives(beside: path)
    try SessionMirror(path: path).keep(from: self)
  }

  /// Lists archives that the file does not know, since an earlier file was lost or damaged.
  ///
  /// No future session may get their numbers. Removes those that it released before a kill.
  private func adoptArchives(beside path: String) throws(SessionError) {
    let folder = (path as NSString).deletingLastPathComponent
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let archives = names.compactMap { name -> (name: String, session: Int64)? in
      guard name.hasPrefix("archive-"), name.hasSuffix(".records") else { return nil }
      return Int64(name.dropFirst("archive-".count).dropLast(".records".count)).map { (name, $0) }
    }
    guard !archives.isEmpty else { return }
    do throws(SQLiteError) {
      try database.transaction { () throws(SQLiteError) in
        for archive in archives {
          let isDiscarded = try statement("SELECT archive_discarded FROM session WHERE id = ?")
            .first(.integer(archive.session)) { $0.integer(0) != 0 }
          if isDiscarded == true { unsafe unlink(folder + "/" + archive.name) }
          try statement(Self.adoptionSQL).run(
            .integer(archive.session), .text(EndedSession.Reason.storageDamaged.name),
            .text(archive.name))
        }
      }
    } catch {
      throw SessionError(error)
    }
  }

  private static let adoptionSQL = """
    INSERT INTO session(id, ended, reason, archive) VALUES(?1, 0, ?2, ?3)
    ON CONFLICT(id) DO UPDATE SET archive = excluded.archive
    WHERE ended IS NOT NULL AND archive IS NULL AND NOT archive_discarded
    """
}
