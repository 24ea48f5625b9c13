// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthRecords

/// What happened to records and to the session.
///
/// An event is kept on disk until it was told, so it comes at least once, also when the program
/// ended in between. Later versions may add cases: give a `switch` a `default`.
public enum SessionEvent: Hashable, Sendable {
  /// The server has stored a record; `serverID` is the server's own identifier of it.
  case recordSubmitted(HealthRecord, serverID: String?)
  /// The server will never store a record as it is; the record stays in the quarantine.
  case recordFailed(HealthRecord, RecordFailure)
  /// A stored record can no longer be read; what is left of it stays in the quarantine.
  case recordDamaged(logID: String)
  /// A session has ended, by the app, by a new session, or because the server refused it.
  case sessionEnded(EndedSession)
}

extension SessionEvent: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The kind of the event, without the record.
  public var description: String {
    switch self {
    case .recordSubmitted: "record submitted"
    case .recordFailed(_, let failure): "record failed: \(failure)"
    case .recordDamaged: "record damaged"
    case .sessionEnded(let ended): ended.description
    }
  }

  /// The same as `description`, so that no dump tells health values.
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

  /// Tells that the record was refused, and nothing that the server wrote.
  public var description: String {
    status.map { "the server refused the record with status \($0)" }
      ?? "the server refused the record"
  }

  /// The same as `description`.
  public var debugDescription: String { description }
  /// Empty, so that a dump shows nothing either.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A session that is over.
public struct EndedSession: Hashable, Sendable, CustomStringConvertible,
  CustomDebugStringConvertible, CustomReflectable
{
  /// The user whose session it was.
  public let userID: String
  /// The user's organisation.
  public let organizationID: String
  /// Why it ended.
  public let reason: Reason
  /// The records that had not been sent, in the order of their submission.
  public let unsentRecords: [HealthRecord]
  /// The same records as a file, one Inform v2 object a line; nil when there were none.
  ///
  /// The file stays until the app removes it.
  public let archive: URL?

  /// The reason and the number of records, without identifiers.
  public var description: String {
    "session ended (\(reason.rawValue)) with \(unsentRecords.count) unsent records"
  }

  /// The same as `description`.
  public var debugDescription: String { description }
  /// Empty, so that a dump shows nothing either.
  public var customMirror: Mirror { Mirror(self, children: [:]) }

  /// Why a session ended.
  public enum Reason: String, Hashable, Sendable {
    /// The app ended it.
    case ended
    /// The app started a session for another user.
    case replaced
    /// The server does not know the user or the token.
    case credentialsRefused = "credentials_refused"
  }

  static func records(in archive: URL) -> [HealthRecord] {
    guard let data = try? Data(contentsOf: archive) else { return [] }
    return data.split(separator: UInt8(ascii: "\n"))
      .compactMap { try? HealthRecord(informJSON: $0) }
  }
}

/// A record that left the queue without being stored by the server.
public struct QuarantinedRecord: Hashable, Sendable, CustomStringConvertible,
  CustomDebugStringConvertible, CustomReflectable
{
  /// The record's identifier.
  public let logID: String
  /// The user whose record it is.
  public let userID: String
  /// The user's organisation.
  public let organizationID: String
  /// When it left the queue.
  public let date: Date
  /// What the server said; nil when the record was damaged on the disk.
  public let failure: RecordFailure?
  /// The record's Inform v2 form, or what is left of it.
  public let octets: [UInt8]

  /// Why it is here, without the record.
  public var description: String { failure?.description ?? "a record damaged on the disk" }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// Empty, so that a dump shows nothing either.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
