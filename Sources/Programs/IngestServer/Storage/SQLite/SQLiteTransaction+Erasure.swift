// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import HealthRecords
import SantorioSQLite

// Wiped content is overwritten with as many zeros; see `StorageSchema.tables` for the reason.
extension SQLiteTransaction {
  // MARK: - Records

  /// Wipes a record with its revisions, images and the items rejected under its `log_id`.
  mutating func delete(
    _ name: [UInt8], _ precondition: Change.Precondition, of account: Account, at now: Date
  ) throws(SQLiteError) -> Change.Outcome {
    let known = try known(name, of: account)
    if let refusal = precondition.refusal(of: known?.shownRevision) { return refusal }
    let wiped = try wipeRejections(named: name, of: account)
    guard let known, known.revision != nil else {
      guard wiped > 0 else { return .absent }
      // It must not come back when it is sent again, even if it is valid then.
      let outcome = try rememberDeletion(name, of: account, at: now)
      if case .absent = outcome { return .deleted(record: nil, media: []) }
      return outcome
    }
    contents[known.number] = nil
    totals.arrival += 1
    if known.withdrawn == nil { totals.deleted += 1 }
    try connection.run(
      """
      UPDATE revision SET digest = zeroblob(length(digest)), body = zeroblob(length(body))
      WHERE record = ?
      """, .integer(known.number))
    let media = try connection.rows(
      "DELETE FROM media WHERE record = ? RETURNING \(StoredMedia.columns)",
      .integer(known.number), map: StoredMedia.init)
    try connection.run(
      """
      UPDATE record SET arrival = ?, deletion = ?, corrected = 0, withdrawn = 0, changed = 0
      WHERE number = ?
      """,
      .integer(totals.arrival), .integer(totals.arrival), .integer(known.number))
    return .deleted(record: known.ordinal, media: media.compactMap { $0?.description.digest })
  }

  /// Notes the deletion of a record that the storage does not have.
  ///
  /// It was only rejected, or the storage comes from a backup that is older than the record.
  mutating func rememberDeletion(
    _ name: [UInt8], of account: Account, at now: Date
  ) throws(SQLiteError) -> Change.Outcome {
    guard try known(name, of: account) == nil else { return .absent }
    totals.arrival += 1
    try connection.run(
      """
      INSERT INTO record(user, name, ordinal, position, created_at, revision, arrival, deletion)
      VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6, ?6)
      """, .integer(account.number), .blob(name), .integer(try next(\.records, of: account)),
      .integer(try next(\.position, of: account)), .integer(now.milliseconds),
      .integer(totals.arrival))
    return .deleted(record: nil, media: [])
  }

  /// Adds an image to a record.
  mutating func attach(
    _ media: MediaDescription, to logID: String, of account: Account, at now: Int64
  ) throws(SQLiteError) -> Change.Outcome {
    let name = KeyedName.of(logID, key: account.nameKey)
    guard let known = try known(name, of: account), known.shownRevision != nil else {
      return .absent
    }
    let former = try stored(media.digest, of: known)
    if former == nil {
      try connection.run(
        """
        INSERT INTO media(record, ordinal, digest, content_type, size, created_at)
        VALUES (?, ?, ?, ?, ?, ?)
        """, .integer(known.number), .integer(try next(\.images, of: account)),
        .text(media.digest.hex), .text(media.type.rawValue), .integer(Int64(media.size)),
        .integer(now))
    }
    guard let image = try stored(media.digest, of: known) else {
      throw SQLiteError(extendedCode: 1, message: "an image that was just written is not there")
    }
    return .attached(image, record: known.ordinal, isNew: former == nil)
  }

  private func stored(
    _ digest: MediaDigest, of record: KnownRecord
  ) throws(SQLiteError) -> StoredMedia? {
    try connection.rows(
      "SELECT \(StoredMedia.columns) FROM media WHERE record = ? AND digest = ?",
      .integer(record.number), .text(digest.hex), map: StoredMedia.init
    ).compactMap(\.self).first
  }

