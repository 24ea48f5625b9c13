// SPDX-License-Identifier: Apache-2.0

import SantorioSQLite

extension SQLiteTransaction {
  /// The stored state of a `log_id`.
  struct KnownRecord {
    let number: Int64
    /// The record's number among those of its user.
    let ordinal: Int64
    /// The number of the last revision.
    let lastRevision: Int64
    /// The number of the current one; nil if the record is deleted.
    let revision: Int64?
    /// Whether the current content came by PUT.
    let isCorrected: Bool
    let wasDeleted: Bool
    /// When its deletion at the source was noticed, if that is its current revision.
    let withdrawn: Int64?
    /// The latest time at which a content of it says that it was changed, or 0.
    let changed: Int64

    /// The number of the current revision; nil if the record is deleted, at its source as well.
    var shownRevision: Int64? { withdrawn == nil ? revision : nil }
  }

  func known(_ name: [UInt8], of account: Account) throws(SQLiteError) -> KnownRecord? {
    try connection.rows(
      """
      SELECT number, ordinal, record.revision, current.revision, corrected, deletion,
        withdrawn, changed
      FROM record LEFT JOIN revision AS current ON current.arrival = record.arrival
      WHERE user = ? AND name = ?
      """, .integer(account.number), .blob(name)
    ) {
      KnownRecord(
        number: $0.integer(0), ordinal: $0.integer(1), lastRevision: $0.integer(2),
        revision: $0.isNull(3) ? nil : $0.integer(3), isCorrected: $0.integer(4) != 0,
        wasDeleted: $0.integer(5) > 0, withdrawn: $0.integer(6) > 0 ? $0.integer(6) : nil,
        changed: $0.integer(7))
    }.first
  }

  // MARK: - POST

  mutating func store(
    _ item: BatchItem, _ change: Change, of account: Account
  ) throws(SQLiteError) -> ItemResult {
    switch item {
    case .record(let record): return try store(record, change, of: account)
    case .deletion(let deletion): return try store(deletion, change, of: account)
    case .unusable(let bytes, let logID, let fault):
      totals.rejected += 1
      try reject(bytes, logID, fault, of: account, at: change.date.milliseconds)
      return .rejected(logID: logID, fault)
    }
  }

  private mutating func store(
    _ record: IncomingRecord, _ change: Change, of account: Account
  ) throws(SQLiteError) -> ItemResult {
    let name = KeyedName.of(record.logID, key: account.nameKey)
    guard let known = try known(name, of: account) else {
      return try create(record, name, change, isCorrection: false, of: account)
    }
    if let withdrawn = known.withdrawn {
      return try storeDeleted(record, known, since: withdrawn, change, of: account)
    }
    let isReturn = try isReturn(to: record, known)
    let isRepeated = try isReturn ? false : hadContent(record.digest, known)
    guard let revision = known.revision, !isRepeated else {
      if known.revision != nil { try noteChange(of: record, number: known.number) }
      return duplicate(record.logID, known)
    }
    guard known.isCorrected else {
      return try revise(record, known, change, isCorrection: false, of: account)
    }
    // The earlier contents of a record that was deleted and put again are unknown.
    guard !known.wasDeleted else { return duplicate(record.logID, known) }
    return try keepSuperseded(record, known, currentRevision: revision, change)
  }

  /// Whether a later change brings an earlier content back, as the sum of a day of which something was
  /// added and deleted again; a repeated upload says that it was changed at the same time as before.
  private func isReturn(
    to record: IncomingRecord, _ known: KnownRecord
  ) throws(SQLiteError) -> Bool {
    guard let revision = known.revision, !known.isCorrected, known.changed > 0,
      let changed = record.changed, changed > known.changed
    else { return false }
    let current = try connection.rows(
      "SELECT digest FROM revision WHERE record = ? AND revision = ?", .integer(known.number),
      .integer(revision)
    ) { $0.blob(0) }
    return current.first.map { $0 != record.digest } ?? false
  }

