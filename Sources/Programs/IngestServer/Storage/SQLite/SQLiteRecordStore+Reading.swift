// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import HealthRecords
import SantorioSQLite

extension SQLiteRecordStore {
  // Both walk an index from the start position; sorting everything stored would be too slow.
  static let page = """
    SELECT \(StoredRecord.columns) FROM record JOIN revision ON revision.arrival = record.arrival
    WHERE user = ? AND position > ? AND withdrawn <= ? ORDER BY position LIMIT ?
    """
  // Of a record that was deleted at its source only the deletion.
  static let arrivals = """
    SELECT revision.arrival, ordinal, iif(tombstone, NULL, revision.revision), position,
      record.created_at, body,
      \(Account.columns)
    FROM revision JOIN record ON record.number = revision.record
      JOIN user ON user.number = record.user
    WHERE revision.arrival > ?1 AND revision.arrival <= ?4 AND revision.arrival > deletion
      AND NOT superseded AND tombstone = (withdrawn > 0)
      AND ifnull(?3, organization) = organization
      AND user.number NOT IN (SELECT user FROM erased_user)
    UNION ALL
    SELECT deletion, ordinal, NULL, NULL, NULL, NULL, \(Account.columns)
    FROM record JOIN user ON user.number = record.user
    WHERE deletion > ?1 AND deletion <= ?4 AND deletion > 0 AND ifnull(?3, organization) = organization
      AND user.number NOT IN (SELECT user FROM erased_user)
    UNION ALL
    SELECT arrival, NULL, NULL, NULL, NULL, NULL, user.number, user.id, user.organization, x'', x'',
      user.created_at
    FROM erased_user JOIN user ON user.number = user
    WHERE arrival > ?1 AND arrival <= ?4 AND ifnull(?3, organization) = organization
    ORDER BY 1 LIMIT ?2
    """

  // MARK: - Users and tokens

  func grant(tokenDigest: [UInt8]) throws(IngestError) -> Grant? {
    try readers.readToken { connection throws(SQLiteError) in
      try connection.rows(
        """
        SELECT token.number, token.id, scopes, label, token.created_at, expires_at, revoked_at, is_revoked,
          token.organization, \(Account.columns)
        FROM token LEFT JOIN user ON user.number = token.user WHERE digest = ?
        """, .blob(tokenDigest)
      ) { row in
        Grant(
          token: StoredToken(row, from: 0),
          holder: row.isNull(9)
            ? .administrator(organization: row.text(8)) : .user(Account(row, from: 9)))
      }.first
    }
  }

  func account(_ path: UserPath) throws(IngestError) -> Account? {
    try readers.read { connection throws(SQLiteError) in try connection.account(path) }
  }

  func users(
    of organization: String, after id: String?, limit: Int
  ) throws(IngestError) -> [StoredUser] {
    try readers.read { connection throws(SQLiteError) in
      try connection.rows(
        """
        SELECT id, uid, created_at FROM user
        WHERE organization = ?1 AND number NOT IN (SELECT user FROM erased_user) AND number > ifnull(
          (SELECT number FROM user WHERE organization = ?1 AND id = ?2), 0)
        ORDER BY number LIMIT ?3
        """, .text(organization), SQLiteValue(id), .integer(Int64(limit))
      ) {
        StoredUser(id: $0.text(0), uid: $0.text(1), created: Date(milliseconds: $0.integer(2)))
      }
    }
  }

  func tokens(of holder: TokenHolder) throws(IngestError) -> [StoredToken]? {
    try readers.read { connection throws(SQLiteError) in
      var user = SQLiteValue.null
      if case .user(let path) = holder {
        guard let account = try connection.account(path) else { return nil }
        user = .integer(account.number)
      }
      return try connection.rows(
        """
        SELECT \(StoredToken.columns) FROM token WHERE organization = ? AND user IS ?
        ORDER BY number
        """, .text(holder.organization), user
      ) { StoredToken($0, from: 0) }
    }
  }

  // MARK: - Records

  func recordCount(of account: Account) throws(IngestError) -> Int {
    try readers.read { connection throws(SQLiteError) in
      try connection.rows(
        """
        SELECT (SELECT count(*) FROM record WHERE user = ?1)
          - (SELECT count(*) FROM record WHERE user = ?1 AND deletion = arrival)
          - (SELECT count(*) FROM record WHERE user = ?1 AND withdrawn > 0)
        """, .integer(account.number)
      ) { Int($0.integer(0)) }.first ?? 0
    }
  }

  func records(
    of account: Account, after: Int64, deleted: Bool, limit: PageLimit
  ) throws(IngestError) -> Page<StoredRecord> {
    try readers.read { connection throws(SQLiteError) in
      try connection.page(
        Self.page, .integer(account.number), .integer(after), .integer(deleted ? .max : 0),
        limit: limit, size: \.bytes.count
      ) { StoredRecord($0, from: 0) }
    }
  }

