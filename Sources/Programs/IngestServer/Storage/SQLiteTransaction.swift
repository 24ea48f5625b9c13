// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SantorioSQLite

/// The writing of changes between BEGIN and COMMIT.
struct SQLiteTransaction {
  /// How many rejected items are kept at least, and how much of each.
  static let keptRejections: Int64 = 1_000
  static let keptOctets = 16 << 10

  let connection: SQLiteConnection
  var totals: Totals

  init(_ connection: SQLiteConnection) throws(SQLiteError) {
    self.connection = connection
    totals = try Totals(connection)
  }

  mutating func apply(_ changes: [Change]) throws(SQLiteError) -> [Change.Outcome] {
    var outcomes: [Change.Outcome] = []
    for change in changes {
      switch change {
      case .provision(let organization, let uid, let id, let digest, let date):
        outcomes.append(
          .provisioned(try provision(organization, uid, id, digest, date.milliseconds)))
      case .store(let items, let account, let date):
        var results: [ItemResult] = []
        for item in items { results.append(try store(item, of: account, at: date.milliseconds)) }
        outcomes.append(.stored(results))
      case .put(let record, let mustExist, let account, let date):
        outcomes.append(try put(record, mustExist, of: account, at: date.milliseconds))
      case .delete(let logID, let account): outcomes.append(try delete(logID, of: account))
      case .attach(let media, let logID, let account, let date):
        outcomes.append(try attach(media, to: logID, of: account, at: date.milliseconds))
      case .probe: outcomes.append(.probed)
      }
    }
    return outcomes
  }

  /// Writes the totals; the last thing before COMMIT.
  func finish() throws(SQLiteError) {
    try connection.run(
      """
      UPDATE state
      SET arrival = ?, created = ?, duplicates = ?, revised = ?, rejected = ?, deleted = ?
      """, .integer(totals.arrival), .integer(totals.created), .integer(totals.duplicates),
      .integer(totals.revised), .integer(totals.rejected), .integer(totals.deleted))
    let excess = try connection.rows(
      "SELECT (SELECT max(number) FROM rejection) - (SELECT min(number) FROM rejection)"
    ) { $0.integer(0) }.first
    guard let excess, excess >= 2 * Self.keptRejections else { return }
    try connection.database.execute(StorageSchema.cutRejections(toLast: Self.keptRejections))
  }

  private func provision(
    _ organization: String, _ uid: String, _ id: String, _ digest: [UInt8], _ now: Int64
  ) throws(SQLiteError) -> Account {
    try connection.run(
      """
      INSERT INTO user(id, organization, uid, created_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (organization, uid) DO NOTHING
      """, .text(id), .text(organization), .text(uid), .integer(now))
    let accounts = try connection.rows(
      "SELECT number, id FROM user WHERE organization = ? AND uid = ?", .text(organization),
      .text(uid)
    ) {
      Account(number: $0.integer(0), id: $0.text(1), organization: organization, uid: uid)
    }
    guard let account = accounts.first else {
      throw SQLiteError(extendedCode: 1, message: "a user that was just written is not there")
    }
    try connection.run(
      "INSERT INTO token(digest, user, created_at) VALUES (?, ?, ?)", .blob(digest),
      .integer(account.number), .integer(now))
    return account
  }

  private mutating func store(
    _ item: BatchItem, of account: Account, at now: Int64
  ) throws(SQLiteError) -> ItemResult {
    switch item {
    case .record(let record): return try store(record, of: account, at: now)
    case .unusable(let octets, let logID, let fault):
      totals.rejected += 1
      try connection.run(
        """
        INSERT INTO rejection(user, received_at, log_id, code, message, path, offset, octets, body)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, iif(EXISTS (
          SELECT 1 FROM record WHERE user = ?1 AND log_id = ?3 AND deletion = arrival), x'', ?9))
        """, .integer(account.number), .integer(now), SQLiteValue(logID), .text(fault.code),
        .text(fault.message), SQLiteValue(fault.path), SQLiteValue(fault.offset),
        .integer(Int64(octets.count)), .blob(Array(octets.prefix(Self.keptOctets))))
      return .rejected(logID: logID, fault)
    }
  }

  private mutating func store(
    _ record: IncomingRecord, of account: Account, at now: Int64
  ) throws(SQLiteError) -> ItemResult {
    guard let known = try known(record.logID, of: account) else {
      return try create(record, of: account, at: now)
    }
    return try store(record, beside: known, at: now)
  }

  /// What is known of a `log_id`.
  struct KnownRecord {
    let number: Int64
    let revision: Int64
    /// The digest of its content; nil where it is deleted.
    let digest: [UInt8]?
  }

