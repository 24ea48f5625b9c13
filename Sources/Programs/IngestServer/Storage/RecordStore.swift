// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Stores users and their records.
///
/// All functions block and may be called from any thread. The outcomes of `commit` are durable.
protocol RecordStore: Sendable {
  /// Carries out changes in one transaction: either all outcomes hold or none.
  func commit(_ changes: [Change]) throws(IngestError) -> [Change.Outcome]
  /// Moves all committed data from the log into the storage file, unless a reader prevents it.
  func emptyLog()
  /// Wipes erased data from the log if a reader prevented that before.
  func wipeLog()

  /// The token with a digest, even if it has ended; does not wait for other queries.
  func grant(tokenDigest: [UInt8]) throws(IngestError) -> Grant?
  /// A user; nil when there is none, or it was erased.
  func account(_ path: UserPath) throws(IngestError) -> Account?
  /// The users of an organisation in the order of their creation, after one of them.
  func users(
    of organization: String, after id: String?, limit: Int
  ) throws(IngestError) -> [StoredUser]
  /// The tokens of a holder, oldest first; nil when the user does not exist.
  func tokens(of holder: TokenHolder) throws(IngestError) -> [StoredToken]?

  /// The number of records of a user, each counted once with all its revisions.
  func recordCount(of account: Account) throws(IngestError) -> Int
  /// The current content of a user's records after a position, in order of position; of those
  /// deleted at their source, if wanted, the deletions.
  func records(
    of account: Account, after: Int64, deleted: Bool, limit: PageLimit
  ) throws(IngestError) -> Page<StoredRecord>
  /// The current content of one record; nil if it does not exist or was deleted. If it was deleted at
  /// its source, the deletion, if wanted.
  func record(
    of account: Account, logID: String, deleted: Bool
  ) throws(IngestError) -> StoredRecord?
  /// The revisions of a record after a number; nil if it does not exist or was deleted, at its source
  /// only unless those are wanted.
  func revisions(
    of account: Account, logID: String, after: Int64, deleted: Bool, limit: PageLimit
  ) throws(IngestError) -> Page<StoredRevision>?
  /// The revisions of all records of a user after an arrival number.
  func history(
    of account: Account, after: Int64, limit: PageLimit
  ) throws(IngestError) -> Page<StoredRevision>
  /// The rejected items of a user after a number, oldest first.
  func rejections(
    of account: Account, after: Int64, limit: PageLimit
  ) throws(IngestError) -> Page<StoredRejection>
  /// The images of one record in order of arrival; nil if the record does not exist.
  func media(of account: Account, logID: String) throws(IngestError) -> [StoredMedia]?
  /// The images of all records of a user in order of arrival, each with its record's number.
  func media(of account: Account) throws(IngestError) -> [(record: Int64, image: StoredMedia)]
  /// Whether any record has the image.
  func needsMedia(_ digest: MediaDigest) throws(IngestError) -> Bool
  /// The identity of the storage; it reveals nothing about the content.
  func identity() throws(IngestError) -> String
  /// Images that no record has any more and whose files may still exist.
  func pendingRemovals() throws(IngestError) -> [MediaDigest]

  /// What was stored or deleted between two arrival numbers, in one organisation or all.
  func arrivals(
    after: Int64, through last: Int64, limit: PageLimit, in organization: String?
  ) throws(IngestError) -> Page<Arrival>
  /// The arrival number after which an organisation has `count` revisions, or `start` if fewer.
  func position(
    before count: Int, in organization: String, after start: Int64
  ) throws(IngestError) -> Int64
  /// The totals of everything ever received.
  func totals() throws(IngestError) -> Totals
  /// The number and the hash of the audit log's last line.
  func auditEnd() throws(IngestError) -> (line: Int64, hash: [UInt8])
  /// The lines of the audit log about a user after a number, oldest first.
  func auditLines(
    of user: UserPath, after: Int64, limit: PageLimit
  ) throws(IngestError) -> Page<AuditLine>
}

extension RecordStore {
  /// Whether a token is live; always true for the server's administrator, who has none here.
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

/// The limit of a page of a list.
struct PageLimit: Hashable, Sendable {
  /// The most elements.
  var count: Int
  /// The bytes of content after which no element starts; a page has at least one element.
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
  /// Its position among the records of its user; a revised record moves to the end.
  let position: Int64
  /// When the record's first content was stored, in milliseconds since 1970.
  let createdMilliseconds: Int64
  let bytes: [UInt8]
}

/// One revision of a record.
struct StoredRevision: Hashable, Sendable {
  /// The record with this revision instead of the current one.
  let record: StoredRecord
  /// Its number among everything that ever arrived.
  let arrival: Int64
  let received: Date
  /// The sender, see ``Caller/actor``.
  let actor: String
  let isCorrection: Bool
  /// Whether it never was current because a correction was in place.
  let isSuperseded: Bool
  /// Whether it is the deletion of the record at its source.
  let isDeletion: Bool
}

/// An item that was rejected.
struct StoredRejection: Hashable, Sendable {
  /// Its number among those of its user.
  let number: Int64
  let received: Date
  let fault: Fault
  /// Its size in bytes.
  let size: Int
  /// Its first 16 KiB; empty after it was wiped.
  let body: [UInt8]
}

/// An event of a record or a user.
struct Arrival: Sendable {
  /// Its number among all events.
  let number: Int64
  let account: Account
  let event: Event

  enum Event: Sendable {
    case stored(StoredRecord)
    case deleted(id: Int64)
    /// The user was erased with all its data.
    case erased
  }
}

/// The numbers of received items by outcome.
struct Totals: Hashable, Sendable {
  /// The number of the last stored revision or deletion.
  var arrival: Int64 = 0
  var created: Int64 = 0
  var duplicates: Int64 = 0
  var revised: Int64 = 0
  var superseded: Int64 = 0
  var rejected: Int64 = 0
  var deleted: Int64 = 0

  /// The number of records kept now.
  var kept: Int64 { created - deleted }
}

extension RecordStore {
  /// The current content of a user's records that were not deleted.
  func records(
    of account: Account, after: Int64, limit: PageLimit
  ) throws(IngestError) -> Page<StoredRecord> {
    try records(of: account, after: after, deleted: false, limit: limit)
  }

  /// The current content of one record that was not deleted.
  func record(of account: Account, logID: String) throws(IngestError) -> StoredRecord? {
    try record(of: account, logID: logID, deleted: false)
  }

  /// The revisions of a record that was not deleted.
  func revisions(
    of account: Account, logID: String, after: Int64, limit: PageLimit
  ) throws(IngestError) -> Page<StoredRevision>? {
    try revisions(of: account, logID: logID, after: after, deleted: false, limit: limit)
  }
}
