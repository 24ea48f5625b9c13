// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import HealthRecords
import SantorioConcurrency
import TestSupport
import Testing

@testable import IngestServer

@Suite(.timeLimit(.minutes(15))) struct `Changing and deleting records` {
  private let test: TestServer

  init() throws { test = try TestServer() }

  private func put(
    _ logID: String, _ body: String, ifMatch: String? = nil
  ) throws -> SocketClient.Reply {
    try test.request(
      "PUT", "\(test.records)/\(logID)", type: "application/json",
      headers: ifMatch.map { ["If-Match: \($0)"] } ?? [], body: body)
  }

  private func delete(_ logID: String) throws -> SocketClient.Reply {
    try test.request("DELETE", "\(test.records)/\(logID)")
  }

  // MARK: - PUT

  @Test func `puts a new record, the same one and a changed one`() throws {
    let replies = try [reading("a"), reading("a"), reading("a", systolic: 130)].map {
      try put("a", $0)
    }

    #expect(replies.map(\.status) == [201, 200, 200])
    #expect(
      replies.map(\.text) == [
        #"{"log_id":"a","status":"created","id":"1","revision":1}"#,
        #"{"log_id":"a","status":"duplicate","id":"1","revision":1}"#,
        #"{"log_id":"a","status":"revised","id":"1","revision":2}"#,
      ])
    #expect(try test.statuses([reading("a", systolic: 130)]) == ["duplicate"])
  }

  @Test(arguments: [
    #","validated":true"#, #","time":{"origin":"user"}"#, #","updated_at":"2026-03-05T00:00:00Z""#,
    #","utc_offset":3600,"time":{"origin":"device_corrected","clock_drift":-60}"#, " ",
  ])
  func `replaces the bytes when a put has equal content in another form`(more: String) throws {
    _ = try test.post([reading("a")])

    let replies = try [reading("a", more: more), reading("a", more: more)].map { try put("a", $0) }

    #expect(
      replies.map(\.text) == [
        #"{"log_id":"a","status":"revised","id":"1","revision":2}"#,
        #"{"log_id":"a","status":"duplicate","id":"1","revision":2}"#,
      ])
    let read = try test.request("GET", test.records + "/a").text
    #expect(read.contains(#""value":120}]"# + more))
    #expect(read.contains(#""revision":2"#))
    let user = try test.request("GET", TestServer.path(test.alice)).json()
    #expect(try user.member("records").integer() == 1)
  }

  private func dated(_ start: String, _ origin: String) -> String {
    reading(
      "a",
      more: #"""
        ,"utc_offset":0,"time":{"origin":"\#(origin)","device_time":"2026-03-04T05:06:07"}
        """#
    ).replacingOccurrences(of: "2026-03-04T05:06:07Z", with: start)
  }

  @Test func `replaces the device's time by a corrected one`() throws {
    _ = try test.post([dated("2026-03-04T05:06:07Z", "device")])

    let reply = try put("a", dated("2026-03-04T08:00:00Z", "user"))

    #expect(reply.text.contains(#""status":"revised""#))
    let read = try test.request("GET", test.records + "/a").json()
    #expect(try read.member("start_time").string() == "2026-03-04T08:00:00Z")
  }

  @Test func `creates a revision for a corrected time, not for a repeated reading`() throws {
    let device = dated("2026-03-04T05:06:07Z", "device")
    let elsewhere = dated("2026-03-04T04:06:07Z", "device_corrected")
    let corrected = dated("2026-03-04T08:00:00Z", "user")
    let again = dated("2026-03-04T09:00:00Z", "user")

    #expect(
      try test.statuses([device, elsewhere, corrected, corrected, again]) == [
        "created", "duplicate", "revised", "duplicate", "revised",
      ])
  }

  @Test func `rejects a record that its sender marks as deleted`() throws {
    let reply = try put("a", reading("a", more: #","deleted_at":"2026-03-05T00:00:00Z""#))

    #expect(reply.status == 422)
    #expect(try reply.json().member("error").member("path").string() == "deleted_at")
    #expect(try put("a", reading("a", more: #","deleted_at":null"#)).status == 201)
  }

  @Test func `accepts an escaped log_id in the path`() throws {
    #expect(try put("a%2Fb%25", reading("a/b%")).status == 201)
    #expect(try test.request("GET", test.records + "/a%2Fb%25").status == 200)
    #expect(try delete("a%2Fb%25").status == 204)
  }

  @Test func `rejects a log_id other than the path's and keeps the item`() throws {
    let reply = try put("a", reading("b"))

    #expect(reply.status == 422)
    #expect(try reply.code() == "log_id_mismatch")
    #expect(try reply.json().member("error").member("path").string() == "log_id")
    #expect(try test.server.recordCount() == 0)
    #expect(try test.folder.holds(reading("b")))
  }

  @Test func `rejects a body that is not a record`() throws {
    #expect(try put("a", "{").status == 400)
    let reply = try put("a", #"{"log_id":"a"}"#)
    #expect(reply.status == 422)
    #expect(try reply.json().member("error").member("path").string() == "metrics")
  }

  @Test func `updates only existing records with If-Match *`() throws {
    let absent = try put("a", reading("a"), ifMatch: "*")
    #expect(absent.status == 412)
    #expect(try absent.code() == "unknown_record")
    #expect(try absent.json().member("error").member("path").string() == "log_id")

    _ = try put("a", reading("a"))
    let updated = try put("a", reading("a", systolic: 90), ifMatch: "*")
    #expect(updated.status == 200)
    #expect(updated.text.contains(#""status":"revised""#))

    _ = try delete("a")
    #expect(try put("a", reading("a"), ifMatch: "*").status == 412)
    #expect(try test.request("GET", test.records + "/a").status == 404)
  }

  @Test func `changes only the revision in If-Match`() throws {
    _ = try test.post([reading("a"), reading("a", systolic: 121)])
    let read = try test.request("GET", test.records + "/a")
    #expect(read.headers["etag"] == "\"2\"")

    let late = try put("a", reading("a", systolic: 90), ifMatch: "\"1\"")
    #expect(late.status == 412)
    #expect(try late.code() == "revision_mismatch")
    #expect(late.headers["etag"] == "\"2\"")
    let forms: [(Int) -> String] = [
      { "\"\($0)\"" }, { "\($0)" }, { "\"7\", \"\($0)\"" }, { "\"other\",\t\"\($0)\"" },
    ]
    for form in forms {
      let revision = try state("a").revision
      #expect(
        try put("a", reading("a", systolic: 91 + revision), ifMatch: form(revision)).status == 200)
      #expect(try put("a", reading("a", systolic: 1), ifMatch: form(revision)).status == 412)
    }
    for tag in ["W/\"6\"", "\"other\"", "\"99999999999999999999\""] {
      #expect(try put("a", reading("a", systolic: 1), ifMatch: tag).status == 412)
    }
    #expect(try state("a").value != 1)
  }

  @Test(arguments: ["\"1", "one", "", "\"a\"b\"", "*, \"1\""])
  func `rejects an invalid precondition`(tag: String) throws {
    _ = try test.post([reading("a")])

    let reply = try put("a", reading("a", systolic: 9), ifMatch: tag)

    #expect(reply.status == 400)
    #expect(try reply.json().member("error").member("path").string() == "If-Match")
  }

  @Test func `deletes only the revision in If-Match`() throws {
    _ = try test.post([reading("a"), reading("a", systolic: 121)])
    func delete(_ tag: String) throws -> Int {
      try test.request("DELETE", test.records + "/a", headers: ["If-Match: \(tag)"]).status
    }

    #expect(try delete("\"1\"") == 412)
    #expect(try test.server.recordCount() == 1)
    #expect(try delete("\"2\"") == 204)
    #expect(try delete("\"2\"") == 412)
    #expect(try delete("*") == 412)
  }

  // MARK: - DELETE

  @Test func `deletes a record once`() throws {
    _ = try test.post([reading("a"), reading("b")])

    let reply = try delete("a")
    #expect(reply.status == 204)
    #expect(reply.body.isEmpty)
    let again = try delete("a")
    #expect(again.status == 404)
    #expect(try again.code() == "unknown_record")
    #expect(try delete("never").status == 404)

    #expect(try test.request("GET", test.records + "/a").status == 404)
    let list = try test.request("GET", test.records).json().member("records").elements()
    #expect(try list.map { try $0.member("log_id").string() } == ["b"])
    let user = try test.request("GET", TestServer.path(test.alice)).json()
    #expect(try user.member("records").integer() == 1)
    #expect(try test.server.recordCount() == 1)
  }

  @Test func `does not let a device restore what a user deleted`() throws {
    _ = try test.post([reading("a")])
    _ = try delete("a")

    let batch = try test.post([reading("a"), reading("a", systolic: 99)])
    let single = try test.request(
      "POST", test.records, type: "application/json", body: reading("a"))

    #expect(!batch.text.contains("created") && !batch.text.contains("revised"))
    #expect(single.status == 200)
    #expect(single.text == #"{"log_id":"a","status":"duplicate","id":"1","revision":1}"#)
    #expect(try test.request("GET", test.records + "/a").status == 404)
    #expect(try test.server.recordCount() == 0)
    #expect(try !test.folder.holds(#""value":99"#))
  }

  @Test func `stores a deleted record again when it is put`() throws {
    _ = try test.post([reading("a"), reading("a", systolic: 121)])
    _ = try delete("a")

    let reply = try put("a", reading("a", systolic: 122))

    #expect(reply.status == 201)
    #expect(reply.text == #"{"log_id":"a","status":"created","id":"1","revision":3}"#)
    let read = try test.request("GET", test.records + "/a")
    #expect(read.text.contains(#""revision":3"#) && read.text.contains(#""value":122"#))
    // What it held before is not known any more, and may be what was deleted.
    #expect(
      try test.statuses([reading("a", systolic: 122), reading("a")]) == ["duplicate", "duplicate"])
    #expect(try test.server.recordCount() == 1)
  }

  @Test func `does not delete the record of another user`() throws {
    let bob = try test.server.createUser(organization: "acme", uid: "bob")
    _ = try test.post([reading("a")])
    let path = TestServer.path(bob) + "/records/a"

    #expect(try test.client.request("DELETE", path, token: bob.token).status == 404)
    #expect(try test.request("DELETE", path).status == 403)
    #expect(try test.server.recordCount() == 1)
  }

  @Test func `continues paging across deleted records`() throws {
    _ = try test.post((1...9).map { reading("r\($0)") })
    let first = try test.request("GET", test.records + "?limit=3").json()
    let next = try first.member("next").string()

    for number in [3, 4, 5, 9] { #expect(try delete("r\(number)").status == 204) }

    let rest = try test.request("GET", test.records + "?limit=3&after=\(next)").json()
    let logIDs = try rest.member("records").elements().map { try $0.member("log_id").string() }
    #expect(logIDs == ["r6", "r7", "r8"])
  }

  // MARK: - All at once

  /// What a client may ask for one `log_id`, and what a server that takes one at a time would
  /// answer.
  private enum Request: CaseIterable {
    case postOne, postTwo, putOne, putTwo, update, delete

    /// The systolic value that is sent.
    var value: Int {
      switch self {
      case .postOne, .putOne, .delete: 101
      case .postTwo, .putTwo: 102
      case .update: 103
      }
    }
  }

  private struct Model: Hashable {
    /// The number of the last revision and of the current one.
    var last = 0
    var revision = 0
    var value: Int?
    var former: Set<Int> = []
    var isCorrected = false
    var wasDeleted = false

    mutating func apply(_ request: Request) -> String {
      switch request {
      case .delete: delete()
      case .update where value == nil: "412"
      case .postOne, .postTwo: post(request.value)
      default: put(request.value)
      }
    }

    private mutating func delete() -> String {
      guard value != nil else { return "404" }
      (value, former, isCorrected, wasDeleted) = (nil, [], false, true)
      return "204"
    }

    private mutating func post(_ new: Int) -> String {
      guard last > 0 else { return take(new, isCorrection: false) }
      guard value != nil else { return "200 duplicate \(last)" }
      guard !former.contains(new) else { return "200 duplicate \(revision)" }
      guard isCorrected else { return take(new, isCorrection: false) }
      guard !wasDeleted else { return "200 duplicate \(revision)" }
      last += 1
      former.insert(new)
      return "200 superseded \(revision)"
    }

    private mutating func put(_ new: Int) -> String {
      guard value == new else { return take(new, isCorrection: true) }
      isCorrected = true
      return "200 duplicate \(revision)"
    }

    private mutating func take(_ new: Int, isCorrection: Bool) -> String {
      let isNew = value == nil
      last += 1
      (revision, value, isCorrected) = (last, new, isCorrection)
      former.insert(new)
      return isNew ? "201 created \(revision)" : "200 revised \(revision)"
    }
  }

  private static func orders(_ items: [Int]) -> [[Int]] {
    guard items.count > 1 else { return [items] }
    return items.flatMap { first in orders(items.filter { $0 != first }).map { [first] + $0 } }
  }

  private func start(_ request: Request, _ logID: String) throws -> SocketClient {
    let client = try test.client
    let one = "\(test.records)/\(logID)"
    let body = reading(logID, systolic: request.value)
    let (method, path, headers): (String, String, [String]) =
      switch request {
      case .postOne, .postTwo: ("POST", test.records, [])
      case .putOne, .putTwo: ("PUT", one, [])
      case .update: ("PUT", one, ["If-Match: *"])
      case .delete: ("DELETE", one, [])
      }
    try client.start(
      method, path, token: test.alice.token, headers: headers,
      body: request == .delete ? nil : body)
    return client
  }

  private static func text(_ reply: SocketClient.Reply) throws -> String {
    guard [200, 201].contains(reply.status) else { return String(reply.status) }
    let json = try reply.json()
    return "\(reply.status) \(try json.member("status").string()) "
      + String(try json.member("revision").integer())
  }

  /// The current revision and value of a record; 0 and nil where there is none.
  private func state(_ logID: String) throws -> (revision: Int, value: Int?) {
    let reply = try test.request("GET", "\(test.records)/\(logID)")
    guard reply.status == 200 else { return (0, nil) }
    let json = try reply.json()
    return (
      try json.member("revision").integer(),
      try Int(json.member("metrics").elements()[0].member("value").number())
    )
  }

  @Test func `handles simultaneous requests as if they came one by one`() throws {
    var random = SeededGenerator(seed: 20_261_121)
    let orders = Self.orders(Array(0..<4))
    for round in 0..<60 {
      let logID = "race-\(round)"
      let requests = (0..<4).map { _ in Request.allCases.randomElement(using: &random) ?? .delete }
      var before = Model()
      if round.isMultiple(of: 2) {
        _ = try test.post([reading(logID, systolic: 101)])
        _ = before.apply(.postOne)
      }

      let clients = try requests.map { try start($0, logID) }
      let answers = try clients.map { try Self.text($0.reply()) }

      let end = try state(logID)
      let isSerial = orders.contains { order in
        var model = before
        var expected = Array(repeating: "", count: requests.count)
        for place in order { expected[place] = model.apply(requests[place]) }
        let last = (model.value == nil ? 0 : model.revision, model.value)
        return expected == answers && last == end
      }
      #expect(isSerial, "\(requests) \(answers) \(end)")
    }
  }
}