  /// Whether a record had a content in any of its last 1000 revisions.
  mutating func hadContent(
    _ digest: [UInt8], _ known: KnownRecord
  ) throws(SQLiteError) -> Bool {
    if let digests = contents[known.number] { return digests.contains(digest) }
    let digests = Set(
      try connection.rows(
        "SELECT digest FROM revision WHERE record = ? ORDER BY revision DESC LIMIT 1000",
        .integer(known.number)
      ) { $0.blob(0) })
    contents[known.number] = digests
    return digests.contains(digest)
  }

  mutating func duplicate(_ logID: String, _ known: KnownRecord) -> ItemResult {
    totals.duplicates += 1
    return .duplicate(
      logID: logID, id: known.ordinal, revision: known.revision ?? known.lastRevision)
  }

  /// Keeps content in the history of a record whose current content is a correction.
  mutating func keepSuperseded(
    _ record: some ReceivedContent, _ known: KnownRecord, currentRevision: Int64, _ change: Change
  ) throws(SQLiteError) -> ItemResult {
    totals.arrival += 1
    totals.superseded += 1
    let revision = known.lastRevision + 1
    try connection.run(
      "UPDATE record SET revision = ? WHERE number = ?", .integer(revision), .integer(known.number))
    try keep(
      record, number: known.number, revision: revision, change, isCorrection: false,
      isSuperseded: true)
    return .superseded(
      logID: record.logID, id: known.ordinal, revision: currentRevision, kept: revision)
  }

  // MARK: - PUT

  mutating func put(
    _ record: IncomingRecord, _ precondition: Change.Precondition, _ change: Change,
    of account: Account
  ) throws(SQLiteError) -> Change.Outcome {
    let name = KeyedName.of(record.logID, key: account.nameKey)
    let known = try known(name, of: account)
    if let refusal = precondition.refusal(of: known?.shownRevision) { return refusal }
    guard let known else {
      return .stored([try create(record, name, change, isCorrection: true, of: account)])
    }
    guard known.shownRevision != nil else {
      return .stored([try restore(record, known, change, of: account)])
    }
    // Even if the content is the same and only the time, its origin, or the device differ.
    guard try !isCurrent(record.bytes, known) else {
      // A PUT of the current content confirms it: later data of a device must not change it.
      try connection.run(
        "UPDATE record SET corrected = 1 WHERE number = ?", .integer(known.number))
      return .stored([duplicate(record.logID, known)])
    }
    return .stored([try revise(record, known, change, isCorrection: true, of: account)])
  }

  private func isCurrent(_ body: [UInt8], _ known: KnownRecord) throws(SQLiteError) -> Bool {
    try connection.rows(
      """
      SELECT body = ? FROM record JOIN revision ON revision.arrival = record.arrival
      WHERE number = ?
      """, .blob(body), .integer(known.number)
    ) { $0.integer(0) != 0 }.first ?? false
  }

  // MARK: - Rows

  private mutating func create(
    _ record: IncomingRecord, _ name: [UInt8], _ change: Change, isCorrection: Bool,
    of account: Account
  ) throws(SQLiteError) -> ItemResult {
    totals.created += 1
    let ordinal = try add(record, name, change, isCorrection: isCorrection, of: account)
    return .created(logID: record.logID, id: ordinal, revision: 1)
  }

  /// Adds a record with its first content.
  ///
  /// - Returns: Its number among those of its user.
  mutating func add(
    _ record: some ReceivedContent, _ name: [UInt8], _ change: Change, isCorrection: Bool,
    of account: Account
  ) throws(SQLiteError) -> Int64 {
    totals.arrival += 1
    let position = try next(\.position, of: account)
    let ordinal = try next(\.records, of: account)
    let number = try connection.rows(
      """
      INSERT INTO record(
        user, name, ordinal, position, created_at, revision, arrival, corrected, withdrawn)
      VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?) RETURNING number
      """, .integer(account.number), .blob(name), .integer(ordinal), .integer(position),
      .integer(change.date.milliseconds), .integer(totals.arrival), .integer(isCorrection ? 1 : 0),
      .integer(record.withdrawal)
    ) { $0.integer(0) }.first
    guard let number else {
      throw SQLiteError(extendedCode: 1, message: "a record that was just written has no number")
    }
    try keep(record, number: number, revision: 1, change, isCorrection: isCorrection)
    return ordinal
  }

