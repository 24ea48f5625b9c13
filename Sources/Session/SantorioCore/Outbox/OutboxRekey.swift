// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioFiles
import SantorioSQLite

/// The change of a folder's key, which a kill may interrupt anywhere.
///
/// The new key is first stored beside the old one. The change of all rows is one transaction, and
/// its commit decides: before it the folder uses the old key, after it the new one, and the next
/// process to open the folder re-encrypts the remaining files and removes the old key.
struct OutboxRekey {
  /// The name of the new key in the credential store, until it is the only one.
  static let credential = "outbox-key-next"

  let folder: URL
  let credentials: any CredentialStoring
  private var path: String { Outbox.databasePath(in: folder) }

  /// Changes the key.
  ///
  /// - Throws: ``SessionError``, of code `folderInUse` when another process has the folder open.
  func run() throws(SessionError) {
    let use = try OutboxFile.use(of: path)
    try OutboxReplacement.finish(of: path, under: use)
    try finish(under: use)
    guard use.makeExclusive() else {
      throw SessionError(
        .folderInUse, "the key cannot be changed while another process has the folder open")
    }
    guard !OutboxRecovery.isLost(path) else {
      throw SessionError(
        .storageDamaged,
        "the record file is missing; open the folder once, for example with \"santorio queue\", "
          + "then change the key")
    }
    let new = RowSeal.newKey()
    try credentials.save(Data(new).base64EncodedString(), for: Self.credential)
    do throws(SessionError) {
      try changeRows(to: RowSeal(key: new), under: use)
    } catch {
      try? credentials.removeToken(for: Self.credential)
      throw error
    }
    try complete(with: new)
  }

  /// Completes an interrupted change, before the folder is opened.
  func finish(under use: FileLock) throws(SessionError) {
    guard try nextKey() != nil else { return }
    guard use.makeExclusive() else {
      throw SessionError(.folderInUse, "the key of the folder is being changed; try again")
    }
    defer { use.share() }
    guard let new = try nextKey() else { return }
    if try isFileOf(RowSeal(key: new)) {
      try complete(with: new)
    } else {
      try credentials.removeToken(for: Self.credential)
    }
  }

  private func nextKey() throws(SessionError) -> [UInt8]? {
    do throws(SessionError) {
      return try OutboxKey.key(in: credentials, named: Self.credential)
    } catch {
      guard error.code == .credentialsMissing else { throw error }
      return nil
    }
  }

  /// Whether the deciding commit was made; if the file is lost, continuing is right in both cases.
  private func isFileOf(_ seal: RowSeal) throws(SessionError) -> Bool {
    guard !OutboxRecovery.isLost(path) else { return true }
    do {
      return try OutboxKey.opens(seal, SQLiteDatabase(path: path))
    } catch {
      throw SessionError(any: error)
    }
  }

  // MARK: - Rows

  private func changeRows(to new: RowSeal, under use: FileLock) throws(SessionError) {
    let file = try OutboxFile(path: path, credentials: credentials, use: use)
    let database = file.database
    do {
      try database.execute("BEGIN IMMEDIATE")
      try changeQueue(in: file, to: new)
      for (table, column, place) in Self.columns {
        try change(table, column, in: file, to: new, place)
      }
      try changeNames(in: file, to: new)
      try changeStates(in: file, to: new)
      // Their rows have other sums now: they are begun again.
      try database.execute("DELETE FROM transfer")
      try changeSessions(in: file, to: new)
      try OutboxKey.write(new, to: database)
      try database.execute("COMMIT")
      try? database.checkpoint()
    } catch {
      try? database.execute("ROLLBACK")
      throw SessionError(any: error)
    }
  }

  /// Columns whose place depends on the `log_id` and, for images, the digest.
  private static let columns: [(String, String, @Sendable (String, String) -> String)] = [
    ("ev", "body", { logID, _ in SealedPlace.event(logID) }),
    ("ev", "err", { logID, _ in SealedPlace.eventReason(logID) }),
    ("quarantine", "body", { logID, _ in SealedPlace.quarantined(logID) }),
    ("quarantine", "err", { logID, _ in SealedPlace.refusal(logID) }),
    ("image", "err", { logID, digest in SealedPlace.imageRefusal(logID, digest) }),
  ]

