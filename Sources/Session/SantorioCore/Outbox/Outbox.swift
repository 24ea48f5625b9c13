// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioSQLite

/// The records that wait for the server, on disk.
///
/// A record is in the file and survives a crash, a kill and a power loss once ``submit(_:)`` has
/// returned (on Apple's systems a power loss may take the last milliseconds). Several processes
/// may submit; one uploads. The file is also authoritative for the session: the transaction that
/// stores a row decides whose row it is.
actor Outbox {
  /// No row waits longer; a later time means that the clock was set back, and counts as due.
  static let longestRowWait = Duration.seconds(300)
  /// Rows in seq order from the table: an index or a sort would cost more than the rows skipped.
  ///
  /// One statement reads the session and the rows, so that rows are never sent as another user's.
  static let claimSQL = """
    SELECT seq, log_id, body, attempts, sum FROM q
    WHERE ?3 = (SELECT id FROM session WHERE ended IS NULL AND NOT offline)
      AND NOT held AND NOT (not_before > ?1 AND not_before < ?1 + 300000) ORDER BY seq LIMIT ?2
    """

  /// When the next of the postponed rows and images is due.
  private static let nextTimeSQL = [
    "SELECT min(not_before) FROM q WHERE not_before > 0 AND NOT held",
    """
    SELECT min(not_before) FROM image
    WHERE not_before > 0 AND released AND err IS NULL
      AND session = (SELECT id FROM session WHERE ended IS NULL)
    """,
  ]

  private let executor = QueueExecutor(label: "santorio.outbox")
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// Does something in the outbox for a caller that cannot await; its thread waits.
  nonisolated func wait<Value: Sendable>(
    _ body: @Sendable (isolated Outbox) throws(SessionError) -> Value
  ) throws(SessionError) -> Value {
    let outcome = executor.sync(self) { outbox -> Result<Value, SessionError> in
      do throws(SessionError) {
        return .success(try body(outbox))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.value()
  }

  let folder: URL
  let reservedDiskSpace: ReservedDiskSpace
  let images: ImageFiles
  let credentials: any CredentialStoring
  let now: @Sendable () -> Date
  let maximumBytes: Int
  private let startsAnewWithoutKey: Bool
  /// The digests of images that the current transaction has removed with their record.
  var unusedImages: Set<String> = []
  /// Called after events were stored.
  private let eventsStored: @Sendable () -> Void
  /// Whether the current transaction has stored an event.
  var hasStoredEvent = false
  private let prepare: @Sendable () throws(SessionError) -> Void
  // Nil before the first use and between uses, and while a damaged file could not be replaced.
  private var opened: OutboxFile? {
    didSet {
      currentSeal.withLock { $0 = opened?.seal }
    }
  }
  /// The seal of the open file, for callers that encrypt ahead of the queue.
  nonisolated let currentSeal = Locked<RowSeal?>(nil)
  nonisolated let arrivals = Locked<[Submission]>([])
  private var isReservedSpaceUsed = false
  private var isTokenChecked = false
  /// The file whose pages were checked for damage by this process.
  private var checked: FileNumber?
  /// Whether the file is closed after each burst of calls, unless somebody keeps it open.
  private var closesBetweenCalls: Bool
  /// How many keep it open.
  private var keepers = 0
  private var isClosingSoon = false
  /// Whether little is read and written, so that no memory is kept for it.
  private(set) var isResting = false
  private var isReleasingSoon = false
  var unmeasuredRoom = 0
  /// The last event that was read for delivery.
  var lastEvent: Int64 = 0
  /// How many commits the submissions so far have taken.
  var commitCount = 0

  /// Prepares the outbox of a folder; the first call that needs the file opens or creates it.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - maximumBytes: The maximum disk space for records and images.
  ///   - credentials: Where the key of the records is.
  ///   - now: The wall clock.
  ///   - startsAnewWithoutKey: Whether a queue whose key does not exist is set aside.
  ///   - closesBetweenCalls: Whether the file is closed after each burst of calls, unless somebody
  ///     keeps it open.
  ///   - eventsStored: Called after events were stored.
  ///   - prepare: What has to be done before the file can be opened, each time until it succeeds.
  init(
    folder: URL, maximumBytes: Int, credentials: any CredentialStoring,
    now: @escaping @Sendable () -> Date, startsAnewWithoutKey: Bool = false,
    closesBetweenCalls: Bool = false,
    eventsStored: @escaping @Sendable () -> Void = {},
    prepare: @escaping @Sendable () throws(SessionError) -> Void = { () throws(SessionError) in }
  ) {
    self.folder = folder
    self.maximumBytes = maximumBytes
    self.credentials = credentials
    self.now = now
    self.startsAnewWithoutKey = startsAnewWithoutKey
    self.closesBetweenCalls = closesBetweenCalls
    self.eventsStored = eventsStored
    self.prepare = prepare
    reservedDiskSpace = ReservedDiskSpace(
      path: Self.databasePath(in: folder) + ".reservedDiskSpace")
    images = ImageFiles(
      folder: folder.appendingPathComponent(ImageFiles.folderName, isDirectory: true))
  }

  /// Opens the file unless it is open.
  ///
  /// - Throws: ``SessionError``, of code `credentialsExposed` when others can read the token.
  func open() throws(SessionError) { _ = try file }

  /// Closes the file, and releases its locks, until the next call that needs it.
  func close() {
    try? opened?.database.checkpoint(.passive)
    opened = nil
  }

  /// Closes the file after each burst of calls from now on, unless somebody keeps it open.
  func closeBetweenCalls() {
    closesBetweenCalls = true
    if isClosable { close() }
  }

  /// Keeps the file open, once it is, until ``letClose()``.
  func keepOpen() { keepers += 1 }

  /// Ends what ``keepOpen()`` has begun.
  func letClose() {
    keepers -= 1
    if isClosable { close() }
  }

  // Below zero while an end has overtaken its beginning.
  private var isClosable: Bool { closesBetweenCalls && keepers <= 0 }

  static let fileName = "outbox.sqlite"
  static func databasePath(in folder: URL) -> String { folder.path + "/" + fileName }

  /// The open file; opened by the first use, and again after it was closed.
  var file: OutboxFile {
    get throws(SessionError) {
      if let opened { return opened }
      try OutboxKey.checkUnlocked(credentials)
      try prepare()
      let file = try OutboxOpening(
        path: Self.databasePath(in: folder), credentials: credentials, now: now(),
        lastEvent: lastEvent, checked: checked, startsAnewWithoutKey: startsAnewWithoutKey
      ).run(with: reservedDiskSpace)
      if !isTokenChecked { try checkToken(of: file) }
      isTokenChecked = true
      checked = file.number
      reservedDiskSpace.hold()
      opened = file
      closeSoon()
      return file
    }
  }

  private func checkToken(of file: OutboxFile) throws(SessionError) {
    do {
      guard let session = try StoredSession.current(in: file.database, by: file.seal) else {
        return
      }
      _ = try credentials.token(for: session.credential)
    } catch let error as SessionError where error.code == .credentialsExposed {
      throw error
    } catch {
      // No token now: records are kept, and the uploader reports what it waits for.
    }
  }

  var database: SQLiteDatabase { get throws(SessionError) { try file.database } }
  var seal: RowSeal { get throws(SessionError) { try file.seal } }
  func statement(_ sql: String) throws -> SQLiteStatement { try file.statement(sql) }

  // MARK: - Reading

  /// Whether another process, or another session of this one, has changed the file since the last
  /// call; true for the first.
  func hasNews() throws(SessionError) -> Bool {
    try putBack()
    return try access { try file.hasNews() }
  }

  /// The number of records, including held ones.
  func count() throws(SessionError) -> Int {
    try access { Int(try database.integer("SELECT count(*) FROM q")) }
  }

  func isEmpty() throws -> Bool {
    try statement("SELECT 1 FROM q LIMIT 1").first { _ in true } == nil
  }

  /// The disk space in use: the file's pages except free ones, and the images.
  func usedBytes() throws -> Int {
    var numbers: [Int] = []
    for sql in ["PRAGMA page_count", "PRAGMA freelist_count", "SELECT bytes FROM image_bytes"] {
      numbers.append(try statement(sql).first { Int($0.integer(0)) } ?? 0)
    }
    return (numbers[0] - numbers[1]) * OutboxSchema.pageSize + numbers[2]
  }

  /// The waiting records, in the order of their submission; damaged ones are left out.
  func pending() throws(SessionError) -> [HealthRecord] { try records("NOT held") }

  /// The first of them, deletions apart; nil when there is none, or it is damaged.
  func oldestPending() throws(SessionError) -> HealthRecord? {
    try access {
      let seal = try seal
      var body: [UInt8]?
      try database.prepare("SELECT log_id, body FROM q WHERE NOT held ORDER BY seq").scan { row in
        body = seal.logID(of: row.blob(0)).flatMap {
          seal.open(row.blob(1), as: SealedPlace.queued($0))
        }
        return body.map(RecordDeletion.isForm) ?? false
      }
      return body.flatMap { try? HealthRecord(informJSON: $0) }
    }
  }

  /// The records whose rows meet a condition, in order; deletions and damaged ones are left out.
  func records(_ condition: StaticString) throws(SessionError) -> [HealthRecord] {
    try access {
      let seal = try seal
      return try database.prepare(
        "SELECT log_id, body FROM q WHERE \(condition) ORDER BY seq"
      )
      .all { row in
        seal.logID(of: row.blob(0)).flatMap {
          seal.open(row.blob(1), as: SealedPlace.queued($0))
        }
      }
      .compactMap { body in body.flatMap { try? HealthRecord(informJSON: $0) } }
    }
  }

  // MARK: - Uploading

  /// The oldest rows of a session that are due; none when the session is not the current one.
  ///
  /// At most `count` rows, and no more than `bytes` unless it is one row; none that an upload of
  /// the system's carries. A row whose bytes differ from those submitted is moved to the quarantine
  /// and reported as an event.
  func claim(_ session: Int64, count: Int, bytes: Int) throws(SessionError) -> [OutboxRow] {
    // Again when all of a batch was damaged; bounded, in case a row cannot be removed.
    for _ in 0..<100 {
      let rows = try access { try due(session, count: count, bytes: bytes) }
      let sound = rows.filter(\.isSound)
      guard sound.count < rows.count else { return rows }
      try draining {
        for row in rows where !row.isSound { try remove(row, session: session, kind: .damaged) }
      }
      if !sound.isEmpty { return sound }
    }
    return []
  }

  private func due(_ session: Int64, count: Int, bytes: Int) throws -> [OutboxRow] {
    guard try currentSession()?.id == session else { return [] }
    let file = try file
    let underway = try rowsUnderway()
    var rows: [OutboxRow] = []
    var total = 0
    let values: [SQLiteValue] = [
      .integer(milliseconds()), .integer(Int64(count + underway.count)), .integer(session),
    ]
    try statement(Self.claimSQL).scan(values) { row in
      guard !underway.contains(row.integer(0)) else { return true }
      guard rows.count < count else { return false }
      let row = OutboxRow(row, file.seal)
      total += row.body.count + 1
      guard rows.isEmpty || total <= bytes else { return false }
      rows.append(row)
      return true
    }
    return rows
  }

  /// How long until a postponed row or image is due; nil when none is postponed.
  func timeUntilNextRow() throws(SessionError) -> Duration? {
    let earliest = try access {
      try Self.nextTimeSQL.compactMap { sql in
        try database.prepare(sql).first { $0.isNull(0) ? nil : $0.integer(0) } ?? nil
      }.min()
    }
    return earliest.map { min(max(.milliseconds($0 - milliseconds()), .zero), Self.longestRowWait) }
  }

  /// Applies the server's answer to each row, in one transaction.
  ///
  /// A row whose body was replaced while the old one was being sent stays in the queue.
  ///
  /// - Parameters:
  ///   - results: The rows and their results.
  ///   - session: The session of the rows.
  ///   - transfer: The name of the upload that is settled with them, if the system performed it.
  ///   - ledger: What is kept of the parts of the one record, if it was sent in parts.
  /// - Throws: ``SessionError`` when nothing was changed.
  func settle(
    _ results: [(row: OutboxRow, result: DeliveryResult)], session: Int64,
    ending transfer: String? = nil, closing ledger: StateName? = nil
  ) throws(SessionError) {
    try draining {
      try forget(transfer: transfer)
      if let ledger { try closeLedger(ledger) }
      for (row, result) in results {
        switch result {
        case .stored(let serverID):
          try remove(row, session: session, kind: .submitted, serverID: serverID)
        case .rejected(let failure):
          try remove(row, session: session, kind: .failed, error: failure.json)
        case .postponed(let wait): try postpone(row, by: wait)
        }
      }
    }
    removeFilesOfDeleted()
    try restoreBallast()
  }

  func remove(
    _ row: OutboxRow, session: Int64, kind: EventKind, serverID: String? = nil,
    error: String? = nil
  ) throws {
    // A page that lost its bytes yields rows whose columns are NULL, including the sum.
    // One that lost a bit may have turned the sum into another kind of number.
    let removed = try statement(
      "DELETE FROM q WHERE seq = ? AND CAST(coalesce(sum, 0) AS INTEGER) = ?"
    ).run(.integer(row.sequence), .integer(row.sum))
    guard removed == 1 else { return }
    let body = row.isSound ? row.body : nil
    if row.isDeletion {
      try removeImages(of: row.logID, session: session)
    } else if kind == .submitted {
      try releaseImages(of: row.logID, session: session)
    }
    if kind != .submitted {
      try quarantine(
        row.logID, session: session, error: error, body: body, orDamaged: row.sealed)
    }
    try insertEvent(
      row.isDeletion ? kind.ofDeletion : kind, row.logID, serverID: serverID, error: error,
      body: body)
  }

  /// Keeps a record that left the queue; a damaged one with its bytes unchanged.
  func quarantine(
    _ logID: String, session: Int64, error: String? = nil, body: [UInt8]?,
    orDamaged damaged: [UInt8], at date: Int64? = nil
  ) throws {
    let seal = try seal
    let error = try seal.seal(error, as: SealedPlace.refusal(logID))
    let sealed = try body.map { try seal.seal($0, as: SealedPlace.quarantined(logID)) }
    try database.prepare(
      "INSERT INTO quarantine(log_id, session, at, err, body) VALUES(?, ?, ?, ?, ?)"
    ).run(
      .blob(try seal.name(of: logID)), .integer(session), .integer(date ?? milliseconds()),
      SQLiteValue(error),
      .blob(sealed ?? damaged))
  }

  func postpone(_ row: OutboxRow, by wait: Duration) throws {
    try database.prepare(
      "UPDATE q SET attempts = attempts + 1, not_before = ? WHERE seq = ? AND sum = ?"
    ).run(.integer(due(after: wait)), .integer(row.sequence), .integer(row.sum))
  }

  /// When a postponed row is due again, on the wall clock.
  func due(after wait: Duration) -> Int64 {
    milliseconds() + min(wait, Self.longestRowWait - .seconds(1)).milliseconds
  }

  private func restoreBallast() throws(SessionError) {
    guard isReservedSpaceUsed, try access({ try isEmpty() }) else { return }
    try? database.checkpoint()
    reservedDiskSpace.hold()
    isReservedSpaceUsed = false
  }

  // MARK: - Transactions

  /// The wall clock in milliseconds since 1970.
  func milliseconds() -> Int64 { Int64((now().timeIntervalSince1970 * 1000).rounded()) }

  /// Runs `body` directly, for the work of one statement; again in a new file after damage.
  @discardableResult
  func access<Value>(_ body: () throws -> Value) throws(SessionError) -> Value {
    shortenLog()
    defer { releaseMemorySoon() }
    do {
      defer { shortenLogSoon() }
      return try body()
    } catch {
      try replaceDamagedFile(after: SessionError(any: error))
    }
    do {
      return try body()
    } catch {
      throw SessionError(any: error)
    }
  }

  /// Runs `body` between BEGIN IMMEDIATE and COMMIT.
  @discardableResult
  func transaction<Value>(_ body: () throws -> Value) throws(SessionError) -> Value {
    try putBack()
    hasStoredEvent = false
    defer { if hasStoredEvent { eventsStored() } }
    return try access {
      do {
        try statement("BEGIN IMMEDIATE").run()
        let value = try body()
        try countMessages()
        try statement("COMMIT").run()
        guard opened?.isDisplaced != true else { throw SessionError.displaced }
        return value
      } catch {
        try? opened?.database.execute("ROLLBACK")
        throw error
      }
    }
  }

  /// Saves, now and then, how much the key has encrypted; inside the current transaction.
  private func countMessages() throws {
    guard let unsaved = try seal.takeUnsaved(from: OutboxKey.messagesAhead / 2) else { return }
    try statement("UPDATE seal SET messages = messages + ?").run(.integer(Int64(unsaved)))
    if try seal.messageCount >= RowSeal.manyMessages {
      SantorioLogging.shared.log(
        .outbox, level: .warning,
        "the key of the records has encrypted half of what it may; change it")
    }
  }

  /// A transaction that frees space: when the disk is full, it uses the reserved disk space.
  @discardableResult
  func draining<Value>(_ body: () throws -> Value) throws(SessionError) -> Value {
    do throws(SessionError) {
      return try transaction(body)
    } catch {
      guard error.code == .diskFull, reservedDiskSpace.release() else { throw error }
      isReservedSpaceUsed = true
      try? database.checkpoint()
      return try transaction(body)
    }
  }

  /// Moves the log into the database if it is long.
  ///
  /// As with SQLite's own checkpoints, a failure only means that the next commit is followed by
  /// another attempt.
  func shortenLog() {
    guard let opened, opened.isLogLong else { return }
    try? opened.database.checkpoint(.passive)
  }

  /// Gives back the memory that is of use only while much is read or written, now and after each
  /// burst of calls, until ``endRest()``.
  ///
  /// A gateway has a queue for each of its patients, most of which rest most of the time.
  func rest() {
    isResting = true
    opened?.releaseMemory()
  }

  /// Keeps memory from now on for what will be read and written next.
  func endRest() { isResting = false }

  /// How much memory is kept for pages of the file, in bytes.
  var pageMemory: Int { opened?.database.cacheBytes ?? 0 }

  private func releaseMemorySoon() {
    guard isResting, !isReleasingSoon else { return }
    isReleasingSoon = true
    Task {
      isReleasingSoon = false
      if isResting { opened?.releaseMemory() }
    }
  }

  /// Shortens a long log in a separate step, so that the submitter is answered first.
  ///
  /// Work that comes before that step shortens the log first.
  private func shortenLogSoon() {
    guard opened?.isLogLong == true else { return }
    Task { shortenLog() }
  }

  /// Closes the file, if it is to be closed between calls, once those that wait now have been
  /// served.
  private func closeSoon() {
    guard isClosable, !isClosingSoon else { return }
    isClosingSoon = true
    Task {
      isClosingSoon = false
      if isClosable { close() }
    }
  }

  /// Switches to the right file after the open one was removed or replaced.
  ///
  /// Other processes would never find what this process stores in the old one.
  private func putBack() throws(SessionError) {
    guard let file = opened, file.isDisplaced else { return }
    let path = Self.databasePath(in: folder)
    try OutboxRescue(path: path, of: file, at: now()).run()
    let use = file.use
    opened = nil
    opened = try OutboxFile(path: path, credentials: credentials, use: use)
    try opened?.settle(at: path)
  }

  /// Replaces the file when it is damaged; rethrows any other error.
  private func replaceDamagedFile(after error: SessionError) throws(SessionError) {
    guard error.code == .storageDamaged, let use = opened?.use else { throw error }
    opened = nil
    opened = try OutboxRecovery(
      path: Self.databasePath(in: folder), credentials: credentials, use: use, now: now(),
      lastEvent: lastEvent
    ).run()
    try opened?.settle(at: Self.databasePath(in: folder))
  }
}

extension Duration {
  /// Whole milliseconds, rounded down.
  var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