  func known(_ logID: String, of account: Account) throws(SQLiteError) -> KnownRecord? {
    try connection.rows(
      """
      SELECT number, record.revision, digest
      FROM record LEFT JOIN revision ON revision.arrival = record.arrival
      WHERE user = ? AND log_id = ?
      """, .integer(account.number), .text(logID)
    ) {
      KnownRecord(
        number: $0.integer(0), revision: $0.integer(1), digest: $0.isNull(2) ? nil : $0.blob(2))
    }.first
  }

  private mutating func store(
    _ record: IncomingRecord, beside known: KnownRecord, at now: Int64
  ) throws(SQLiteError) -> ItemResult {
    guard let digest = known.digest, digest != record.digest else {
      totals.duplicates += 1
      return .duplicate(logID: record.logID, id: known.number, revision: known.revision)
    }
    return try revise(record, number: known.number, revision: known.revision + 1, at: now)
  }

  private mutating func put(
    _ record: IncomingRecord, _ mustExist: Bool, of account: Account, at now: Int64
  ) throws(SQLiteError) -> Change.Outcome {
    let known = try known(record.logID, of: account)
    guard !mustExist || known?.digest != nil else { return .absent }
    guard let known else { return .stored([try create(record, of: account, at: now)]) }
    guard known.digest != nil else { return .stored([try restore(record, known, at: now)]) }
    return .stored([try replace(record, known, at: now)])
  }

  /// Stores what a sender puts in the place of a record, also where the content is the same and only
  /// the time, its origin, or the device are told otherwise.
  private mutating func replace(
    _ record: IncomingRecord, _ known: KnownRecord, at now: Int64
  ) throws(SQLiteError) -> ItemResult {
    let isSame = try connection.rows(
      """
      SELECT body = ? FROM record JOIN revision ON revision.arrival = record.arrival
      WHERE number = ?
      """, .blob(record.octets), .integer(known.number)
    ) { $0.integer(0) != 0 }.first
    guard isSame != true else {
      totals.duplicates += 1
      return .duplicate(logID: record.logID, id: known.number, revision: known.revision)
    }
    return try revise(record, number: known.number, revision: known.revision + 1, at: now)
  }

  private mutating func create(
    _ record: IncomingRecord, of account: Account, at now: Int64
  ) throws(SQLiteError) -> ItemResult {
    totals.arrival += 1
    totals.created += 1
    let number = try connection.rows(
      """
      INSERT INTO record(user, log_id, created_at, revision, arrival) VALUES (?, ?, ?, 1, ?)
      RETURNING number
      """, .integer(account.number), .text(record.logID), .integer(now), .integer(totals.arrival)
    ) { $0.integer(0) }.first
    guard let number else {
      throw SQLiteError(extendedCode: 1, message: "a record that was just written has no number")
    }
    try keep(record, number: number, revision: 1, at: now)
    return .created(logID: record.logID, id: number, revision: 1)
  }

  private mutating func restore(
    _ record: IncomingRecord, _ known: KnownRecord, at now: Int64
  ) throws(SQLiteError) -> ItemResult {
    totals.arrival += 1
    totals.created += 1
    let revision = known.revision + 1
    try connection.run(
      "UPDATE record SET revision = ?, arrival = ?, created_at = ? WHERE number = ?",
      .integer(revision), .integer(totals.arrival), .integer(now), .integer(known.number))
    try keep(record, number: known.number, revision: revision, at: now)
    return .created(logID: record.logID, id: known.number, revision: revision)
  }

  private mutating func revise(
    _ record: IncomingRecord, number: Int64, revision: Int64, at now: Int64
  ) throws(SQLiteError) -> ItemResult {
    totals.arrival += 1
    totals.revised += 1
    try connection.run(
      "UPDATE record SET revision = ?, arrival = ? WHERE number = ?",
      .integer(revision), .integer(totals.arrival), .integer(number))
    try keep(record, number: number, revision: revision, at: now)
    return .revised(logID: record.logID, id: number, revision: revision)
  }

  private func keep(
    _ record: IncomingRecord, number: Int64, revision: Int64, at now: Int64
  ) throws(SQLiteError) {
    try connection.run(
      """
      INSERT INTO revision(arrival, record, revision, received_at, digest, body)
      VALUES (?, ?, ?, ?, ?, ?)
      """, .integer(totals.arrival), .integer(number), .integer(revision), .integer(now),
      .blob(record.digest), .blob(record.octets))
  }
}

extension Totals {
  init(_ connection: SQLiteConnection) throws(SQLiteError) {
    let sql = "SELECT arrival, created, duplicates, revised, rejected, deleted FROM state"
    let rows = try connection.rows(sql) { row in
      Totals(
        arrival: row.integer(0), created: row.integer(1), duplicates: row.integer(2),
        revised: row.integer(3), rejected: row.integer(4), deleted: row.integer(5))
    }
    guard let totals = rows.first else {
      throw SQLiteError(extendedCode: 11, message: "the storage has lost its totals", sql: sql)
    }
    self = totals
  }
}

extension Date {
  fileprivate var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }
}