  /// Damaged values stay as they are.
  private func change(
    _ table: String, _ column: String, in file: OutboxFile, to new: RowSeal,
    _ place: (String, String) -> String
  ) throws {
    let digest = table == "image" ? "sha256" : "''"
    let update = try file.database.prepare("UPDATE \(table) SET \(column) = ? WHERE id = ?")
    try forEach("id, log_id, \(digest), \(column)", of: table, "id", in: file) { row in
      guard let logID = file.seal.logID(of: row.blob(1)) else { return }
      let place = place(logID, row.text(2))
      guard let opened = file.seal.open(row.blob(3), as: place) else { return }
      try update.run(.blob(try new.seal(opened, as: place)), .integer(row.integer(0)))
    }
  }

  /// Last, since values in a row are opened by its name under the old key.
  private func changeNames(in file: OutboxFile, to new: RowSeal) throws {
    for (table, number) in [("q", "seq"), ("ev", "id"), ("quarantine", "id"), ("image", "id")] {
      let update = try file.database.prepare("UPDATE \(table) SET log_id = ? WHERE \(number) = ?")
      try forEach("\(number), log_id", of: table, number, in: file) { row in
        guard let logID = file.seal.logID(of: row.blob(1)) else { return }
        try update.run(.blob(new.name(of: logID)), .integer(row.integer(0)))
      }
    }
  }

  private func changeQueue(in file: OutboxFile, to new: RowSeal) throws {
    let update = try file.database.prepare(
      "UPDATE q SET body = ?1, sum = iif(held, ~?2, ?2) WHERE seq = ?3")
    try forEach("seq, log_id, body, sum, held", of: "q", "seq", in: file) { row in
      let mark = RowSeal.mark(of: row.blob(2))
      // Damaged rows stay as they are.
      guard let logID = file.seal.logID(of: row.blob(1)),
        row.integer(3) == (row.integer(4) != 0 ? ~mark : mark)
      else { return }
      let place = SealedPlace.queued(logID)
      guard let opened = file.seal.open(row.blob(2), as: place) else { return }
      let sealed = try new.seal(opened, as: place)
      try update.run(
        .blob(sealed), .integer(RowSeal.mark(of: sealed)), .integer(row.integer(0)))
    }
  }

  /// Damaged values stay as they are.
  private func changeStates(in file: OutboxFile, to new: RowSeal) throws {
    let update = try file.database.prepare(
      "UPDATE state SET device = ?, value = ?, settled = ?, reached = ? WHERE id = ?")
    let columns = "id, source, device, key, value, settled, reached"
    try forEach(columns, of: "state", "id", in: file) { row in
      let name = StateName(
        source: row.text(1), sealedDevice: row.blob(2), key: row.text(3), file.seal)
      guard let name else { return }
      let place = SealedPlace.state(name)
      let values = try row.values[4...].map { value -> SQLiteValue in
        guard case .blob(let sealed) = value, let opened = file.seal.open(sealed, as: place) else {
          return value
        }
        return .blob(try new.seal(opened, as: place))
      }
      let device = try new.name(of: SealedPlace.device(name.source, name.device))
      try update.run([.blob(device)] + values + [.integer(row.integer(0))])
    }
  }

  private func changeSessions(in file: OutboxFile, to new: RowSeal) throws {
    try forEach("id, name, offline", of: "session", "id", in: file) { row in
      let name = file.seal.open(row.blob(1), as: SealedPlace.user(ofSession: row.integer(0)))
      guard let user = StoredSession.identifiers(name) else { return }
      try StoredSession(
        id: row.integer(0), userID: user.user, organizationID: user.organization,
        isValidated: false, isOffline: row.integer(2) != 0
      ).write(to: file.database, by: new)
    }
  }

