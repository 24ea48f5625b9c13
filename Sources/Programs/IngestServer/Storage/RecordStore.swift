// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Where users and their records are kept.
///
/// All functions block and may be called from any thread. What `commit` has returned is durable.
protocol RecordStore: Sendable {
  /// Carries out changes, all in one transaction: either every outcome holds or none.
  func commit(_ changes: [Change]) throws(IngestError) -> [Change.Outcome]
  /// Brings all that was committed into the storage's one file, as far as nobody is in the way.
  func emptyLog()
  /// Wipes what was erased also where that could not be done at once, because somebody was reading.
  func wipeLog()

  /// The token of a digest, also one that has ended; waits for no query.
  func grant(tokenDigest: [UInt8]) throws(IngestError) -> Grant?
  /// A user; nil when there is none, or it was erased.
  func account(_ path: UserPath) throws(IngestError) -> Account?
  /// The users of an organisation in the order of their making, after one of them.
  func users(
    of organization: String, after id: String?, limit: Int
  ) throws(IngestError) -> [StoredUser]
  /// The tokens of a user or an organisation's administrators, the oldest first; nil when there is
  /// no such user.
  func tokens(of holder: TokenHolder) throws(IngestError) -> [StoredToken]?

  /// How many records are kept of a user, each counted once with all its revisions.
  func recordCount(of account: Account) throws(IngestError) -> Int
  /// The current content of a user's records after a position, in its order.
  func records(
    of account: Account, after: Int64, limit: PageLimit
  ) throws(IngestError) -> Page<StoredRecord>
  /// The current content of one record; nil where there is none or it was deleted.
  func record(of account: Account, logID: String) throws(IngestError) -> StoredRecord?
  /// All contents that a record had, after a revision; nil where there is none or it was deleted.
  func revisions(
    of account: Account, logID: String, after: Int64, limit: PageLimit
  ) throws(IngestError) -> Page<StoredRevision>?
  /// All contents of all records of a user, after an arrival number.
  func history(
    of account: Account, after: Int64, limit: PageLimit
  ) throws(IngestError) -> Page<StoredRevision>
  /// What was rejected of a user after a number, the oldest first.
  func rejections(
    of account: Account, after: Int64, limit: PageLimit
  ) throws(IngestError) -> Page<StoredRejection>
  /// The images of one record, in the order they came; nil where there is no such record.
  func media(of account: Account, logID: String) throws(IngestError) -> [StoredMedia]?
  /// The images of all records of a user in the order they came, each with its record's number.
  func media(of account: Account) throws(IngestError) -> [(record: Int64, image: StoredMedia)]
  /// Whether any record has the image.
  func needsMedia(_ digest: MediaDigest) throws(IngestError) -> Bool
  /// What tells the storage from others; says nothing of what is in it.
  func identity() throws(IngestError) -> String
  /// Images that no record had any more and whose files may still be there.
  func owedRemovals() throws(IngestError) -> [MediaDigest]

  /// Everything stored or deleted after one arrival number and up to another in the order of
  /// arrival, in one organisation or in all.
  func arrivals(
    after: Int64, through last: Int64, limit: PageLimit, in organization: String?
  ) throws(IngestError) -> Page<Arrival>
  /// The arrival number after which an organisation has stored `count` revisions, as far as they
  /// are after `start`.
  func position(
    before count: Int, in organization: String, after start: Int64
  ) throws(IngestError) -> Int64
  /// The totals of all that was ever received.
  func totals() throws(IngestError) -> Totals
  /// The number and the hash of the audit log's last line.
  func auditEnd() throws(IngestError) -> (line: Int64, hash: [UInt8])
  /// The lines of the audit log about a user after a number, the oldest first.
  func auditLines(
    of user: UserPath, after: Int64, limit: PageLimit
  ) throws(IngestError) -> Page<AuditLine>
}

extension RecordStore {
  /// Whether a token still opens something; always so for the server's administrator, who has none
  /// here.
  func isLive(tokenDigest: [UInt8]?, at date: Date) throws(IngestError) -> Bool {
    guard let tokenDigest else { return true }
    return try grant(tokenDigest: tokenDigest)?.token.state(at: date) == .live
  }
}

/// A user.
struct Account: Hashable, Sendable {
  /// The key in the store.
  let number: Int64
  /// The identifier that clients use.
  let id: String
  let organization: String
  /// The organisation's own name for the user.
  let uid: String
  /// The key of the names that the user's records have in the store.
  let nameKey: [UInt8]
  let created: Date

  var path: UserPath { UserPath(organization: organization, id: id) }
}

/// A user as an administrator sees it.
struct StoredUser: Hashable, Sendable {
  let id: String
  let uid: String
  let created: Date
}

/// How much of a list is wanted at once.
struct PageLimit: Hashable, Sendable {
  /// The most elements.
  var count: Int
  /// No element begins after so many bytes of content; a page has one at least.
  var bytes = 1 << 20
}

/// A part of a list.
struct Page<Element: Sendable>: Sendable {
  var elements: [Element] = []
  /// Whether the page ended at its limit, so that there may be more.
  var isCut = false
}

/// A record's current content.
struct StoredRecord: Hashable, Sendable {
  /// The server's identifier: the record's number among those of its user.
  let id: Int64
  let revision: Int64
  /// Where it stands among the records of its user; a revised record moves to the end.
  let position: Int64
  /// When the record's first content was stored, in milliseconds since 1970.
  let createdMilliseconds: Int64
  let bytes: [UInt8]
}

/// One content that a record had.
struct StoredRevision: Hashable, Sendable {
  /// The record, with this revision in the place of the current one.
  let record: StoredRecord
  /// Its number among all that ever arrived.
  let arrival: Int64
  let received: Date
  /// Who sent it, see ``Caller/actor``.
  let actor: String
  let isCorrection: Bool
  /// Whether it never was the current content, since a correction stands.
  let isSuperseded: Bool
}

/// An item that was rejected.
struct StoredRejection: Hashable, Sendable {
  /// Its number among those of its user.
  let number: Int64
  let received: Date
  let fault: Fault
  /// How many bytes it had.
  let size: Int
  /// Its first 16 KiB; empty once it was wiped.
  let body: [UInt8]
}

/// What happened to a record or a user.
struct Arrival: Sendable {
  /// Its number among all that ever happened.
  let number: Int64
  let account: Account
  let event: Event

  enum Event: Sendable {
    case stored(StoredRecord)
    case deleted(id: Int64)
    /// The user and all that was known of it.
    case erased
  }
}

/// The numbers of items received, by what became of them.
struct Totals: Hashable, Sendable {
  /// The number of the last stored revision or deletion.
  var arrival: Int64 = 0
  var created: Int64 = 0
  var duplicates: Int64 = 0
  var revised: Int64 = 0
  var superseded: Int64 = 0
  var rejected: Int64 = 0
  var deleted: Int64 = 0

  /// How many records are kept now.
  var kept: Int64 { created - deleted }
}
