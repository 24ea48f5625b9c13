// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import HealthRecords
import SantorioJSON

/// The handlers of the API, from a request to the work to be done.
struct Routes: Sendable {
  /// The most lines of a batch.
  static let maximumLines = 1_000

  let now: @Sendable () -> Date
  /// Whether the last commit succeeded.
  let isHealthy: @Sendable () -> Bool

  private static let organization = "/v1/organizations/{organization}"
  private static let users = organization + "/users"
  private static let user = users + "/{user}"
  private static let administrators = organization + "/administrators"
  private static let tokens = user + "/tokens"
  private static let record = user + "/records/{log_id}"

  var all: [Route] { general + administration + records }

  private var general: [Route] {
    [
      Route("GET", "/", .anyone) { _ in .answer(LivePage.response) },
      Route("GET", "/healthz", .anyone) { _ in health() },
      Route("GET", "/v1/events", .administrator, events),
    ]
  }

  private var administration: [Route] {
    [
      Route("GET", Self.administrators, .serverAdministrator, listTokens),
      Route("POST", Self.administrators, .serverAdministrator, body: .json, issueToken),
      Route("DELETE", Self.administrators + "/{token}", .serverAdministrator, revokeToken),
      Route(
        "POST", Self.administrators + "/{token}/rotation", .serverAdministrator, body: .json,
        rotateToken),
      Route("GET", Self.users, .administrator, listUsers),
      Route("POST", Self.users, .administrator, body: .json, createUser),
      Route("GET", Self.user, .userOrAdministrator([]), showUser),
      Route("DELETE", Self.user, .administrator, eraseUser),
      Route("GET", Self.user + "/export", .userOrAdministrator(.read), exportUser),
      Route("GET", Self.tokens, .administrator, listTokens),
      Route("POST", Self.tokens, .administrator, body: .json, issueToken),
      Route("DELETE", Self.tokens, .administrator, revokeToken),
      Route("DELETE", Self.tokens + "/{token}", .administrator, revokeToken),
      Route(
        "POST", Self.tokens + "/{token}/rotation", .administrator, body: .json, rotateToken),
    ]
  }

  private var records: [Route] {
    [
      Route("POST", Self.user + "/records:batch", .user(.write), body: .lines, storeBatch),
      Route("GET", Self.user + "/records", .user(.read), listRecords),
      Route("POST", Self.user + "/records", .user(.write), body: .json, storeRecord),
      Route("GET", Self.record, .user(.read), readRecord),
      Route("PUT", Self.record, .user(.correct), body: .json, putRecord),
      Route("DELETE", Self.record, .user(.correct), deleteRecord),
      Route("GET", Self.record + "/revisions", .user(.read), listRevisions),
      Route("GET", Self.record + "/media", .user(.read), listMedia),
      Route("GET", Self.record + "/media/{sha256}", .user(.read), readMedia),
      Route("PUT", Self.record + "/media/{sha256}", .user(.write), body: .image, storeMedia),
      Route("GET", Self.user + "/rejections", .userOrAdministrator(.read), listRejections),
      Route(
        "DELETE", Self.user + "/rejections", .userOrAdministrator(.correct), wipeRejections),
    ]
  }

  private func health() -> Route.Work {
    let good = HTTPResponse.json(200) { $0.optional("status", "ok") }
    guard isHealthy() else { return .change(.probe) { _ in good } }
    return .query { store throws(IngestError) in
      _ = try store.totals()
      return Route.Found(good)
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

  static func number(
    _ call: Call, _ name: String, _ range: ClosedRange<Int64>, default standard: Int64
  ) -> Int64? {
    guard let text = call.head.query(name) else { return standard }
    guard let number = Int64(text), range.contains(number) else { return nil }
    return number
  }

  /// The value of a parameter that is true or false; false where it is missing, nil where invalid.
  static func flag(_ call: Call, _ name: String) -> Bool? {
    guard let text = call.head.query(name) else { return false }
    return Bool(text)
  }

  /// The page of a list that a request asks for, or the fault of its query.
  static func page(_ call: Call) -> Result<(after: Int64, limit: PageLimit), PageFault> {
    guard let after = number(call, "after", 0...Int64.max, default: 0) else {
      return .failure(PageFault(work: .invalid("after", "must be the `next` of the previous page")))
    }
    guard let limit = number(call, "limit", 1...1_000, default: 100) else {
      return .failure(PageFault(work: .invalid("limit", "must be a whole number, 1...1000")))
    }
    return .success((after, PageLimit(count: Int(limit))))
  }
}

/// The response to a request for an invalid page.
struct PageFault: Error {
  let work: Route.Work
}

extension Route.Work {
  static func invalid(_ place: String, _ message: String) -> Self {
    .answer(.failure(400, Fault("invalid_value", message, path: place)))
  }
}

extension HTTPResponse {
  /// The response when the record does not exist or was deleted.
  static func unknownRecord(_ status: Int) -> HTTPResponse {
    .failure(
      status,
      Fault("unknown_record", "the user has no record with this log_id", path: "log_id"))
  }

  /// The response when the user does not exist or was erased.
  static let unknownUser = failure(
    404, Fault("unknown_user", "the organisation has no user with this id", path: "user"))

  /// The response to an internal inconsistency, which tests rule out.
  static var internalError: HTTPResponse {
    .failure(500, Fault("internal", "internal error; please report it"))
  }
}