  func record(
    of account: Account, logID: String, deleted: Bool
  ) throws(IngestError) -> StoredRecord? {
    try readers.read { connection throws(SQLiteError) in
      try connection.rows(
        """
        SELECT \(StoredRecord.columns) FROM record
          JOIN revision ON revision.arrival = record.arrival
        WHERE user = ? AND name = ? AND withdrawn <= ?
        """, .integer(account.number), .blob(KeyedName.of(logID, key: account.nameKey)),
        .integer(deleted ? .max : 0)
      ) { StoredRecord($0, from: 0) }.first
    }
  }

  func revisions(
    of account: Account, logID: String, after: Int64, deleted: Bool, limit: PageLimit
  ) throws(IngestError) -> Page<StoredRevision>? {
    try readers.read { connection throws(SQLiteError) in
      let number = try connection.record(logID, of: account, deleted: deleted)
      guard let number else { return nil }
      return try connection.page(
        """
        SELECT \(StoredRevision.columns) FROM revision JOIN record ON record.number = record
        WHERE record = ? AND revision.revision > ? AND revision.arrival > deletion
        ORDER BY revision.revision LIMIT ?
        """, .integer(number), .integer(after), limit: limit, size: \.record.bytes.count,
        map: StoredRevision.init)
    }
  }

  func history(
    of account: Account, after: Int64, limit: PageLimit
  ) throws(IngestError) -> Page<StoredRevision> {
    try readers.read { connection throws(SQLiteError) in
      try connection.page(
        """
        SELECT \(StoredRevision.columns) FROM record
          JOIN revision ON revision.record = record.number
        WHERE user = ? AND revision.arrival > ? AND revision.arrival > deletion
        ORDER BY revision.arrival LIMIT ?
        """, .integer(account.number), .integer(after), limit: limit, size: \.record.bytes.count,
        map: StoredRevision.init)
    }
  }

  func rejections(
    of account: Account, after: Int64, limit: PageLimit
  ) throws(IngestError) -> Page<StoredRejection> {
    try readers.read { connection throws(SQLiteError) in
      try connection.page(
        """
        SELECT ordinal, received_at, code, message, path, offset, size, iif(wiped, x'', body)
        FROM rejection WHERE user = ? AND ordinal > ? ORDER BY ordinal LIMIT ?
        """, .integer(account.number), .integer(after), limit: limit, size: \.body.count,
        map: StoredRejection.init)
    }
  }

  // MARK: - Images

  func media(of account: Account, logID: String) throws(IngestError) -> [StoredMedia]? {
    try readers.read { connection throws(SQLiteError) in
      guard let record = try connection.record(logID, of: account) else { return nil }
      return try connection.rows(
        "SELECT \(StoredMedia.columns) FROM media WHERE record = ? ORDER BY ordinal",
        .integer(record), map: StoredMedia.init
      ).compactMap(\.self)
    }
  }

  func media(of account: Account) throws(IngestError) -> [(record: Int64, image: StoredMedia)] {
    try readers.read { connection throws(SQLiteError) in
      try connection.rows(
        """
        SELECT media.ordinal, digest, content_type, size, record.ordinal
        FROM record JOIN media ON media.record = record.number WHERE user = ?
        ORDER BY media.ordinal
        """, .integer(account.number)
      ) { row in StoredMedia(row).map { (record: row.integer(4), image: $0) } }.compactMap(\.self)
    }
  }

  func needsMedia(_ digest: MediaDigest) throws(IngestError) -> Bool {
    try readers.read { connection throws(SQLiteError) in
      try !connection.rows(
        "SELECT 1 FROM media WHERE digest = ? LIMIT 1", .text(digest.hex)
      ) { _ in true }.isEmpty
    }
  }

  func identity() throws(IngestError) -> String {
    let secret = try readers.read { connection throws(SQLiteError) in
      try connection.rows("SELECT secret FROM state") { $0.blob(0) }.first
    }
    guard let secret else { throw IngestError(.unavailable, "the state row is missing") }
    return Hexadecimal.text(KeyedName.of("identity", key: secret))
  }

  func pendingRemovals() throws(IngestError) -> [MediaDigest] {
    try readers.read { connection throws(SQLiteError) in
      try connection.rows("SELECT digest FROM owed_removal") { MediaDigest(hex: $0.text(0)) }
        .compactMap(\.self)
    }
  }

  // MARK: - Events

  func arrivals(
    after: Int64, through last: Int64, limit: PageLimit, in organization: String?
  ) throws(IngestError) -> Page<Arrival> {
    try readers.read { connection throws(SQLiteError) in
      var (page, bytes) = (Page<Arrival>(), 0)
      try connection.scan(
        Self.arrivals,
        [
          .integer(after), .integer(Int64(limit.count)), SQLiteValue(organization), .integer(last),
        ]
      ) { row in
        guard page.elements.isEmpty || bytes < limit.bytes else {
          page.isCut = true
          return false
        }
        let arrival = Arrival(row)
        if case .stored(let record) = arrival.event { bytes += record.bytes.count }
        page.elements.append(arrival)
        return true
      }
      page.isCut = page.isCut || page.elements.count == limit.count
      return page
    }
  }

