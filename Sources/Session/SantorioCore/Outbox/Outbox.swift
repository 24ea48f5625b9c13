// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import SantorioConcurrency

/// The records that wait for the server, on disk.
///
/// A record is in the file and survives a crash, a kill and a loss of power once ``submit(_:)`` has
/// returned (on Apple's systems a loss of power may take the last milliseconds). Several processes
/// may submit; one uploads. The file is the truth about the session as well: what a row is sent as
/// is decided by the transaction that stored it.
actor Outbox {
  /// No row waits longer; a time further ahead means that the clock was set back, and counts as due.
  static let longestRowWait = Duration.seconds(300)
  /// In seq order straight from the table: an index or a sort would cost more than the rows skipped.
  ///
  /// One statement looks at the session and the rows, so that rows are never sent as another user's.
  static let claimSQL = """
    SELECT seq, log_id, body, attempts, sum FROM q
    WHERE ?3 = (SELECT id FROM session WHERE ended IS NULL)
      AND NOT held AND NOT (not_before > ?1 AND not_before < ?1 + 300000) ORDER BY seq LIMIT ?2
    """

  private let executor = QueueExecutor(label: "santorio.outbox")
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  let folder: URL
  let database: SQLiteDatabase
  let ballast: Ballast
  let credentials: any CredentialStoring
  let now: @Sendable () -> Date
  private let maximumBytes: Int
  private let insertion: SQLiteStatement
  private let claim: SQLiteStatement
  private var waiting: [Submission] = []
  private var isBallastSpent = false
  /// How many commits the submissions so far have taken.
  private(set) var commitCount = 0

  /// Opens or makes the outbox in a folder.
  ///
  /// - Throws: ``SessionError``, of code `credentialsExposed` when others may read the token.
  init(
    folder: URL, maximumBytes: Int, credentials: any CredentialStoring,
    now: @escaping @Sendable () -> Date
  ) throws(SessionError) {
    self.folder = folder
    self.maximumBytes = maximumBytes
    self.credentials = credentials
    self.now = now
    let path = Self.databasePath(in: folder)
    try DurableFile.touch(path)
    let database = try OutboxSchema.open(path: path)
    do {
      insertion = try database.prepare(
        """
        INSERT INTO q(log_id, sum, body) VALUES(?1, ?2, ?3)
        ON CONFLICT(log_id) DO UPDATE
        SET body = excluded.body, sum = excluded.sum, attempts = 0, not_before = 0, held = 0
        WHERE held OR sum <> excluded.sum OR body <> excluded.body
        """)
      claim = try database.prepare(Self.claimSQL)
    } catch {
      throw SessionError(error)
    }
    try Self.checkToken(of: database, in: credentials)
    self.database = database
    ballast = Ballast(path: path + ".ballast")
    ballast.hold()
  }

  private static func checkToken(
    of database: SQLiteDatabase, in credentials: any CredentialStoring
  ) throws(SessionError) {
    do {
      guard let session = try StoredSession.current(in: database) else { return }
      _ = try credentials.token(for: session.credential)
    } catch let error as SessionError where error.code == .credentialsExposed {
      throw error
    } catch {
      // No token now: records are kept, and the uploader says what it waits for.
    }
  }

  static func databasePath(in folder: URL) -> String { folder.path + "/outbox.sqlite" }

  // MARK: - Producing

  /// One call of ``submit(_:)`` that waits for its commit.
  private final class Submission {
    let items: [OutboxItem]
    var result: Result<Void, SessionError>?
    var continuation: CheckedContinuation<Void, Never>?

    init(_ items: [OutboxItem]) { self.items = items }

    var bytes: Int { items.reduce(0) { $0 + $1.body.count } }
  }

  /// Stores all items or none; returns after their commit.
  ///
  /// Calls that arrive while a commit runs share the next one, which the first of them does for all.
  /// An item whose identifier is waiting already replaces what waits.
  func submit(_ items: [OutboxItem]) async throws(SessionError) {
    let submission = Submission(items)
    waiting.append(submission)
    if waiting.count == 1 {
      await Task.yield()  // lets those in that queued up behind the commit before
      commitWaiting()
    } else {
      await withCheckedContinuation { submission.continuation = $0 }
    }
    if case .failure(let error) = submission.result { throw error }
  }

  private func commitWaiting() {
    let submissions = waiting
    waiting = []
    do throws(SessionError) {
      try transaction {
        let hasSession = try currentSession() != nil
        for submission in submissions {
          submission.result = try insert(submission, hasSession: hasSession)
        }
      }
    } catch {
      for submission in submissions { submission.result = .failure(error) }
    }
    commitCount += 1
    for submission in submissions { submission.continuation?.resume() }
  }

  private func insert(
    _ submission: Submission, hasSession: Bool
  ) throws(SQLiteError) -> Result<Void, SessionError> {
    guard hasSession else {
      return .failure(SessionError(.noSession, "records need a session; start one first"))
    }
    guard try tally().bytes + submission.bytes <= maximumBytes else {
      return .failure(
        SessionError(
          .outboxFull,
          "the records waiting have reached \(maximumBytes) octets; submit again after an upload"))
    }
    for item in submission.items {
      let sum = RowChecksum.of(logID: item.logID, body: item.body)
      try insertion.run(.text(item.logID), .integer(sum), .blob(item.body))
    }
    return .success(())
  }

  // MARK: - Reading

  /// How many records wait, and how many octets they have.
  func size() throws(SessionError) -> (records: Int, bytes: Int) { try access { try tally() } }

  func tally() throws(SQLiteError) -> (records: Int, bytes: Int) {
    try database.prepare("SELECT records, bytes FROM tally")
      .first { (Int($0.integer(0)), Int($0.integer(1))) } ?? (0, 0)
  }

  /// The records that wait, in the order of their submission; damaged ones are left out.
  func pending() throws(SessionError) -> [HealthRecord] {
    try access {
      try database.prepare("SELECT body FROM q WHERE NOT held ORDER BY seq").all { $0.blob(0) }
        .compactMap { try? HealthRecord(informJSON: $0) }
    }
  }

  // MARK: - Uploading

  /// The oldest rows of a session that are due, at most `count`, and no more than `bytes` unless it
  /// is one row; none when the session is not the current one.
  ///
  /// A row whose checksum does not match is moved to the quarantine and told as an event.
  func claim(_ session: Int64, count: Int, bytes: Int) throws(SessionError) -> [OutboxRow] {
    let rows = try access { try due(session, count: count, bytes: bytes) }
    let damaged = rows.filter { !$0.isSound }
    guard !damaged.isEmpty else { return rows }
    try draining {
      for row in damaged { try remove(row, session: session, kind: .damaged) }
    }
    return rows.filter { $0.isSound }
  }

  private func due(_ session: Int64, count: Int, bytes: Int) throws(SQLiteError) -> [OutboxRow] {
    var rows: [OutboxRow] = []
    var total = 0
    let values: [SQLiteValue] = [
      .integer(milliseconds()), .integer(Int64(count)), .integer(session),
    ]
    try claim.scan(values) { row in
      let row = OutboxRow(row)
      total += row.body.count + 1
      guard rows.isEmpty || total <= bytes else { return false }
      rows.append(row)
      return true
    }
    return rows
  }

  /// How long until a postponed row is due; nil when none is postponed.
  func timeUntilNextRow() throws(SessionError) -> Duration? {
    let earliest = try access {
      try database.prepare("SELECT min(not_before) FROM q WHERE not_before > 0")
        .first { $0.isNull(0) ? nil : $0.integer(0) } ?? nil
    }
    return earliest.map { min(max(.milliseconds($0 - milliseconds()), .zero), Self.longestRowWait) }
  }

  /// Carries out what the server's answer means for each row, in one transaction.
  ///
  /// A row whose body was replaced while the old one was on its way stays in the queue.
  func settle(
    _ settlements: [(row: OutboxRow, settlement: Settlement)], session: Int64
  ) throws(SessionError) {
    try draining {
      for (row, settlement) in settlements {
        switch settlement {
        case .submitted(let serverID):
          try remove(row, session: session, kind: .submitted, serverID: serverID)
        case .failed(let failure):
          try remove(row, session: session, kind: .failed, error: failure.json)
        case .postponed(let wait): try postpone(row, by: wait)
        }
      }
    }
    try restoreBallast()
  }

  func remove(
    _ row: OutboxRow, session: Int64, kind: EventKind, serverID: String? = nil,
    error: String? = nil
  ) throws(SQLiteError) {
    let removed = try database.prepare("DELETE FROM q WHERE seq = ? AND sum = ?")
      .run(.integer(row.sequence), .integer(row.sum))
    guard removed == 1 else { return }
    if kind != .submitted {
      try database.prepare(
        "INSERT INTO quarantine(log_id, session, at, err, body) VALUES(?, ?, ?, ?, ?)"
      ).run(
        .text(row.logID), .integer(session), .integer(milliseconds()), SQLiteValue(error),
        .blob(row.body))
    }
    try insertEvent(kind, row.logID, serverID: serverID, error: error, body: row.body)
  }

  private func postpone(_ row: OutboxRow, by wait: Duration) throws(SQLiteError) {
    let due = milliseconds() + min(wait, Self.longestRowWait - .seconds(1)).milliseconds
    try database.prepare(
      "UPDATE q SET attempts = attempts + 1, not_before = ? WHERE seq = ? AND sum = ?"
    ).run(.integer(due), .integer(row.sequence), .integer(row.sum))
  }

  private func restoreBallast() throws(SessionError) {
    guard isBallastSpent, try size().records == 0 else { return }
    try? database.checkpoint()
    ballast.hold()
    isBallastSpent = false
  }

  // MARK: - Transactions

  /// The wall clock in milliseconds since 1970.
  func milliseconds() -> Int64 { Int64((now().timeIntervalSince1970 * 1000).rounded()) }

  /// Runs `body` as it is, for what one statement reads or writes.
  @discardableResult
  func access<Value>(_ body: () throws -> Value) throws(SessionError) -> Value {
    do {
      return try body()
    } catch {
      throw SessionError(any: error)
    }
  }

  /// Runs `body` between BEGIN IMMEDIATE and COMMIT.
  @discardableResult
  func transaction<Value>(_ body: () throws -> Value) throws(SessionError) -> Value {
    do {
      try database.execute("BEGIN IMMEDIATE")
      let value = try body()
      try database.execute("COMMIT")
      return value
    } catch {
      try? database.execute("ROLLBACK")
      throw SessionError(any: error)
    }
  }

  /// A transaction that frees room: when the disk is full, the ballast is given for it.
  @discardableResult
  func draining<Value>(_ body: () throws -> Value) throws(SessionError) -> Value {
    do throws(SessionError) {
      return try transaction(body)
    } catch {
      guard error.code == .diskFull, ballast.release() else { throw error }
      isBallastSpent = true
      try? database.checkpoint()
      return try transaction(body)
    }
  }
}

extension Duration {
  /// Whole milliseconds, rounded down.
  var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
