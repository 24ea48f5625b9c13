// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import HealthRecords
import SantorioSQLite
import SantorioJSON

/// Writes changes between BEGIN and COMMIT.
struct SQLiteTransaction {
  /// The minimum number of rejected items that are kept.
  static let keptRejections: Int64 = 1_000
  /// How many bytes of each rejected item are kept.
  static let keptBytes = 16 << 10

  let connection: SQLiteConnection
  var totals: Totals
  /// The key for the names of users.
  let secret: [UInt8]
  /// The users' counters that were changed here.
  var counters: [Int64: UserCounter] = [:]
  /// The digests of the records that were looked up here.
  var contents: [Int64: Set<[UInt8]>] = [:]
  /// What was erased here, for the journal.
  private(set) var erasures: [JournalEntry] = []
  private var audit: AuditChain

  init(_ connection: SQLiteConnection) throws(SQLiteError) {
    self.connection = connection
    totals = try Totals(connection)
    let sql = "SELECT secret FROM state"
    guard let secret = try connection.rows(sql, map: { $0.blob(0) }).first else {
      throw SQLiteError(extendedCode: 11, message: "the state row is missing", sql: sql)
    }
    self.secret = secret
    audit = try AuditChain(connection)
  }

  mutating func apply(_ changes: [Change]) throws(SQLiteError) -> [Change.Outcome] {
    var outcomes: [Change.Outcome] = []
    for change in changes { outcomes.append(try apply(change)) }
    return outcomes
  }

  private mutating func apply(_ change: Change) throws(SQLiteError) -> Change.Outcome {
    // The token may have ended since the request was admitted, for example with its user.
    let state = try tokenState(of: change.caller, at: change.date)
    guard state == .live else { return .refused(state) }
    let outcome = try perform(change)
    try recordPendingRemoval(of: outcome.released)
    if let note = AuditNote(change.action, outcome) {
      try write(note, by: change.caller, at: change.date)
    }
    return outcome
  }

  private mutating func perform(_ change: Change) throws(SQLiteError) -> Change.Outcome {
    let now = change.date.milliseconds
    switch change.action {
    case .provision(let user, let token, let revokesOthers):
      return try provision(user, token, revokesOthers: revokesOthers, at: change.date)
    case .issue(let token, let holder): return try issue(token, to: holder, at: now)
    case .revoke(let id, let holder): return try revoke(id, of: holder, at: change.date)
    case .rotate(let id, let token, let overlap, let holder):
      return try rotate(id, token, overlap: overlap, of: holder, at: change.date)
    case .store(let items, let account):
      var results: [ItemResult] = []
      for item in items { results.append(try store(item, change, of: account)) }
      return .stored(results)
    case .put(let record, let precondition, let account):
      return try put(record, precondition, change, of: account)
    case .delete(let logID, let precondition, let account):
      let name = KeyedName.of(logID, key: account.nameKey)
      let outcome = try delete(name, precondition, of: account, at: change.date)
      if case .deleted = outcome { try note(.record(name), of: .user(account.path), change) }
      return outcome
    case .attach(let media, let logID, let account):
      return try attach(media, to: logID, of: account, at: now)
    case .wipeRejections(let user):
      guard let account = try connection.account(user) else { return .absent }
      let count = try wipeRejections(of: account)
      if count > 0 { try note(.rejections, of: .user(user), change) }
      return .wiped(count)
    case .expireRejections(let date): return .wiped(try wipeRejections(before: date.milliseconds))
    case .erase(let user):
      let outcome = try erase(user)
      if case .erased = outcome { try note(.user, of: .user(user), change) }
      return outcome
    case .removed(let digests):
      for digest in digests {
        try connection.run("DELETE FROM owed_removal WHERE digest = ?", .text(digest.hex))
      }
      return .noted
    case .note: return .noted
    case .probe: return .probed
    }
  }

  private func recordPendingRemoval(of media: [MediaDigest]) throws(SQLiteError) {
    for digest in media {
      try connection.run("INSERT OR IGNORE INTO owed_removal VALUES (?)", .text(digest.hex))
    }
  }

  private mutating func write(
    _ note: AuditNote, by caller: Caller, at date: Date
  ) throws(SQLiteError) {
    let line = AuditLine(
      number: 0, milliseconds: date.milliseconds, actor: caller.actor, address: caller.address,
      note: note)
    try audit.append(line, on: connection)
  }

