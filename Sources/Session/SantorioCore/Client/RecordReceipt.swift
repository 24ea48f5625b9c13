// SPDX-License-Identifier: Apache-2.0

import HealthRecords

/// The result of storing a record on the server.
public struct RecordReceipt: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// What happened to a record.
  public enum Outcome: String, Hashable, Sendable {
    /// It was stored for the first time.
    case created
    /// Nothing has changed.
    ///
    /// The record has this content now, had it in an earlier revision, or was deleted before.
    case duplicate
    /// It was stored before with other content; the sent content is now current.
    case revised
    /// The sent content is kept among the revisions; the current content is a correction and stays.
    case superseded
  }

  /// The record's identifier.
  public let logID: String
  /// What happened.
  public let outcome: Outcome
  /// The server's own identifier of the record.
  public let serverID: String?
  /// The number of the record's current content, from 1; nil when the server does not report it.
  public let revision: Int?

  /// What happened, without identifiers.
  public var description: String { "record \(outcome.rawValue)" }
  /// Empty, so that a dump shows no identifiers.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension RecordReceipt {
  /// Reads a result of the ingest API; nil when it does not report success.
  init?(_ json: JSONReader, logID: String) {
    guard let status = try? json.member("status").string(), let outcome = Outcome(rawValue: status)
    else { return nil }
    self.logID = logID
    self.outcome = outcome
    serverID = try? json.optional("id")?.string()
    revision = try? json.optional("revision")?.integer()
  }
}