  private mutating func restore(
    _ record: IncomingRecord, _ known: KnownRecord, _ change: Change, of account: Account
  ) throws(SQLiteError) -> ItemResult {
    totals.created += 1
    let revision = try replace(record, known, change, isCorrection: true, of: account)
    try connection.run(
      "UPDATE record SET created_at = ? WHERE number = ?", .integer(change.date.milliseconds),
      .integer(known.number))
    return .created(logID: record.logID, id: known.ordinal, revision: revision)
  }

  private mutating func revise(
    _ record: IncomingRecord, _ known: KnownRecord, _ change: Change, isCorrection: Bool,
    of account: Account
  ) throws(SQLiteError) -> ItemResult {
    totals.revised += 1
    let revision = try replace(record, known, change, isCorrection: isCorrection, of: account)
    return .revised(logID: record.logID, id: known.ordinal, revision: revision)
  }

  /// Adds the next revision of a record, which moves it to the end of its user's records.
  mutating func replace(
    _ record: some ReceivedContent, _ known: KnownRecord, _ change: Change, isCorrection: Bool,
    of account: Account
  ) throws(SQLiteError) -> Int64 {
    totals.arrival += 1
    let revision = known.lastRevision + 1
    let position = try next(\.position, of: account)
    try connection.run(
      """
      UPDATE record SET revision = ?, arrival = ?, position = ?, corrected = ?, withdrawn = ?
      WHERE number = ?
      """, .integer(revision), .integer(totals.arrival), .integer(position),
      .integer(isCorrection ? 1 : 0), .integer(record.withdrawal), .integer(known.number))
    try keep(record, number: known.number, revision: revision, change, isCorrection: isCorrection)
    return revision
  }

  private mutating func keep(
    _ record: some ReceivedContent, number: Int64, revision: Int64, _ change: Change,
    isCorrection: Bool, isSuperseded: Bool = false
  ) throws(SQLiteError) {
    contents[number]?.insert(record.digest)
    try noteChange(of: record, number: number)
    try connection.run(
      """
      INSERT INTO revision(
        arrival, record, revision, received_at, actor, correction, superseded, tombstone, digest,
        body)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, .integer(totals.arrival), .integer(number), .integer(revision),
      .integer(change.date.milliseconds), .text(change.caller.actor),
      .integer(isCorrection ? 1 : 0), .integer(isSuperseded ? 1 : 0),
      .integer(record.withdrawal > 0 ? 1 : 0), .blob(record.digest),
      .blob(record.bytes))
  }

  /// Notes when content says that it was changed: a deletion that was noticed before is older.
  private func noteChange(
    of record: some ReceivedContent, number: Int64
  ) throws(SQLiteError) {
    guard let changed = record.changed else { return }
    try connection.run(
      "UPDATE record SET changed = ?1 WHERE number = ?2 AND changed < ?1", .integer(changed),
      .integer(number))
  }

  // MARK: - Numbers

  /// The next number of one of a user's counters.
  mutating func next(
    _ number: WritableKeyPath<UserCounter, Int64>, of account: Account
  ) throws(SQLiteError) -> Int64 {
    var counter = try counter(of: account)
    counter[keyPath: number] += 1
    counters[account.number] = counter
    return counter[keyPath: number]
  }

  private func counter(of account: Account) throws(SQLiteError) -> UserCounter {
    if let counter = counters[account.number] { return counter }
    let counter = try connection.rows(
      "SELECT records, position, images, rejections FROM counter WHERE user = ?",
      .integer(account.number)
    ) {
      UserCounter(
        records: $0.integer(0), position: $0.integer(1), images: $0.integer(2),
        rejections: $0.integer(3))
    }.first
    guard let counter else {
      // Also for a user that does not exist.
      throw SQLiteError(extendedCode: 19, message: "the user has no counter")
    }
    return counter
  }
}

extension Change.Precondition {
  /// The outcome if the precondition does not hold; `revision` is the current one.
  func refusal(of revision: Int64?) -> Change.Outcome? {
    switch self {
    case .none: return nil
    case .exists: return revision == nil ? .absent : nil
    case .revision(let wanted):
      guard let revision else { return .absent }
      return wanted.contains(revision) ? nil : .otherRevision(revision)
    }
  }
}
