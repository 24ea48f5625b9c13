// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SantorioSQLite

extension SQLiteTransaction {
  /// The state of the token with which a change was requested.
  func tokenState(of caller: Caller, at date: Date) throws(SQLiteError) -> TokenState {
    guard let number = caller.token else { return .live }
    return try connection.rows(
      "SELECT \(StoredToken.columns) FROM token WHERE number = ?", .integer(number)
    ) { StoredToken($0, from: 0) }.first?.state(at: date) ?? .revoked
  }

  // MARK: - Users

  mutating func provision(
    _ user: NewUser, _ token: NewToken, revokesOthers: Bool, at date: Date
  ) throws(SQLiteError) -> Change.Outcome {
    let now = date.milliseconds
    let name = KeyedName.of("\(user.organization)/\(user.uid)", key: secret)
    let known = try connection.rows(
      "SELECT id FROM user_name JOIN user ON number = user WHERE user_name.organization = ? AND name = ?",
      .text(user.organization), .blob(name)
    ) { $0.text(0) }.first
    let path = UserPath(organization: user.organization, id: known ?? user.id)
    if known == nil { try insert(user, name, at: now) }
    if revokesOthers { _ = try revoke(nil, of: .user(path), at: date) }
    guard case .issued(let issued) = try issue(token, to: .user(path), at: now),
      let account = try connection.account(path)
    else {
      throw SQLiteError(extendedCode: 1, message: "a user that was just written is not there")
    }
    return .provisioned(account, issued)
  }

  private func insert(_ user: NewUser, _ name: [UInt8], at now: Int64) throws(SQLiteError) {
    let number =
      try connection.rows(
        """
        INSERT INTO user(id, organization, created_at, uid, name_key) VALUES (?, ?, ?, ?, ?)
        RETURNING number
        """, .text(user.id), .text(user.organization), .integer(now), .blob(Array(user.uid.utf8)),
        .blob(StorageSchema.randomKey())
      ) { SQLiteValue.integer($0.integer(0)) }.first ?? .null
    try connection.run(
      "INSERT INTO user_name(organization, name, user) VALUES (?, ?, ?)", .text(user.organization),
      .blob(name), number)
    try connection.run("INSERT INTO counter VALUES (?, 0, 0, 0, 0)", number)
  }

  // MARK: - Tokens

  func issue(
    _ token: NewToken, to holder: TokenHolder, at now: Int64
  ) throws(SQLiteError) -> Change.Outcome {
    guard let user = try user(of: holder) else { return .absent }
    let issued = try connection.rows(
      """
      INSERT INTO token(id, digest, organization, user, scopes, label, created_at, expires_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING \(StoredToken.columns)
      """, .text(token.id), .blob(token.digest), .text(holder.organization), user,
      .integer(token.scopes.rawValue), .text(token.label), .integer(now),
      SQLiteValue(token.expiry?.milliseconds)
    ) { StoredToken($0, from: 0) }.first
    guard let issued else {
      throw SQLiteError(extendedCode: 1, message: "a token that was just written is not there")
    }
    return .issued(issued)
  }

  mutating func revoke(
    _ id: String?, of holder: TokenHolder, at date: Date
  ) throws(SQLiteError) -> Change.Outcome {
    guard let user = try user(of: holder) else { return .absent }
    let tokens = try connection.rows(
      """
      UPDATE token SET revoked_at = min(?1, ifnull(revoked_at, ?1)), is_revoked = 1
      WHERE organization = ?2 AND user IS ?3 AND (?4 IS NULL OR id = ?4) AND NOT is_revoked
      RETURNING \(StoredToken.columns)
      """, .integer(date.milliseconds), .text(holder.organization), user, SQLiteValue(id)
    ) { StoredToken($0, from: 0) }
    for token in tokens { try note(.token(token.id), of: holder, at: date) }
    guard tokens.isEmpty, let id else { return .revoked(tokens) }
    // A token that has already ended is not an error.
    return try token(id, of: holder) == nil ? .absent : .revoked([])
  }

  mutating func rotate(
    _ id: String, _ new: NewToken, overlap: TimeInterval, of holder: TokenHolder, at date: Date
  ) throws(SQLiteError) -> Change.Outcome {
    guard let old = try token(id, of: holder), old.state(at: date) == .live else { return .absent }
    var new = new
    (new.scopes, new.label) = (old.scopes, old.label)
    // A token with a lifetime gets the same lifetime again.
    new.expiry = new.expiry ?? old.expiry.map { date + $0.timeIntervalSince(old.created) }
    let end = min(date + overlap, old.revoked ?? .distantFuture)
    _ = try self.end(id, of: holder, at: end, isOver: end <= date)
    try note(.token(id), of: holder, at: end)
    return try issue(new, to: holder, at: date.milliseconds)
  }

  /// Makes a token end at a time, unless it ends sooner.
  func end(
    _ id: String, of holder: TokenHolder, at end: Date, isOver: Bool
  ) throws(SQLiteError) -> Change.Outcome {
    guard let old = try token(id, of: holder), !old.isRevoked else { return .absent }
    try connection.run(
      "UPDATE token SET revoked_at = ?, is_revoked = ? WHERE number = ?",
      .integer(min(end, old.revoked ?? end).milliseconds), .integer(isOver ? 1 : 0),
      .integer(old.number))
    return .revoked([old])
  }

  private func token(
    _ id: String, of holder: TokenHolder
  ) throws(SQLiteError) -> StoredToken? {
    guard let user = try user(of: holder) else { return nil }
    return try connection.rows(
      """
      SELECT \(StoredToken.columns) FROM token WHERE organization = ? AND user IS ? AND id = ?
      """, .text(holder.organization), user, .text(id)
    ) { StoredToken($0, from: 0) }.first
  }

  /// The value of the column `user` for a holder's tokens; nil when the user does not exist.
  private func user(of holder: TokenHolder) throws(SQLiteError) -> SQLiteValue? {
    switch holder {
    case .organization: return .null
    case .user(let path): return try connection.account(path).map { .integer($0.number) }
    }
  }
}

extension StoredToken {
  static let columns =
    "number, id, scopes, label, created_at, expires_at, revoked_at, is_revoked"

  init(_ row: SQLiteRow, from column: Int32) {
    func date(_ offset: Int32) -> Date? {
      row.isNull(column + offset) ? nil : Date(milliseconds: row.integer(column + offset))
    }
    self.init(
      number: row.integer(column), id: row.text(column + 1),
      scopes: Scopes(rawValue: row.integer(column + 2)), label: row.text(column + 3),
      created: Date(milliseconds: row.integer(column + 4)), expiry: date(5), revoked: date(6),
      isRevoked: row.integer(column + 7) != 0)
  }
}

extension SQLiteConnection {
  /// A user; nil when there is none, or it was erased.
  func account(_ path: UserPath) throws(SQLiteError) -> Account? {
    try rows(
      """
      SELECT \(Account.columns) FROM user WHERE organization = ? AND id = ?
        AND number NOT IN (SELECT user FROM erased_user)
      """, .text(path.organization), .text(path.id)
    ) { Account($0, from: 0) }.first
  }
}

extension Account {
  static let columns =
    "user.number, user.id, user.organization, user.uid, user.name_key, "
    + "user.created_at"

  init(_ row: SQLiteRow, from column: Int32) {
    self.init(
      number: row.integer(column), id: row.text(column + 1), organization: row.text(column + 2),
      uid: row.text(column + 3), nameKey: row.blob(column + 4),
      created: Date(milliseconds: row.integer(column + 5)))
  }
}
