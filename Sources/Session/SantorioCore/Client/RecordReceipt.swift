// SPDX-License-Identifier: Apache-2.0

import HealthRecords

/// What the server has done with a record.
public struct RecordReceipt: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// What happened to a record.
  public enum Outcome: String, Hashable, Sendable {
    /// It is stored for the first time.
    case created
    /// It had this content before, now or in an earlier revision, or was deleted before; nothing
    /// has changed.
    case duplicate
    /// It was stored before with other content; what was sent is the current content now.
    case revised
    /// What was sent is kept among the revisions; the current content is a correction and stays.
    case superseded
  }

  /// The record's identifier.
  public let logID: String
  /// What happened.
  public let outcome: Outcome
  /// The server's own identifier of the record.
  public let serverID: String?
  /// The number of the record's current content, from 1; nil when the server does not tell.
  public let revision: Int?

  /// What happened, without identifiers.
  public var description: String { "record \(outcome.rawValue)" }
  /// Empty, so that a dump shows no identifiers.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension RecordReceipt {
  /// Reads a result of the ingest API; nil when it is none that tells of success.
  init?(_ json: JSONReader, logID: String) {
    guard let status = try? json.member("status").string(), let outcome = Outcome(rawValue: status)
    else { return nil }
    self.logID = logID
    self.outcome = outcome
    serverID = try? json.optional("id")?.string()
    revision = try? json.optional("revision")?.integer()
  }
}
