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
  /// The current content of one record.
  func record(of account: Account, logID: String) throws(IngestError) -> StoredRecord?

  /// Everything stored after an arrival number, every revision, in the order of arrival.
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
  /// Stores what can be stored of a batch and keeps the rest for diagnosis.
  case store([BatchItem], of: Account, at: Date)
  /// Writes nothing of note: shows that the store can be written.
  case probe

  /// What became of it.
  enum Outcome: Sendable {
    case provisioned(Account)
    case stored([ItemResult])
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
  case created(logID: String, id: Int64)
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

/// A stored revision with its user.
struct Arrival: Sendable {
  let record: StoredRecord
  let account: Account
}

/// The numbers of items received, by what became of them.
struct Totals: Hashable, Sendable {
  /// The number of the last stored revision.
  var arrival: Int64 = 0
  var created: Int64 = 0
  var duplicates: Int64 = 0
  var revised: Int64 = 0
  var rejected: Int64 = 0
}
