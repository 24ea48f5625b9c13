// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import HealthRecords
import SantorioJSON

// Reading records.
extension Routes {
  private static let invalidDeleted = Route.Work.invalid("deleted", "must be true or false")

  func listRecords(_ call: Call) -> Route.Work {
    guard let account = call.account else { return .answer(.internalError) }
    guard let deleted = Self.flag(call, "deleted") else { return Self.invalidDeleted }
    switch Self.page(call) {
    case .failure(let fault): return fault.work
    case .success((let after, let limit)):
      return .page { store throws(IngestError) in
        let page = try store.records(
          of: account, after: after, deleted: deleted, limit: limit)
        let response = HTTPResponse.json(200) { json in
          json.list("records", page.elements) { $1.write(to: &$0) }
          if page.isCut { json.optional("next", page.elements.last.map { String($0.position) }) }
        }
        return Route.Found(response, page.elements.note("records.read", account))
      }
    }
  }

  func readRecord(_ call: Call) -> Route.Work {
    guard let account = call.account, let logID = call.parameters["log_id"] else {
      return .answer(.internalError)
    }
    guard let deleted = Self.flag(call, "deleted") else { return Self.invalidDeleted }
    return .query { store throws(IngestError) in
      guard let record = try store.record(of: account, logID: logID, deleted: deleted) else {
        return Route.Found(.unknownRecord(404))
      }
      var json = JSONWriter()
      record.write(to: &json)
      let response = HTTPResponse(
        200, type: "application/json",
        headers: [(name: "ETag", value: "\"\(record.revision)\"")], body: .bytes(json.bytes))
      return Route.Found(response, [record].note("record.read", account))
    }
  }

  func listRevisions(_ call: Call) -> Route.Work {
    guard let account = call.account, let logID = call.parameters["log_id"] else {
      return .answer(.internalError)
    }
    guard let deleted = Self.flag(call, "deleted") else { return Self.invalidDeleted }
    switch Self.page(call) {
    case .failure(let fault): return fault.work
    case .success((let after, let limit)):
      return .page { store throws(IngestError) in
        guard
          let page = try store.revisions(
            of: account, logID: logID, after: after, deleted: deleted, limit: limit)
        else { return Route.Found(.unknownRecord(404)) }
        let response = HTTPResponse.json(200) { json in
          json.list("revisions", page.elements) { json, revision in
            json.object { revision.writeMembers(to: &$0) }
          }
          if page.isCut {
            json.optional("next", page.elements.last.map { String($0.record.revision) })
          }
        }
        return Route.Found(response, page.elements.map(\.record).note("revisions.read", account))
      }
    }
  }
}

extension StoredRevision {
  /// Writes the members of a revision, as named in the API description.
  func writeMembers(to json: inout JSONWriter) {
    json.optional("revision", Int(record.revision))
    json.optional("received_at", received)
    json.optional("actor", actor)
    json.optional("correction", isCorrection)
    json.optional("superseded", isSuperseded)
    json.optional("deletion", isDeletion)
    json.key("record")
    record.write(to: &json)
  }
}

extension [StoredRecord] {
  /// The audit note for records that were read.
  fileprivate func note(_ action: String, _ account: Account) -> AuditNote {
    AuditNote(action, account.path) { json in
      json.optional("count", count)
      json.optional("revisions", AuditRevisions(map { ($0.id, $0.revision) }).text)
    }
  }
}
