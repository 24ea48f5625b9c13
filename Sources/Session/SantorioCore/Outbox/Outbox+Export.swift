// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite

// What the current user still has here, in one file that opens with a passphrase: the queue,
// records and images that the server has refused, images, and archives of earlier sessions.
extension Outbox {
  /// Writes the export; nothing changes here.
  ///
  /// - Throws: ``SessionError``, of code `noSession` when there is none; then there is no file.
  func export(
    to path: String, _ key: ExportKey, replacing isReplacing: Bool = true
  ) throws(SessionError) -> QueueExport {
    let place = URL(fileURLWithPath: path).deletingLastPathComponent().resolvingSymlinksInPath()
    let own = folder.resolvingSymlinksInPath().path
    guard place.path != own, !place.path.hasPrefix(own + "/") else {
      throw SessionError(
        .storageFailed, "the session's folder is no place for an export; choose another one")
    }
    // Files of archives and images are not part of the database's state: what is missing may have
    // been sent, or put back into the queue, since.
    for _ in 0..<3 {
      if let export = try write(to: path, key, replacing: isReplacing, isLast: false) {
        return export
      }
    }
    return try write(to: path, key, replacing: isReplacing, isLast: true) ?? QueueExport()
  }

  /// - Returns: Nil when a file was missing and it is worth another try.
  private func write(
    to path: String, _ key: ExportKey, replacing isReplacing: Bool, isLast: Bool
  ) throws(SessionError) -> QueueExport? {
    try snapshot {
      guard let session = try currentSession() else { throw SessionError.needsSession }
      guard !session.isOffline else { throw SessionError.noOwner }
      var writer = try ExportWriter(to: path, key)
      var export = QueueExport()
      try writer.write(.owner(userID: session.userID, organizationID: session.organizationID))
      // An import keeps the first content of a record: that of the queue is the newest.
      try writeQueue(to: &writer, &export)
      guard try writeArchives(of: session, to: &writer, &export, isLast: isLast) else { return nil }
      try writeQuarantine(of: session, to: &writer, &export)
      try writeMemory(of: session, to: &writer)
      guard try writeImages(of: session, to: &writer, &export) || isLast else { return nil }
      try writer.finish(replacing: isReplacing)
      return export
    }
  }

  /// Runs `body` on one state of the file.
  private func snapshot<Value>(_ body: () throws -> Value) throws(SessionError) -> Value {
    try access {
      try statement("BEGIN").run()
      defer { try? database.execute("ROLLBACK") }
      return try body()
    }
  }

  private func writeQueue(to writer: inout ExportWriter, _ export: inout QueueExport) throws {
    let seal = try seal
    let rows = try database.prepare(
      "SELECT seq, log_id, body, attempts, sum, held FROM q ORDER BY seq")
    try rows.each { (found: SQLiteRow) throws(SessionError) in
      let held = HeldState(column: found.integer(5))
      let row = OutboxRow(found, seal, isHeld: held != .no)
      guard row.isSound else { return export.leftOut += 1 }
      try writer.write(.record(logID: row.logID, held: held), row.body)
      export.count(held)
    }
  }

  /// - Returns: False when a file is missing.
  private func writeArchives(
    of session: StoredSession, to writer: inout ExportWriter, _ export: inout QueueExport,
    isLast: Bool
  ) throws -> Bool {
    let seal = try seal
    let names = try database.prepare(
      "SELECT archive FROM session WHERE archive IS NOT NULL AND owner = ? ORDER BY id DESC"
    ).all(.blob(session.owner(by: seal))) { $0.text(0) }
    for name in names {
      let data = FileManager.default.contents(atPath: folder.path + "/" + name)
      // No archive is empty when written.
      guard let data, !data.isEmpty else {
        guard isLast else { return false }
        throw SessionError(
          .storageFailed,
          "\(name) cannot be read, or is empty; repair its access, or remove the archive")
      }
      for line in ArchiveLine.lines(of: data) {
        guard let (logID, body) = line.record(by: seal) else {
          export.leftOut += 1
          continue
        }
        try writer.write(.record(logID: logID, held: line.held), body)
        export.count(line.held)
      }
    }
    return true
  }

  private func writeQuarantine(
    of session: StoredSession, to writer: inout ExportWriter, _ export: inout QueueExport
  ) throws {
    let seal = try seal
    let rows = try database.prepare(
      """
      SELECT log_id, at, err, body FROM quarantine
      WHERE session IN (SELECT id FROM session WHERE owner = ?) ORDER BY id
      """)
    try rows.each(.blob(session.owner(by: seal))) { (row: SQLiteRow) throws(SessionError) in
      let logID = seal.logID(of: row.blob(0)) ?? ""
      guard let body = seal.open(row.blob(3), as: SealedPlace.quarantined(logID)) else {
        return export.leftOut += 1
      }
      let failure = seal.text(row.blob(2), as: SealedPlace.refusal(logID))
      try writer.write(.refused(logID: logID, at: row.integer(1), failure: failure), body)
      export.refused += 1
    }
  }

  /// What keeps records from being sent or held twice; without it the next place would do so.
  private func writeMemory(of session: StoredSession, to writer: inout ExportWriter) throws {
    for source in Self.memory {
      for state in try readStates(of: source, device: nil)
      where Self.isMemory(state.name, of: session) {
        let name = state.name
        try writer.write(
          .remembered(source: name.source, name: name.device, key: name.key), state.value)
      }
    }
  }

  /// - Returns: False when a file is missing.
  private func writeImages(
    of session: StoredSession, to writer: inout ExportWriter, _ export: inout QueueExport
  ) throws -> Bool {
    let seal = try seal
    var isWhole = true
    let rows = try database.prepare(
      """
      SELECT id, log_id, sha256, type, size, attempts, released, err FROM image
      WHERE \(Self.isOfSameUser) ORDER BY id
      """)
    try rows.each(.integer(session.id)) { (found: SQLiteRow) throws(SessionError) in
      let row = ImageRow(found, seal)
      guard !row.logID.isEmpty, let bytes = try images.read(row.digest, seal) else {
        isWhole = false
        return export.leftOut += 1
      }
      let image = ExportedImage(
        logID: row.logID, digest: row.digest, contentType: row.contentType,
        isReleased: found.integer(6) != 0,
        failure: seal.text(found.blob(7), as: SealedPlace.imageRefusal(row.logID, row.digest)))
      try writer.write(.image(image), bytes)
      export.images += 1
    }
    return isWhole
  }
}

extension QueueExport {
  /// Counts a record of the queue.
  mutating func count(_ held: HeldState) {
    if held == .no { waiting += 1 } else { self.held += 1 }
  }
}

extension RowSeal {
  /// A text sealed under a name; nil when there is none, or it is damaged.
  fileprivate func text(_ sealed: [UInt8], as name: String) -> String? {
    open(sealed, as: name).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension SessionError {
  fileprivate static let noOwner = SessionError(
    .defaultUser,
    "the default user's records belong to nobody yet; start a session for a user of the server, and "
      + "put their archive back into the queue")
}
