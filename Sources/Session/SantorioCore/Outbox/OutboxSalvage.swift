// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite

/// Sets a damaged file aside and brings what can still be read into a new one.
///
/// Every table is read from both of its ends, since each reaches the damage from its own side. Only
/// rows whose seal is whole are taken. The damaged file stays beside the new one, for a person to
/// look at; nobody deletes it.
struct OutboxSalvage {
  private static let highestNumber: Int64 = 1 << 48

  let path: String
  let credentials: any CredentialStoring
  /// The lock under which the file was open.
  let use: FileLock
  let now: Date
  /// The last event that this process was handed out; those to come must have higher numbers.
  var lastEvent: Int64 = 0

  /// Replaces the file, or opens the one by which somebody else has replaced it.
  func run() throws(SessionError) -> OutboxFile {
    guard use.makeExclusive() else {
      // Others have it open: either they have replaced the file, or the damage remains.
      return try OutboxFile(path: path, credentials: credentials, use: use)
    }
    defer { use.share() }
    // Perhaps somebody else has replaced the file before this lock could be taken.
    if let file = try openIfWhole() { return file }
    let aside = try setAside()
    let file = try OutboxFile(path: path, credentials: credentials, use: use)
    try take(readSoundRows(of: aside, file.seal), into: file, from: aside)
    return file
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
    do throws(SQLiteError) {
      let database = try SQLiteDatabase(path: path)
      return try database.prepare("PRAGMA integrity_check(1)").first { $0.text(0) } == "ok"
    } catch {
      throw SessionError(error)
    }
  }

  /// Renames the file and its companions together, so that SQLite still finds them together.
  private func setAside() throws(SessionError) -> String {
    let aside = "\(path).bad.\(Int64(now.timeIntervalSince1970 * 1000))"
    for suffix in ["-shm", "-wal", ""] where unsafe access(path + suffix, F_OK) == 0 {
      guard unsafe rename(path + suffix, aside + suffix) == 0 else {
        throw SessionError(errno: errno, doing: "set aside", path)
      }
    }
    try DurableFile.synchronizeFolder(of: path)
    return aside
  }

  // MARK: - Reading

  /// A table with its columns; the first is its key, and `sealed` those that only the key opens.
  private struct Table {
    let name: String
    let columns: [String]
    /// The places of `log_id` and of what is sealed under it.
    var logID: Int?
    var sealed: [Int] = []

    static let all = [
      Table(
        name: "session",
        columns: [
          "id", "user_id", "organization_id", "validated", "ended", "reason", "archive",
          "token_removed", "offline", "digest",
        ]),
      Table(
        name: "q", columns: ["seq", "log_id", "attempts", "held", "sum", "body"], logID: 1,
        sealed: [5]),
      Table(
        name: "ev", columns: ["id", "kind", "log_id", "server_id", "err", "body"], logID: 2,
        sealed: [5]),
      Table(
        name: "quarantine", columns: ["id", "log_id", "session", "at", "err", "body"], logID: 1),
      Table(
        name: "image", columns: ["id", "log_id", "session", "sha256", "type", "size", "err"]),
    ]
  }

  private struct Findings {
    var rows: [(table: Table, values: [[SQLiteValue]])] = []
    /// How many records the damaged file said to hold; nil when that cannot be read.
    var expected: Int?
    /// The highest number ever given in each table, as far as that can be read.
    var lastNumbers: [(table: String, number: Int64)] = []
  }

  private func readSoundRows(of aside: String, _ seal: RowSeal) -> Findings {
    var findings = Findings()
    guard let database = try? SQLiteDatabase(path: aside) else { return findings }
    findings.expected = (try? database.integer("SELECT count(*) FROM q")).map(Int.init)
    findings.lastNumbers =
      (try? database.prepare("SELECT name, seq FROM sqlite_sequence").all { row in
        (row.text(0), row.integer(1))
      }) ?? []
    for table in Table.all {
      findings.rows.append((table, readSoundRows(of: table, in: database, seal)))
    }
    return findings
  }

  private func readSoundRows(
    of table: Table, in database: SQLiteDatabase, _ seal: RowSeal
  ) -> [[SQLiteValue]] {
    var rows: [[SQLiteValue]] = []
    var known: Set<[SQLiteValue]> = []
    for direction in ["ASC", "DESC"] {
      do {
        try database.prepare(
          """
          SELECT \(table.columns.joined(separator: ", ")) FROM \(table.name) NOT INDEXED
          ORDER BY \(table.columns[0]) \(direction)
          """
        ).query { row in
          let values = table.columns.indices.map { row.value(Int32($0)) }
          if known.insert(values).inserted, isSound(values, of: table, seal) { rows.append(values) }
        }
        return rows
      } catch {
        // The damage begins here; the other end is tried next.
      }
    }
    return rows
  }

