// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// One thing to be written, and who asks for it.
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
    /// Makes a user, or finds the one of that name, and adds a token; the user's other tokens end
    /// if that is asked for.
    case provision(NewUser, NewToken, revokesOthers: Bool)
    /// Adds a token.
    case issue(NewToken, TokenHolder)
    /// Ends a token, or all that the holder has.
    case revoke(id: String?, TokenHolder)
    /// Adds a token with the scopes and the label of another, which ends after a while.
    case rotate(id: String, NewToken, overlap: TimeInterval, TokenHolder)
    /// Stores what can be stored of a batch and keeps the rest for diagnosis.
    ///
    /// A device that is read again sends what it sent before. So content that a record ever had is
    /// a duplicate, a record that was deleted stays so, and one that was corrected by
    /// ``put(_:_:of:)`` stays as corrected.
    case store([BatchItem], of: Account)
    /// Gives a record its content, also one that was deleted.
    case put(IncomingRecord, Precondition, of: Account)
    /// Wipes all that a record ever held, and what was rejected under its `log_id`.
    case delete(logID: String, Precondition, of: Account)
    /// Notes that a record has an image, whose file is in the folder of images already.
    case attach(MediaDescription, logID: String, of: Account)
    /// Wipes what was rejected of a user.
    case wipeRejections(of: UserPath)
    /// Wipes what was rejected before a date.
    case expireRejections(before: Date)
    /// Wipes all that is known of a user, and ends the tokens.
    case erase(UserPath)
    /// Notes that the files of images which no record has are gone.
    case removed([MediaDigest])
    /// Writes a line of the audit log for something that was read.
    case note(AuditNote)
    /// Writes nothing of note: shows that the store can be written.
    case probe
  }

  /// What must be true of a record that is to be changed (RFC 9110 §13.1.1).
  enum Precondition: Hashable, Sendable {
    case none
    /// There is one.
    case exists
    /// Its current revision is one of these.
    case revision(Set<Int64>)
  }

  /// What became of it.
  enum Outcome: Sendable {
    case provisioned(Account, StoredToken)
    case issued(StoredToken)
    case revoked([StoredToken])
    case stored([ItemResult])
    /// There is no such user, token or record; nothing was changed.
    case absent
    /// The record has another revision; nothing was changed.
    case otherRevision(Int64)
    /// The record of this number had these images, which other records may have too; without a
    /// number it was only among the rejected items.
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
  /// The server's identifier, if the user is new.
  let id: String
}

/// The organisation and the identifier by which paths name a user.
struct UserPath: Hashable, Sendable {
  let organization: String
  let id: String
}

/// One line of a batch.
enum BatchItem: Sendable {
  case record(IncomingRecord)
  case unusable(bytes: [UInt8], logID: String?, Fault)
}

/// A record as it came.
struct IncomingRecord: Sendable {
  let logID: String
  /// The digest of its measured content.
  let digest: [UInt8]
  /// Its bytes as they were sent.
  let bytes: [UInt8]
}

/// What became of one line of a batch.
enum ItemResult: Hashable, Sendable {
  case created(logID: String, id: Int64, revision: Int64)
  case duplicate(logID: String, id: Int64, revision: Int64)
  case revised(logID: String, id: Int64, revision: Int64)
  /// Kept as a revision in the record's history; its current content is a correction, which stays.
  case superseded(logID: String, id: Int64, revision: Int64, kept: Int64)
  case rejected(logID: String?, Fault)
}
