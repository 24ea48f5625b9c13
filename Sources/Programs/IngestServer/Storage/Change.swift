// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// One change to the store, and its caller.
struct Change: Sendable {
  let action: Action
  let caller: Caller
  let date: Date

  init(_ action: Action, by caller: Caller = .server, at date: Date) {
    self.action = action
    self.caller = caller
    self.date = date
  }

  enum Action: Sendable {
    /// Creates a user, or finds the one with that name, and adds a token.
    ///
    /// The user's other tokens are revoked if requested.
    case provision(NewUser, NewToken, revokesOthers: Bool)
    /// Adds a token.
    case issue(NewToken, TokenHolder)
    /// Revokes a token, or all tokens of the holder.
    case revoke(id: String?, TokenHolder)
    /// Adds a token with the scopes and the label of another, which ends after the overlap.
    case rotate(id: String, NewToken, overlap: TimeInterval, TokenHolder)
    /// Stores the valid items of a batch and keeps the rest for diagnosis.
    ///
    /// A device that is read again sends the same records again. So content that a record ever had
    /// is a duplicate, a deleted record stays deleted, and a record corrected by ``put(_:_:of:)``
    /// stays corrected. Of a record and its deletion at the source the later one counts.
    case store([BatchItem], of: Account)
    /// Sets the content of a record, even of a deleted one.
    case put(IncomingRecord, Precondition, of: Account)
    /// Wipes all contents of a record and what was rejected under its `log_id`.
    case delete(logID: String, Precondition, of: Account)
    /// Adds an image to a record; its file is already in the image folder.
    case attach(MediaDescription, logID: String, of: Account)
    /// Wipes the rejected items of a user.
    case wipeRejections(of: UserPath)
    /// Wipes the items that were rejected before a date.
    case expireRejections(before: Date)
    /// Wipes all data of a user and revokes its tokens.
    case erase(UserPath)
    /// Notes that the files of unreferenced images were removed.
    case removed([MediaDigest])
    /// Writes an audit log line for something that was read.
    case note(AuditNote)
    /// Changes nothing; shows that the store can be written.
    case probe
  }

  /// The precondition for changing a record (RFC 9110 §13.1.1).
  enum Precondition: Hashable, Sendable {
    case none
    /// The record exists.
    case exists
    /// The current revision is one of these.
    case revision(Set<Int64>)
  }

  /// The outcome of a change.
  enum Outcome: Sendable {
    case provisioned(Account, StoredToken)
    case issued(StoredToken)
    case revoked([StoredToken])
    case stored([ItemResult])
    /// The user, token or record does not exist; nothing was changed.
    case absent
    /// The record has another revision; nothing was changed.
    case otherRevision(Int64)
    /// The record with this number had these images, which other records may have too.
    ///
    /// Without a number, it was only among the rejected items.
    case deleted(record: Int64?, media: [MediaDigest])
    case attached(StoredMedia, record: Int64, isNew: Bool)
    case wiped(Int)
    /// The user had these images.
    case erased(media: [MediaDigest])
    /// The token has ended since the request was admitted; nothing was changed.
    case refused(TokenState)
    case noted, probed

    /// The images that a record no longer has.
    var released: [MediaDigest] {
      switch self {
      case .deleted(_, let media), .erased(let media): media
      default: []
      }
    }
  }
}

/// A user that is to be provisioned.
struct NewUser: Hashable, Sendable {
  let organization: String
  /// The organisation's own name for the user.
  let uid: String
  /// The server's identifier to use if the user is new.
  let id: String
}

/// The organisation and the identifier that name a user in paths.
struct UserPath: Hashable, Sendable {
  let organization: String
  let id: String
}

/// One line of a batch.
enum BatchItem: Sendable {
  case record(IncomingRecord)
  /// The deletion of a record at its source.
  case deletion(IncomingDeletion)
  case unusable(bytes: [UInt8], logID: String?, Fault)
}

/// A record as received.
struct IncomingRecord: Sendable {
  let logID: String
  /// The digest of its measured content.
  let digest: [UInt8]
  /// Its bytes as sent.
  let bytes: [UInt8]
  /// When it says that it was last changed, in milliseconds since 1970.
  var changed: Int64?
}

/// A deletion as received.
struct IncomingDeletion: Sendable {
  let logID: String
  /// When it was noticed, in milliseconds since 1970; positive.
  let noticed: Int64
  /// Its bytes as sent.
  let bytes: [UInt8]
}

/// The outcome of one line of a batch.
enum ItemResult: Hashable, Sendable {
  case created(logID: String, id: Int64, revision: Int64)
  case duplicate(logID: String, id: Int64, revision: Int64)
  case revised(logID: String, id: Int64, revision: Int64)
  /// Kept in the record's history; the current content is a correction, or was changed after the
  /// deletion, and stays.
  case superseded(logID: String, id: Int64, revision: Int64, kept: Int64)
  /// The record is not shown any more.
  case deleted(logID: String, id: Int64, revision: Int64)
  case rejected(logID: String?, Fault)
}
