// SPDX-License-Identifier: Apache-2.0

import SantorioSQLite

/// The end of the audit log in a file, where lines are added.
///
/// Each line has the hash of itself and of all previous lines: changing or removing a line changes
/// every hash after it. A hash noted elsewhere detects a log that was truncated or completely
/// rewritten.
struct AuditChain {
  /// The hash before the first line.
  static let beginning = [UInt8](repeating: 0, count: 32)

  private(set) var number: Int64 = 0
  private(set) var hash = Self.beginning

  init(_ connection: SQLiteConnection) throws(SQLiteError) {
    let last = try connection.rows("SELECT number, hash FROM audit ORDER BY number DESC LIMIT 1") {
      ($0.integer(0), $0.blob(1))
    }.first
    if let last { (number, hash) = last }
  }

  mutating func append(_ line: AuditLine, on connection: SQLiteConnection) throws(SQLiteError) {
    var line = line
    line.number = number + 1
    let hash = line.hash(after: hash)
    try connection.run(
      """
      INSERT INTO audit(number, at, actor, address, action, organization, user, detail, hash)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, .integer(line.number), .integer(line.milliseconds), .text(line.actor),
      .text(line.address), .text(line.note.action), .text(line.note.organization),
      .text(line.note.user), .text(line.note.detail), .blob(hash))
    (number, self.hash) = (line.number, hash)
  }
}

extension AuditLine {
  static let columns = "number, at, actor, address, action, organization, user, detail, hash"

  init(_ row: SQLiteRow) {
    self.init(
      number: row.integer(0), milliseconds: row.integer(1), actor: row.text(2),
      address: row.text(3),
      note: AuditNote(
        action: row.text(4), organization: row.text(5), user: row.text(6), detail: row.text(7)))
  }
}
