// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import HealthRecords

/// What the API does, as functions from a request to the work it asks for.
struct Routes: Sendable {
  /// The most lines of a batch.
  static let maximumLines = 1_000

  let now: @Sendable () -> Date
  /// Whether the last commit succeeded.
  let isHealthy: @Sendable () -> Bool

  private static let user = "/v1/organizations/{organization}/users/{user}"
  private static let record = user + "/records/{log_id}"

  var all: [Route] {
    [
      Route("GET", "/", .anyone) { _ in .answer(LivePage.response) },
      Route("GET", "/healthz", .anyone) { _ in health() },
      Route("GET", "/v1/events", .administrator, events),
      Route(
        "POST", "/v1/organizations/{organization}/users", .administrator,
        body: .json, createUser),
      Route("GET", Self.user, .user, validateUser),
      Route("POST", Self.user + "/records:batch", .user, body: .lines, storeBatch),
      Route("GET", Self.user + "/records", .user, listRecords),
      Route("POST", Self.user + "/records", .user, body: .json, storeRecord),
      Route("GET", Self.record, .user, readRecord),
      Route("PUT", Self.record, .user, body: .json, putRecord),
      Route("DELETE", Self.record, .user, deleteRecord),
      Route("GET", Self.record + "/media", .user, listMedia),
      Route("GET", Self.record + "/media/{sha256}", .user, readMedia),
      Route("PUT", Self.record + "/media/{sha256}", .user, body: .image, storeMedia),
    ]
  }

  private func health() -> Route.Work {
    let good = HTTPResponse.json(200) { $0.optional("status", "ok") }
    guard isHealthy() else { return .change(.probe) { _ in good } }
    return .query { store throws(IngestError) in
      _ = try store.totals()
      return good
    }
  }

  private func createUser(_ call: Call) throws(IngestError) -> Route.Work {
    let organization = call.parameters["organization"] ?? ""
    guard Self.isName(organization) else {
      return .invalid("organization", "must be 1...128 of the characters A-Z a-z 0-9 . _ -")
    }
    let uid: String
    do throws(RecordError) {
      uid = try Self.uid(JSONReader(parsing: call.body))
    } catch {
      return .answer(.failure(400, Fault(error)))
    }
    let token = try AccessToken.random()
    let id = try AccessToken.randomHex(octets: 16)
    let change = Change.provision(
      organization: organization, uid: uid, id: id, tokenDigest: token.digest, at: now())
    return .change(change) { outcome in
      guard case .provisioned(let account) = outcome else { return .mismatch }
      return .json(201) { json in
        json.optional("id", account.id)
        json.optional("uid", account.uid)
        json.key("mobile")
        json.object { $0.optional("token", token.text) }
      }
    }
  }

  static func isName(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  private static func uid(_ json: JSONReader) throws(RecordError) -> String {
    let member = try json.member("uid")
    let uid = try member.string()
    guard isUID(uid) else { throw member.invalid("must have 1...128 characters") }
    return uid
  }

  static func isUID(_ text: String) -> Bool { (1...128).contains(text.unicodeScalars.count) }

  private func validateUser(_ call: Call) -> Route.Work {
    guard let account = call.account else { return .answer(.mismatch) }
    return .query { store throws(IngestError) in
      let count = try store.recordCount(of: account)
      return .json(200) { json in
        json.optional("id", account.id)
        json.optional("uid", account.uid)
        json.optional("records", count)
      }
    }
  }

  private func listRecords(_ call: Call) -> Route.Work {
    guard let account = call.account else { return .answer(.mismatch) }
    guard let after = Self.number(call, "after", 0...Int64.max, default: 0) else {
      return .invalid("after", "must be the `next` of the page before")
    }
    guard let limit = Self.number(call, "limit", 1...1_000, default: 100) else {
      return .invalid("limit", "must be a whole number, 1...1000")
    }
    return .query { store throws(IngestError) in
      let records = try store.records(of: account, after: after, limit: Int(limit))
      return .json(200) { json in
        json.list("records", records) { $1.write(to: &$0) }
        if records.count == limit { json.optional("next", records.last.map { String($0.arrival) }) }
      }
    }
  }

  private func readRecord(_ call: Call) -> Route.Work {
    guard let account = call.account, let logID = call.parameters["log_id"] else {
      return .answer(.mismatch)
    }
    return .query { store throws(IngestError) in
      guard let record = try store.record(of: account, logID: logID) else {
        return .unknownRecord(404)
      }
      var json = JSONWriter()
      record.write(to: &json)
      return HTTPResponse(200, type: "application/json", body: .octets(json.octets))
    }
  }

  private func events(_ call: Call) -> Route.Work {
    if let last = call.head.lastEventID {
      guard let arrival = Int64(last), arrival >= 0 else {
        return .invalid("Last-Event-ID", "must be the id of an event of this server")
      }
      return .events(.after(arrival))
    }
    guard let recent = Self.number(call, "recent", 0...500, default: 0) else {
      return .invalid("recent", "must be a whole number, 0...500")
    }
    return .events(.recent(recent))
  }

  private static func number(
    _ call: Call, _ name: String, _ range: ClosedRange<Int64>, default standard: Int64
  ) -> Int64? {
    guard let text = call.head.query(name) else { return standard }
    guard let number = Int64(text), range.contains(number) else { return nil }
    return number
  }
}

extension Route.Work {
  static func invalid(_ place: String, _ message: String) -> Self {
    .answer(.failure(400, Fault("invalid_value", message, path: place)))
  }
}

extension HTTPResponse {
  /// The answer where the user has no such record, or no longer.
  static func unknownRecord(_ status: Int) -> HTTPResponse {
    .failure(
      status,
      Fault("unknown_record", "the user has no record of this log_id", path: "log_id"))
  }

  /// The answer when the server's own parts disagree, which tests rule out.
  static var mismatch: HTTPResponse {
    .failure(500, Fault("internal", "the server contradicted itself; please report this"))
  }
}