  private func isSound(_ values: [SQLiteValue], of table: Table, _ seal: RowSeal) -> Bool {
    if table.name == "session" { return isSoundSession(values) }
    guard let place = table.logID, case .text(let logID) = values[place] else {
      return table.logID == nil
    }
    return table.sealed.allSatisfy { place in
      guard case .blob(let octets) = values[place] else { return table.name != "q" }
      return seal.open(octets, as: logID) != nil
    }
  }

  /// A current session must be as it was written; of one that has ended only its name is left.
  private func isSoundSession(_ values: [SQLiteValue]) -> Bool {
    guard values[4] == .null else { return true }
    guard case .integer(let id) = values[0], case .text(let user) = values[1],
      case .text(let organization) = values[2], case .integer(let offline) = values[8],
      case .blob(let digest) = values[9]
    else { return false }
    let session = StoredSession(
      id: id, userID: user, organizationID: organization, isValidated: false,
      isOffline: offline != 0)
    return session.digest == digest
  }

  // MARK: - Writing

  private func take(
    _ findings: Findings, into file: OutboxFile, from aside: String
  ) throws(SessionError) {
    do {
      let database = file.database
      try database.execute("BEGIN IMMEDIATE")
      try goOnNumbering(findings, in: database)
      for (table, rows) in findings.rows { try insert(rows, into: table, of: database) }
      try SessionMirror(path: path).restore(into: database)
      try tell(findings, file: file, aside: aside)
      try database.execute("COMMIT")
    } catch {
      try? file.database.execute("ROLLBACK")
      throw SessionError(any: error)
    }
  }

  /// Sees to it that no number is given twice: who waits for the events after the last one would
  /// never hear of one with a lower number.
  private func goOnNumbering(
    _ findings: Findings, in database: SQLiteDatabase
  ) throws(SQLiteError) {
    for (table, number) in findings.lastNumbers + [("ev", lastEvent)]
    // A higher one is damaged.
    where (1...Self.highestNumber).contains(number)
      && Table.all.contains(where: { $0.name == table })
    {
      try database.prepare(
        """
        INSERT INTO sqlite_sequence(name, seq) SELECT ?1, 0
        WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)
        """
      ).run(.text(table))
      try database.prepare("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?")
        .run(.integer(number), .text(table))
    }
  }

  private func insert(
    _ rows: [[SQLiteValue]], into table: Table, of database: SQLiteDatabase
  ) throws {
    let places = table.columns.map { _ in "?" }.joined(separator: ", ")
    let insertion = try database.prepare(
      "INSERT OR IGNORE INTO \(table.name)(\(table.columns.joined(separator: ", ")))"
        + " VALUES(\(places))")
    let refused = try rows.filter { row in try !insert(row, by: insertion) }
    // The damage may have given a row the number of another one. A session is known by its number; a
    // record is not, and gets the next that is free.
    guard table.logID != nil else { return }
    for row in refused { _ = try insert([.null] + row.dropFirst(), by: insertion) }
  }

  /// Inserts a row; false when the table has one of the same key, or refuses the values as damaged.
  private func insert(
    _ row: [SQLiteValue], by insertion: SQLiteStatement
  ) throws(SQLiteError) -> Bool {
    do throws(SQLiteError) {
      return try insertion.run(row) == 1
    } catch {
      guard !error.isFull else { throw error }
      return false
    }
  }

  private func tell(_ findings: Findings, file: OutboxFile, aside: String) throws {
    let recovered = Int(try file.database.integer("SELECT count(*) FROM q"))
    let name = (aside as NSString).lastPathComponent
    let damage = StorageDamage(
      recoveredRecords: recovered, lostRecords: findings.expected.map { max(0, $0 - recovered) },
      damagedFile: URL(fileURLWithPath: aside))
    try file.database.prepare("INSERT INTO ev(kind, log_id, body) VALUES('salvaged', ?, ?)")
      .run(.text(name), .blob(try file.seal.seal(damage.json, as: name)))
    Logging.shared.log(
      .core, "a damaged file was set aside", [.count("recovered", recovered)])
  }
}