  // MARK: - Users

  /// Wipes all data of a user; only the identifier stays, with nothing linked to it.
  mutating func erase(_ path: UserPath) throws(SQLiteError) -> Change.Outcome {
    guard let account = try connection.account(path) else { return .absent }
    let user = SQLiteValue.integer(account.number)
    totals.arrival += 1
    totals.deleted +=
      try connection.rows(
        "SELECT count(*) FROM record WHERE user = ? AND deletion < arrival AND withdrawn = 0", user
      ) { $0.integer(0) }.first ?? 0
    try connection.run(
      """
      UPDATE revision SET digest = zeroblob(length(digest)), body = zeroblob(length(body))
      WHERE record IN (SELECT number FROM record WHERE user = ?)
      """, user)
    _ = try wipeRejections(of: account)
    let media = try connection.rows(
      """
      DELETE FROM media WHERE record IN (SELECT number FROM record WHERE user = ?)
      RETURNING \(StoredMedia.columns)
      """, user, map: StoredMedia.init)
    // Revoked rather than removed, so that a device with a token learns that it was revoked.
    try connection.run(
      "UPDATE token SET label = '', revoked_at = 0, is_revoked = 1 WHERE user = ?", user)
    try connection.run(
      """
      UPDATE user SET uid = zeroblob(length(uid)), name_key = zeroblob(length(name_key))
      WHERE number = ?
      """, user)
    try connection.run("DELETE FROM user_name WHERE user = ?", user)
    try connection.run("INSERT INTO erased_user VALUES (?, ?)", user, .integer(totals.arrival))
    counters[account.number] = nil
    return .erased(media: media.compactMap { $0?.description.digest })
  }

  // MARK: - Rejections

  /// Keeps a rejected item for diagnosis.
  mutating func reject(
    _ bytes: [UInt8], _ logID: String?, _ fault: Fault, of account: Account, at now: Int64
  ) throws(SQLiteError) {
    let name = logID.map { KeyedName.of($0, key: account.nameKey) }
    // Content of a deleted record must not come back this way either.
    try connection.run(
      """
      INSERT INTO rejection(
        user, ordinal, received_at, wiped, name, code, message, path, offset, size, body)
      VALUES (?1, ?2, ?3, 0, ?4, ?5, ?6, ?7, ?8, ?9, iif(EXISTS (
        SELECT 1 FROM record WHERE user = ?1 AND name = ?4 AND deletion = arrival), x'', ?10))
      """, .integer(account.number), .integer(try next(\.rejections, of: account)),
      .integer(now), SQLiteValue(name), .text(fault.code), .text(fault.message),
      SQLiteValue(fault.path), SQLiteValue(fault.offset), .integer(Int64(bytes.count)),
      .blob(Array(bytes.prefix(Self.keptBytes))))
  }

  func wipeRejections(named name: [UInt8], of account: Account) throws(SQLiteError) -> Int {
    try connection.run(
      """
      UPDATE rejection SET body = zeroblob(length(body)), name = zeroblob(16), wiped = 1
      WHERE user = ? AND name = ?
      """, .integer(account.number), .blob(name))
  }

  /// Wipes the rejected items of a user up to an instant.
  func wipeRejections(
    of account: Account, until date: Int64 = .max
  ) throws(SQLiteError) -> Int {
    try connection.run(
      """
      UPDATE rejection SET body = zeroblob(length(body)), wiped = 1
      WHERE user = ? AND received_at <= ? AND NOT wiped
      """, .integer(account.number), .integer(date))
  }

  /// Wipes the items rejected before an instant.
  func wipeRejections(before date: Int64) throws(SQLiteError) -> Int {
    try connection.run(
      """
      UPDATE rejection SET body = zeroblob(length(body)), wiped = 1
      WHERE received_at < ? AND NOT wiped
      """, .integer(date))
  }
}
