// SPDX-License-Identifier: Apache-2.0

public import HealthRecords

/// What happened to records and to the session.
///
/// An event is kept on disk until it was delivered, so it comes at least once, even if the program
/// ended in between.
///
/// Cases are added over time, in minor versions too: give each `switch` a `default`.
public enum SessionEvent: Hashable, Sendable {
  /// The server has stored a record; `serverID` is the server's own identifier for it.
  case recordSubmitted(HealthRecord, serverID: String?)
  /// The server will never store a record as it is; the record stays in the quarantine.
  case recordFailed(HealthRecord, RecordFailure)
  /// The server has been told that a record was deleted at its source; it does not show it any more.
  case deletionDelivered(RecordDeletion)
  /// The server will not be told of a deletion: it refuses it, or its interface has no deletions. The
  /// deletion stays in the quarantine.
  case deletionFailed(RecordDeletion, RecordFailure)
  /// A stored record can no longer be read; what is left of it stays in the quarantine.
  /// Its `log_id` is empty when that is damaged as well.
  case recordDamaged(logID: String)
  /// A record that the user has declined has left the queue, because more have been declined since
  /// than ``SantorioSession/Configuration/maximumDeclinedRecords``. It is nowhere else.
  case declinedRecordRemoved(HealthRecord)
  /// The server has stored an image of the record with this `log_id`.
  ///
  /// The media hold the server's identifier and address for it.
  case imageSubmitted(RecordMedia, logID: String)
  /// The server will never store an image, or it is damaged; the record itself is stored.
  case imageFailed(RecordMedia, logID: String, RecordFailure)
  /// The session's file was damaged and has been replaced; the readable content was recovered.
  case storageRecovered(StorageDamage)
  /// The key of the records did not exist any more. The queue, with its session, was set aside, and
  /// the folder begins anew: start a session.
  case queueSetAside(SetAsideQueue)
  /// A session was ended by the app, by a new session, or because the server refused it.
  case sessionEnded(EndedSession)
}

extension SessionEvent: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The kind of the event, without the record.
  public var description: String {
    switch self {
    case .recordSubmitted: "record submitted"
    case .recordFailed(_, let failure): "record failed: \(failure)"
    case .deletionDelivered: "deletion delivered"
    case .deletionFailed(_, let failure): "deletion failed: \(failure)"
    case .recordDamaged: "record damaged"
    case .declinedRecordRemoved: "declined record removed"
    case .imageSubmitted: "image submitted"
    case .imageFailed(_, _, let failure): "image failed: \(failure)"
    case .storageRecovered(let damage): damage.description
    case .queueSetAside(let queue): queue.description
    case .sessionEnded(let ended): ended.description
    }
  }

  /// The same as `description`, so that no dump shows health values.
  public var debugDescription: String { description }
  /// Empty, so that a dump shows nothing either.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Why the server refused a record.
public struct RecordFailure: Hashable, Sendable, CustomStringConvertible,
  CustomDebugStringConvertible, CustomReflectable
{
  /// The HTTP status, when the whole request was refused because of the record.
  public let status: Int?
  /// The server's name for the fault.
  public let code: String
  /// The server's explanation; it may repeat parts of the record.
  public let message: String
  /// The place in the record, for instance `metrics[0].value`.
  public let path: String?

  /// States that the record was refused, without any text from the server.
  public var description: String {
    switch code {
    case Self.deletionUnsupported.code: return Self.deletionUnsupported.message
    case Self.notConvertible: return "the destination cannot represent the record"
    case Self.damagedImage.code: return Self.damagedImage.message
    case Self.imagesNotTaken.code: return Self.imagesNotTaken.message
    case Self.unreadable.code: return Self.unreadable.message
    default: break
    }
    return status.map { "the server refused the record with status \($0)" }
      ?? "the server refused the record"
  }

  /// The same as `description`.
  public var debugDescription: String { description }
  /// Empty, so that a dump shows nothing either.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
