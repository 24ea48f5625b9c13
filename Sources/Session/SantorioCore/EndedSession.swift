// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthRecords

/// A session that has ended.
public struct EndedSession: Hashable, Sendable, CustomStringConvertible,
  CustomDebugStringConvertible, CustomReflectable
{
  /// The user whose session it was.
  public let userID: String
  /// The user's organisation.
  public let organizationID: String
  /// Why it ended.
  public let reason: Reason
  /// The records that were waiting for the server, in the order of their submission.
  public let unsentRecords: [HealthRecord]
  /// The records that were held back and that the user has not approved, oldest first.
  public let heldRecords: [HealthRecord]
  /// All these records and deletions as a file, encrypted as in the queue; nil when there were none.
  ///
  /// The file stays, and ``SantorioSession/archives()`` reads it, until
  /// ``SantorioSession/retryArchive(_:ofAnyUser:)`` or ``SantorioSession/removeArchive(_:)``. If
  /// the server refused the session, its archive goes back into the queue when the same user starts
  /// a session at the same server again.
  public let archive: URL?
  /// The deletions that were waiting for the server; they are in the archive as well.
  public internal(set) var unsentDeletions: [RecordDeletion] = []

  /// The reason and the number of records, without identifiers.
  public var description: String {
    "session ended (\(reason)) with \(unsentRecords.count) unsent records and "
      + "\(heldRecords.count) held ones"
      + (unsentDeletions.isEmpty ? "" : ", and \(unsentDeletions.count) unsent deletions")
  }

  /// The same as `description`.
  public var debugDescription: String { description }
  /// Empty, so that a dump shows nothing either.
  public var customMirror: Mirror { Mirror(self, children: [:]) }

  /// Why a session ended; an open set.
  public struct Reason: Hashable, Sendable, CustomStringConvertible {
    let name: String

    static let all = [ended, replaced, credentialsRefused, storageDamaged]

    /// The reason's name.
    public var description: String { name }

    /// The app ended it.
    public static let ended = Reason(name: "ended")
    /// The app started a session for another user.
    public static let replaced = Reason(name: "replaced")
    /// The server does not know the user or the token.
    public static let credentialsRefused = Reason(name: "credentials_refused")
    /// A damaged file destroyed the session.
    ///
    /// Its user is unknown; the identifiers of the user and the organisation are empty.
    public static let storageDamaged = Reason(name: "storage_damaged")
  }
}

/// What was put back into the queue from an archive, see
/// ``SantorioSession/retryArchive(_:ofAnyUser:)``.
public struct ReturnedRecords: Hashable, Sendable {
  /// How many records and deletions wait for the server.
  public internal(set) var waiting = 0
  /// How many are held back as before, until the user approves them.
  public internal(set) var held = 0
  /// How many were left out because the queue has newer content for them, waiting or held back.
  public internal(set) var newer = 0
  /// How many were damaged and are now in the quarantine.
  public internal(set) var damaged = 0
}
