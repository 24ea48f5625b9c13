// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioSQLite

/// A record claimed from the queue.
struct OutboxRow: Hashable, Sendable {
  let sequence: Int64
  /// Empty when the row's name is damaged.
  let logID: String
  /// The record's bytes; empty when the row is damaged.
  let body: [UInt8]
  /// The bytes as kept in the file.
  let sealed: [UInt8]
  /// How often the server left the record without an answer.
  let attempts: Int
  /// Distinguishes one content of the row from another.
  let sum: Int64
  /// Whether the bytes are those that were submitted under the identifier.
  let isSound: Bool
  /// The name of the part that is sent now, of a record that is sent in parts.
  var part: String?
}

extension OutboxRow {
  init(
    sequence: Int64, logID: String, body: [UInt8], sealed: [UInt8] = [], attempts: Int, sum: Int64
  ) {
    self.init(
      sequence: sequence, logID: logID, body: body, sealed: sealed, attempts: attempts, sum: sum,
      isSound: true)
  }

  /// Reads the columns seq, log_id, body, attempts, sum.
  ///
  /// The sum of a held row is inverted: a row that is no longer held but was not released is
  /// damaged.
  init(_ row: SQLiteRow, _ seal: RowSeal, isHeld: Bool = false) {
    sequence = row.integer(0)
    logID = seal.logID(of: row.blob(1)) ?? ""
    sealed = row.blob(2)
    attempts = Int(row.integer(3))
    sum = row.integer(4)
    let mark = RowSeal.mark(of: sealed)
    let opened =
      sum == (isHeld ? ~mark : mark) ? seal.open(sealed, as: SealedPlace.queued(logID)) : nil
    body = opened ?? []
    isSound = opened != nil
  }
}

/// The session as stored in the file.
struct StoredSession: Hashable, Sendable {
  let id: Int64
  let userID: String
  let organizationID: String
  let isValidated: Bool
  /// Whether it belongs to the default user, whose records are kept and not sent.
  let isOffline: Bool

  /// Distinguishes an intact row from a damaged one: records must never go to another user.
  func digest(by seal: RowSeal) -> [UInt8] {
    seal.mark("session\n\(id)\n\(userID)\n\(organizationID)\n\(isOffline)")
  }

  /// Distinguishes a user's sessions from those of others.
  func owner(by seal: RowSeal) -> [UInt8] {
    seal.mark("owner\n\(userID)\n\(organizationID)")
  }

  /// The user's identifiers as one text; neither has a line end.
  var name: String { userID + "\n" + organizationID }

  /// Splits a name into its identifiers; nil when it is damaged.
  static func identifiers(_ name: [UInt8]?) -> (user: String, organization: String)? {
    guard let name else { return nil }
    let parts = name.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    return (String(decoding: parts[0], as: UTF8.self), String(decoding: parts[1], as: UTF8.self))
  }

  /// The name of its token in the credential store.
  var credential: String { Self.credential(id) }
  static func credential(_ id: Int64) -> String { "\(prefix)\(id)" }
  private static let prefix = "session-"

  /// The name of its user's token for the Marketplace in the credential store.
  static func marketplaceCredential(_ id: Int64) -> String { credential(id) + marketplace }
  /// Whether a credential is the token of a session's user.
  static func isTokenCredential(_ name: String) -> Bool {
    name.hasPrefix(prefix) && Int64(name.dropFirst(prefix.count)) != nil
  }
  private static let marketplace = "-marketplace"
}

/// A stored event, still to be delivered.
struct StoredEvent: Sendable {
  let id: Int64
  let event: SessionEvent
}
