// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Where users and their records are kept.
///
/// All functions block and may be called from any thread. What `commit` has returned is durable.
protocol RecordStore: Sendable {
  /// Carries out changes, all in one transaction: either every outcome holds or none.
  func commit(_ changes: [Change]) throws(IngestError) -> [Change.Outcome]

  /// The user whose token has the digest.
  func account(tokenDigest: [UInt8]) throws(IngestError) -> Account?
  /// How many records are kept of a user, each counted once with all its revisions.
  func recordCount(of account: Account) throws(IngestError) -> Int
  /// The current content of a user's records that arrived after an arrival number, in the order
  /// of arrival.
  func records(of account: Account, after: Int64, limit: Int) throws(IngestError) -> [StoredRecord]
  /// The current content of one record; nil where there is none or it was deleted.
  func record(of account: Account, logID: String) throws(IngestError) -> StoredRecord?
  /// The images of one record, in the order they came; nil where there is no such record.
  func media(of account: Account, logID: String) throws(IngestError) -> [StoredMedia]?
  /// Whether any record has the image.
  func needsMedia(_ digest: MediaDigest) throws(IngestError) -> Bool

  /// Everything stored or deleted after an arrival number, every revision, in the order of arrival.
  func arrivals(after: Int64, limit: Int) throws(IngestError) -> [Arrival]
  /// The totals of all that was ever received.
  func totals() throws(IngestError) -> Totals
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
}

/// One thing to be written.
enum Change: Sendable {
  /// Makes a user, or finds the one of that name, and adds a token.
  case provision(organization: String, uid: String, id: String, tokenDigest: [UInt8], at: Date)
  /// Stores what can be stored of a batch and keeps the rest for diagnosis. A record that was
  /// deleted stays so and is answered as a duplicate: a device that is read again must not bring
  /// back what a person deleted.
  case store([BatchItem], of: Account, at: Date)
  /// Stores a record, also one that was deleted; with `mustExist`, only where there is one.
  case put(IncomingRecord, mustExist: Bool, of: Account, at: Date)
  /// Wipes all that a record ever held; its `log_id` stays known.
  case delete(logID: String, of: Account)
  /// Notes that a record has an image, whose file is in the folder of images already.
  case attach(MediaDescription, logID: String, of: Account, at: Date)
  /// Writes nothing of note: shows that the store can be written.
  case probe

  /// What became of it.
  enum Outcome: Sendable {
    case provisioned(Account)
    case stored([ItemResult])
    /// The user has no such record; nothing was changed.
    case absent
    /// The record had these images, which other records may have too.
    case deleted(media: [MediaDigest])
    case attached(StoredMedia, isNew: Bool)
    case probed
  }
}

/// One line of a batch.
enum BatchItem: Sendable {
  case record(IncomingRecord)
  case unusable(octets: [UInt8], logID: String?, Fault)
}

/// A record as it came.
struct IncomingRecord: Sendable {
  let logID: String
  /// The digest of its measured content.
  let digest: [UInt8]
  /// Its octets as they were sent.
  let octets: [UInt8]
}

/// What became of one line of a batch.
enum ItemResult: Hashable, Sendable {
  case created(logID: String, id: Int64, revision: Int64)
  case duplicate(logID: String, id: Int64, revision: Int64)
  case revised(logID: String, id: Int64, revision: Int64)
  case rejected(logID: String?, Fault)
}

/// A record's current content.
struct StoredRecord: Sendable {
  let id: Int64
  let revision: Int64
  /// The number of this revision among all that ever arrived.
  let arrival: Int64
  /// When the record's first content was stored, in milliseconds since 1970.
  let createdMilliseconds: Int64
  let octets: [UInt8]
}

/// What happened to a record of a user.
struct Arrival: Sendable {
  /// Its number among all that ever happened.
  let number: Int64
  let account: Account
  let event: Event

  enum Event: Sendable {
    case stored(StoredRecord)
    case deleted(logID: String)
  }
}

/// The numbers of items received, by what became of them.
struct Totals: Hashable, Sendable {
  /// The number of the last stored revision or deletion.
  var arrival: Int64 = 0
  var created: Int64 = 0
  var duplicates: Int64 = 0
  var revised: Int64 = 0
  var rejected: Int64 = 0
  var deleted: Int64 = 0

  /// How many records are kept now.
  var kept: Int64 { created - deleted }
}
