// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import HealthRecords
import SantorioJSON
import SantorioCryptography

/// The content of a line of the audit log: what was done, and to what.
///
/// It contains no health value, no `log_id` and no person's name, since no line is ever removed.
struct AuditNote: Hashable, Sendable {
  /// For example `record.correct`.
  let action: String
  let organization: String
  /// The server's identifier of the user; empty if there is none.
  let user: String
  /// Details, as a JSON object.
  let detail: String

  init(
    _ action: String, organization: String, user: String = "",
    _ detail: (inout JSONWriter) -> Void = { _ in }
  ) {
    var json = JSONWriter()
    json.object(detail)
    self.init(
      action: action, organization: organization, user: user,
      detail: String(decoding: json.bytes, as: UTF8.self))
  }

  init(_ action: String, _ user: UserPath, _ detail: (inout JSONWriter) -> Void = { _ in }) {
    self.init(action, organization: user.organization, user: user.id, detail)
  }

  init(action: String, organization: String, user: String, detail: String) {
    self.action = action
    self.organization = organization
    self.user = user
    self.detail = detail
  }
}

/// A line of the audit log: who did what, from where, and when.
struct AuditLine: Hashable, Sendable {
  /// Its number, from 1, without gaps.
  var number: Int64
  /// In milliseconds since 1970.
  let milliseconds: Int64
  /// See ``Caller/actor``.
  let actor: String
  let address: String
  let note: AuditNote

  var date: Date { Date(milliseconds: milliseconds) }

  /// The hashed form of the line: its number, then each field with its length.
  private var bytes: [UInt8] {
    let fields = [
      String(milliseconds), actor, address, note.action, note.organization, note.user, note.detail,
    ]
    let text = fields.reduce("\(number)\n") { $0 + "\($1.utf8.count) \($1)\n" }
    return Array(text.utf8)
  }

  /// The hash of this line and all previous ones, from the hash of the previous line.
  func hash(after former: [UInt8]) -> [UInt8] { SHA256Digest.bytes(former + bytes) }
}

extension AuditNote {
  /// The note on a change and its outcome; nil if nothing has changed.
  init?(_ action: Change.Action, _ outcome: Change.Outcome) {
    switch (action, outcome) {
    case (.note(let note), _): self = note
    case (.provision(_, _, let revokesOthers), .provisioned(let account, let token)):
      self.init("user.provision", account.path) { json in
        json.optional("token", token.id)
        json.optional("revoked_others", revokesOthers)
      }
    case (.issue(_, let holder), .issued(let token)):
      self.init("token.issue", holder) { token.write(to: &$0) }
    case (.rotate(let id, _, _, let holder), .issued(let token)):
      self.init("token.rotate", holder) { json in
        json.optional("former", id)
        token.write(to: &json)
      }
    case (.revoke(_, let holder), .revoked(let tokens)):
      self.init("token.revoke", holder) { json in
        json.list("tokens", tokens) { $0.string($1.id) }
      }
    case (.store(_, let account), .stored(let results)):
      self.init("records.store", account.path) { results.writeNumbers(to: &$0) }
    case (.put(_, _, let account), .stored(let results)):
      self.init("record.correct", account.path) { results.writeNumbers(to: &$0) }
    case (.delete(_, _, let account), .deleted(let record, let media)):
      self.init("record.delete", account.path) { json in
        json.optional("record", record.map(Int.init))
        json.optional("images", media.count)
      }
    case (.attach(_, _, let account), .attached(let media, let record, let isNew)):
      self.init("image.store", account.path) { json in
        json.optional("record", Int(record))
        json.optional("image", Int(media.id))
        json.optional("new", isNew)
      }
    case (.wipeRejections(let user), .wiped(let count)):
      self.init("rejections.wipe", user) { $0.optional("count", count) }
    case (.expireRejections, .wiped(let count)):
      guard count > 0 else { return nil }
      self.init("rejections.expire", organization: "") { $0.optional("count", count) }
    case (.erase(let user), .erased(let media)):
      self.init("user.erase", user) { $0.optional("images", media.count) }
    default: return nil
    }
  }

  init(_ action: String, _ holder: TokenHolder, _ detail: (inout JSONWriter) -> Void) {
    switch holder {
    case .user(let user): self.init(action, user, detail)
    case .organization(let name): self.init(action, organization: name, detail)
    }
  }
}

extension StoredToken {
  fileprivate func write(to json: inout JSONWriter) {
    json.optional("token", id)
    json.list("scopes", scopes.names) { $0.string($1) }
    json.optional("expires_at", expiry)
  }
}

extension [ItemResult] {
  /// Writes the number of items per outcome and the written revisions of records.
  fileprivate func writeNumbers(to json: inout JSONWriter) {
    let names = ["created", "revised", "superseded", "deleted", "duplicate", "rejected"]
    for name in names {
      let count = count { $0.status == name }
      guard count > 0 else { continue }
      json.key(text: name)
      json.integer(count)
    }
    json.optional("revisions", AuditRevisions(self).text)
  }
}

/// Records with their revisions in short form: `17-42@1 12@3`.
struct AuditRevisions {
  private(set) var text: String?

  init(_ results: [ItemResult]) { self.init(results.compactMap(\.stored)) }

  init(_ stored: [(id: Int64, revision: Int64)]) {
    var runs: [(first: Int64, last: Int64, revision: Int64)] = []
    for (id, revision) in stored {
      if let run = runs.last, run.revision == revision, run.last + 1 == id {
        runs[runs.count - 1].last = id
      } else {
        runs.append((id, id, revision))
      }
    }
    guard !runs.isEmpty else { return }
    text = runs.map { run in
      (run.first == run.last ? "\(run.first)" : "\(run.first)-\(run.last)") + "@\(run.revision)"
    }.joined(separator: " ")
  }
}

extension ItemResult {
  /// The name on the wire.
  var status: String {
    switch self {
    case .created: "created"
    case .duplicate: "duplicate"
    case .revised: "revised"
    case .superseded: "superseded"
    case .deleted: "deleted"
    case .rejected: "rejected"
    }
  }

  /// The record and the revision that were written; nil if nothing was written.
  fileprivate var stored: (id: Int64, revision: Int64)? {
    switch self {
    case .created(_, let id, let revision), .revised(_, let id, let revision),
      .deleted(_, let id, let revision):
      (id, revision)
    case .superseded(_, let id, _, let kept): (id, kept)
    case .duplicate, .rejected: nil
    }
  }
}
