// SPDX-License-Identifier: Apache-2.0

import HealthRecords

/// The result of storing a record on the server.
public struct RecordReceipt: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// What happened to a record; an open set.
  public struct Outcome: Hashable, Sendable, CustomStringConvertible {
    let name: String

    static let all = [created, duplicate, revised, superseded, deleted]

    /// The outcome's name in the server's answer.
    public var description: String { name }

    /// It was stored for the first time.
    public static let created = Outcome(name: "created")
    /// Nothing has changed.
    ///
    /// The record has this content now, had it in an earlier revision, or was deleted before.
    public static let duplicate = Outcome(name: "duplicate")
    /// It was stored before with other content; the sent content is now current.
    public static let revised = Outcome(name: "revised")
    /// The sent content is kept among the revisions; the current content stays: a correction, or, for a
    /// deletion, one that was changed later.
    public static let superseded = Outcome(name: "superseded")
    /// A deletion was sent, and the record is not shown any more.
    public static let deleted = Outcome(name: "deleted")
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
  public var description: String { "record \(outcome)" }
  /// Empty, so that a dump shows no identifiers.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension RecordReceipt {
  /// Reads a result of the ingest API; nil when it does not report success.
  init?(_ json: JSONReader, logID: String) {
    guard let status = try? json.member("status").string(),
      let outcome = Outcome.all.first(where: { $0.name == status })
    else { return nil }
    self.logID = logID
    self.outcome = outcome
    serverID = try? json.optional("id")?.string()
    revision = try? json.optional("revision")?.integer()
  }
}