  func position(
    before count: Int, in organization: String, after start: Int64
  ) throws(IngestError) -> Int64 {
    try readers.read { connection throws(SQLiteError) in
      let arrivals = try connection.rows(
        """
        SELECT revision.arrival FROM revision JOIN record ON record.number = revision.record
          JOIN user ON user.number = record.user
        WHERE revision.arrival > ? AND revision.arrival > deletion AND NOT superseded
          AND tombstone = 0 AND withdrawn = 0
          AND organization = ? AND user.number NOT IN (SELECT user FROM erased_user)
        ORDER BY revision.arrival DESC LIMIT ?
        """, .integer(max(0, start)), .text(organization), .integer(Int64(count) + 1)
      ) { $0.integer(0) }
      return arrivals.count > count ? arrivals[count] : max(0, start)
    }
  }

  func totals() throws(IngestError) -> Totals {
    try readers.read { connection throws(SQLiteError) in try Totals(connection) }
  }

  // MARK: - Audit log

  func auditEnd() throws(IngestError) -> (line: Int64, hash: [UInt8]) {
    let end = try readers.read { connection throws(SQLiteError) in try AuditChain(connection) }
    return (end.number, end.hash)
  }

  func auditLines(
    of user: UserPath, after: Int64, limit: PageLimit
  ) throws(IngestError) -> Page<AuditLine> {
    try readers.read { connection throws(SQLiteError) in
      try connection.page(
        """
        SELECT \(AuditLine.columns) FROM audit
        WHERE user = ?1 AND organization = ?2 AND number > ?3 ORDER BY number LIMIT ?4
        """, .text(user.id), .text(user.organization), .integer(after), limit: limit,
        size: { $0.note.detail.utf8.count }, map: AuditLine.init)
    }
  }
}

extension SQLiteConnection {
  /// The key of a record; nil if it does not exist or was deleted, at its source only unless those
  /// are wanted.
  fileprivate func record(
    _ logID: String, of account: Account, deleted: Bool = false
  ) throws(SQLiteError) -> Int64? {
    try rows(
      """
      SELECT number FROM record
      WHERE user = ? AND name = ? AND arrival > deletion AND withdrawn <= ?
      """, .integer(account.number), .blob(KeyedName.of(logID, key: account.nameKey)),
      .integer(deleted ? .max : 0)
    ) { $0.integer(0) }.first
  }

  /// One page of the rows of a statement whose last parameter is a limit.
  fileprivate func page<Element>(
    _ sql: String, _ values: SQLiteValue..., limit: PageLimit, size: (Element) -> Int,
    map: (SQLiteRow) -> Element
  ) throws(SQLiteError) -> Page<Element> {
    var (page, bytes) = (Page<Element>(), 0)
    try scan(sql, values + [.integer(Int64(limit.count))]) { row in
      guard page.elements.isEmpty || bytes < limit.bytes else {
        page.isCut = true
        return false
      }
      let element = map(row)
      bytes += size(element)
      page.elements.append(element)
      return true
    }
    page.isCut = page.isCut || page.elements.count == limit.count
    return page
  }
}

extension StoredRecord {
  fileprivate static let columns = "ordinal, revision.revision, position, created_at, body"

  fileprivate init(_ row: SQLiteRow, from column: Int32) {
    self.init(
      id: row.integer(column), revision: row.integer(column + 1), position: row.integer(column + 2),
      createdMilliseconds: row.integer(column + 3), bytes: row.blob(column + 4))
  }
}

extension StoredRevision {
  fileprivate static let columns =
    "\(StoredRecord.columns), revision.arrival, received_at, actor, correction, superseded, tombstone"

  fileprivate init(_ row: SQLiteRow) {
    self.init(
      record: StoredRecord(row, from: 0), arrival: row.integer(5),
      received: Date(milliseconds: row.integer(6)), actor: row.text(7),
      isCorrection: row.integer(8) != 0, isSuperseded: row.integer(9) != 0,
      isDeletion: row.integer(10) != 0)
  }
}

extension StoredRejection {
  fileprivate init(_ row: SQLiteRow) {
    var fault = Fault(row.text(2), row.text(3), path: row.optionalText(4))
    fault.offset = row.isNull(5) ? nil : Int(row.integer(5))
    self.init(
      number: row.integer(0), received: Date(milliseconds: row.integer(1)), fault: fault,
      size: Int(row.integer(6)), body: row.blob(7))
  }
}

extension Arrival {
  fileprivate init(_ row: SQLiteRow) {
    let event: Event =
      if row.isNull(1) {
        .erased
      } else if row.isNull(2) {
        .deleted(id: row.integer(1))
      } else {
        .stored(StoredRecord(row, from: 1))
      }
    self.init(number: row.integer(0), account: Account(row, from: 6), event: event)
  }
}

extension StoredMedia {
  static let columns = "ordinal, digest, content_type, size"

  /// Reads a row of the columns; nil when its digest or type is invalid.
  init?(_ row: SQLiteRow) {
    guard let digest = MediaDigest(hex: row.text(1)), let type = ImageType(rawValue: row.text(2))
    else { return nil }
    id = row.integer(0)
    description = MediaDescription(digest: digest, type: type, size: Int(row.integer(3)))
  }
}
