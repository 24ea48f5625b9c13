// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthRecords

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
  /// The same records as a file, encrypted as in the queue; nil when there were none.
  ///
  /// The file stays, and ``Session/archives()`` reads it, until ``Session/removeArchive(_:)``.
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
    /// A damaged file took the session with it: whose records they were is not known, and the user's
    /// and the organisation's identifiers are empty.
    case storageDamaged = "storage_damaged"
  }
}