  /// Writes the totals; the last thing before COMMIT.
  func finish() throws(SQLiteError) {
    try totals.write(to: connection)
    for (user, counter) in counters { try counter.write(to: connection, of: user) }
    let excess = try connection.rows(
      "SELECT (SELECT max(number) FROM rejection) - (SELECT min(number) FROM rejection)"
    ) { $0.integer(0) }.first
    guard let excess, excess >= 2 * Self.keptRejections else { return }
    try connection.database.execute(StorageSchema.cutRejections(toLast: Self.keptRejections))
  }

  // MARK: - Erasures

  private mutating func note(
    _ subject: JournalEntry.Subject, of holder: TokenHolder, _ change: Change
  ) throws(SQLiteError) {
    try note(subject, of: holder, at: change.date)
  }

  /// Notes for the journal that something was erased or that a token ends at a time.
  mutating func note(
    _ subject: JournalEntry.Subject, of holder: TokenHolder, at date: Date
  ) throws(SQLiteError) {
    let entry = JournalEntry(subject, of: holder, at: date)
    erasures.append(entry)
    try markAsSeen(entry)
  }

  /// Notes that the file has seen a line of the journal; false if it already had.
  @discardableResult
  private func markAsSeen(_ entry: JournalEntry) throws(SQLiteError) -> Bool {
    try connection.run("INSERT OR IGNORE INTO applied_erasure(id) VALUES (?)", .text(entry.id)) == 1
  }

  /// Applies a line of the journal to a file from a backup; nil if the file had seen it.
  mutating func repeatErasure(
    _ entry: JournalEntry, at date: Date
  ) throws(SQLiteError) -> Change.Outcome? {
    guard try markAsSeen(entry) else { return nil }
    let outcome = try perform(entry, at: date)
    if case .absent = outcome { return nil }
    try recordPendingRemoval(of: outcome.released)
    let note = AuditNote("erasure.repeated", entry.holder) { json in
      json.optional("at", entry.date)
      if case .token(let id) = entry.subject { json.optional("token", id) }
    }
    try write(note, by: .server, at: date)
    return outcome
  }

  private mutating func perform(
    _ entry: JournalEntry, at now: Date
  ) throws(SQLiteError) -> Change.Outcome {
    if case .token(let id) = entry.subject {
      return try end(id, of: entry.holder, at: entry.date, isOver: entry.date <= now)
    }
    guard case .user(let path) = entry.holder, let account = try connection.account(path) else {
      return .absent
    }
    switch entry.subject {
    case .user: return try erase(path)
    case .record(let name):
      let outcome = try delete(name, .none, of: account, at: now)
      guard case .absent = outcome else { return outcome }
      return try rememberDeletion(name, of: account, at: now)
    case .rejections:
      let count = try wipeRejections(of: account, until: entry.date.milliseconds)
      return count > 0 ? .wiped(count) : .absent
    case .token: return .absent
    }
  }
}

/// The counters of a user.
struct UserCounter {
  /// The number of records ever stored.
  var records: Int64
  /// The last position given to a record.
  var position: Int64
  /// The number of images ever stored.
  var images: Int64
  /// The number of items ever rejected.
  var rejections: Int64

  fileprivate func write(to connection: SQLiteConnection, of user: Int64) throws(SQLiteError) {
    try connection.run(
      """
      UPDATE counter SET records = ?, position = ?, images = ?, rejections = ? WHERE user = ?
      """, .integer(records), .integer(position), .integer(images), .integer(rejections),
      .integer(user))
  }
}

extension Totals {
  init(_ connection: SQLiteConnection) throws(SQLiteError) {
    let sql =
      "SELECT arrival, created, duplicates, revised, superseded, rejected, deleted FROM state"
    let rows = try connection.rows(sql) { row in
      Totals(
        arrival: row.integer(0), created: row.integer(1), duplicates: row.integer(2),
        revised: row.integer(3), superseded: row.integer(4), rejected: row.integer(5),
        deleted: row.integer(6))
    }
    guard let totals = rows.first else {
      throw SQLiteError(extendedCode: 11, message: "the row of totals is missing", sql: sql)
    }
    self = totals
  }

  fileprivate func write(to connection: SQLiteConnection) throws(SQLiteError) {
    try connection.run(
      """
      UPDATE state SET arrival = ?, created = ?, duplicates = ?, revised = ?, superseded = ?,
        rejected = ?, deleted = ?
      """, .integer(arrival), .integer(created), .integer(duplicates), .integer(revised),
      .integer(superseded), .integer(rejected), .integer(deleted))
  }
}

extension Date {
  var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }

  init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