  /// Calls `body` for each row of a table, with a limited number in memory at a time.
  private func forEach(
    _ columns: String, of table: String, _ number: String, in file: OutboxFile,
    _ body: (RowCopy) throws -> Void
  ) throws {
    let count = columns.split(separator: ",").count
    let rows = try file.database.prepare(
      "SELECT \(columns) FROM \(table) WHERE \(number) > ? ORDER BY \(number) LIMIT 100")
    var last = Int64.min
    while true {
      let page = try rows.all(.integer(last)) { row in
        RowCopy(values: (0..<count).map { row.value(Int32($0)) })
      }
      guard let end = page.last?.integer(0) else { return }
      for row in page { try body(row) }
      last = end
    }
  }

  private struct RowCopy {
    let values: [SQLiteValue]

    func integer(_ index: Int) -> Int64 {
      if case .integer(let value) = values[index] { value } else { 0 }
    }
    func text(_ index: Int) -> String {
      if case .text(let value) = values[index] { value } else { "" }
    }
    func blob(_ index: Int) -> [UInt8] {
      if case .blob(let value) = values[index] { value } else { [] }
    }
  }

  // MARK: - Files

  /// Re-encrypts files that the old key still opens, and removes the old key.
  private func complete(with key: [UInt8]) throws(SessionError) {
    let (old, new) = (RowSeal(key: try OutboxKey.key(in: credentials)), RowSeal(key: key))
    for name in names(in: folder.path) {
      if name.hasPrefix("archive-"), name.hasSuffix(".records") {
        try changeArchive(folder.path + "/" + name, old, new)
      }
    }
    let images = folder.path + "/images"
    for name in names(in: images) {
      try change(images + "/" + name, SealedPlace.image(name), old, new)
    }
    try change(path + ".session", SealedPlace.mirror, old, new)
    try credentials.save(Data(key).base64EncodedString(), for: OutboxKey.credential)
    try credentials.removeToken(for: Self.credential)
  }

  private func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  private func change(
    _ path: String, _ place: String, _ old: RowSeal, _ new: RowSeal
  ) throws(SessionError) {
    guard let data = FileManager.default.contents(atPath: path),
      let opened = old.open(Array(data), as: place)
    else { return }
    try replace(path, by: new.seal(opened, as: place))
  }

  private func changeArchive(
    _ path: String, _ old: RowSeal, _ new: RowSeal
  ) throws(SessionError) {
    guard let data = FileManager.default.contents(atPath: path) else { return }
    var text: [UInt8] = []
    for line in ArchiveLine.lines(of: data) { text += try Array(change(line, old, new).text.utf8) }
    try replace(path, by: text)
  }

  private func change(
    _ line: ArchiveLine, _ old: RowSeal, _ new: RowSeal
  ) throws(SessionError) -> ArchiveLine {
    guard let logID = old.logID(of: line.name) else { return line }
    let place = SealedPlace.archived(logID)
    var sealed = line.sealed
    if let opened = old.open(sealed, as: place) { sealed = try new.seal(opened, as: place) }
    return ArchiveLine(name: try new.name(of: logID), sealed: sealed, held: line.held)
  }

  private func replace(_ path: String, by bytes: [UInt8]) throws(SessionError) {
    let file = try DurableFile(path: path)
    try file.write(bytes)
    try file.commit()
  }
}

extension SantorioSession {
  /// Changes the key of a folder's records: encrypts everything again and removes the old key.
  ///
  /// The folder must not be open, in this process or another one. A kill at any moment leaves a
  /// folder that the next session can open. Freed parts of the disk may still hold data encrypted
  /// with the old key.
  ///
  /// - Parameter configuration: Where the session lives, and the store of its key.
  /// - Throws: ``SessionError``, of code `folderInUse` when the folder is open.
  public static func changeKey(_ configuration: Configuration) throws(SessionError) {
    let open = try OpenFolder(configuration.directory)
    defer { withExtendedLifetime(open) {} }
    try OutboxRekey(folder: configuration.directory, credentials: configuration.credentials).run()
    log(.outbox, "the key of the records was changed")
  }
}
