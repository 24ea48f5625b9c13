// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import Testing

@testable import IngestServer

/// A deletion as a client sends it, so many minutes after five o'clock.
private func deletion(_ logID: String, at minute: Int = 10) -> String {
  #"{"deleted_at":"2026-03-04T05:\#(minute < 10 ? "0" : "")\#(minute):00Z","log_id":"\#(logID)"}"#
}

/// A record that says that it was changed, so many minutes after five o'clock.
private func changed(_ logID: String, at minute: Int, systolic: Int = 120) -> String {
  reading(logID, systolic: systolic, more: #","updated_at":"2026-03-04T05:\#(minute):00Z""#)
}

@Suite(.timeLimit(.minutes(15))) struct `A deletion at the source` {
  private let test: TestServer

  init() throws { test = try TestServer { $0.now = { .testing } } }

  /// The `log_id`s of a list of records.
  private func list(_ query: String = "") throws -> [String] {
    try test.request("GET", test.records + query).json().member("records").elements()
      .map { try $0.member("log_id").string() }
  }

  private func status(_ logID: String, _ query: String = "") throws -> Int {
    try test.request("GET", "\(test.records)/\(logID)\(query)").status
  }

  /// The revisions of a record: value or `deleted`, and whether it was superseded.
  private func revisions(_ logID: String) throws -> [String] {
    try test.request("GET", "\(test.records)/\(logID)/revisions?deleted=true").json()
      .member("revisions").elements().map { revision in
        let record = try revision.member("record")
        let isDeletion = try revision.member("deletion").bool()
        let value = try record.optional("metrics")?.elements()[0].member("value").number()
        #expect((value == nil) == isDeletion)
        return (value.map { String(Int($0)) } ?? "deleted")
          + (try revision.member("superseded").bool() ? " superseded" : "")
      }
  }

  private func totals() throws -> Totals {
    try SQLiteRecordStore(path: test.folder.storage).totals()
  }

  // MARK: - What is shown

  @Test func `hides the record, and shows the deletion to those who ask`() throws {
    _ = try test.post([reading("a"), reading("b")])
    let reply = try test.post([deletion("a")]).json().member("results").elements()[0]

    #expect(try reply.member("status").string() == "deleted")
    #expect(try reply.member("log_id").string() == "a")
    #expect(try reply.member("id").string() == "1")
    #expect(try reply.member("revision").integer() == 2)
    #expect(try list() == ["b"])
    #expect(try list("?deleted=false") == ["b"])
    #expect(try list("?deleted=true") == ["b", "a"])
    for path in ["a", "a/revisions", "a/media"] { #expect(try status(path) == 404) }
    #expect(try status("a", "?deleted=true") == 200)
    #expect(try test.server.recordCount() == 1)

    let shown = try test.request("GET", test.records + "/a?deleted=true").json()
    #expect(try shown.member("deleted_at").string() == "2026-03-04T05:10:00Z")
    #expect(try shown.member("revision").integer() == 2)
    #expect(try shown.optional("metrics") == nil)
  }

  @Test func `is given to a client that continues a list`() throws {
    _ = try test.post([reading("a"), reading("b")])
    let page = try test.request("GET", test.records + "?limit=2&deleted=true").json()
    let next = try page.member("next").string()

    _ = try test.post([deletion("a")])

    #expect(try list("?deleted=true&after=\(next)") == ["a"])
    #expect(try list("?after=\(next)") == [])
  }

  @Test(arguments: ["?deleted=yes", "?deleted="])
  func `is asked for with true or false`(query: String) throws {
    for path in ["", "/a", "/a/revisions"] {
      let reply = try test.request("GET", test.records + path + query)
      #expect(reply.status == 400)
      #expect(try reply.json().member("error").member("path").string() == "deleted")
    }
  }

  @Test func `keeps what was there before among the revisions`() throws {
    _ = try test.post([reading("a"), reading("a", systolic: 130), deletion("a")])
    #expect(try revisions("a") == ["120", "130", "deleted"])
  }

  @Test func `counts the user's records without it`() throws {
    func count() throws -> Int {
      try test.request("GET", TestServer.path(test.alice)).json().member("records").integer()
    }
    _ = try test.post([reading("a"), reading("b"), deletion("a"), deletion("unknown")])
    #expect(try count() == 1)
    #expect(try totals().kept == 1)
    _ = try test.post([changed("a", at: 20), changed("unknown", at: 20)])
    #expect(try count() == 3)
    #expect(try totals().kept == 3)
  }

  // MARK: - What comes after it

  @Test func `is one however often it is sent`() throws {
    _ = try test.post([reading("a")])
    #expect(
      try test.statuses([deletion("a"), deletion("a"), deletion("a", at: 11)])
        == ["deleted", "duplicate", "duplicate"])
    #expect(try revisions("a") == ["120", "deleted"])
    #expect(try totals().deleted == 1)
  }

  @Test(arguments: [false, true])
  func `is not undone when the device is read again`(isKnown: Bool) throws {
    if isKnown { _ = try test.post([reading("a")]) }
    #expect(try test.statuses([deletion("a")]) == ["deleted"])

    // The same, another content, and one that was changed before.
    #expect(
      try test.statuses([
        reading("a"), reading("a", systolic: 131), changed("a", at: 10, systolic: 132),
      ]) == ["duplicate", "duplicate", "duplicate"])

    #expect(try list() == [])
    #expect(try revisions("a") == (isKnown ? ["120", "deleted"] : ["deleted"]))
  }

  @Test func `gives way to a record that was changed later, even to one with the same content`()
    throws
  {
    _ = try test.post([reading("a"), deletion("a")])
    #expect(try test.statuses([changed("a", at: 11)]) == ["created"])
    #expect(try list() == ["a"])
    #expect(try revisions("a") == ["120", "deleted", "120"])

    // An earlier one that comes late, again, and a later one.
    #expect(try test.statuses([deletion("a")]) == ["duplicate"])
    #expect(try test.statuses([deletion("a", at: 1)]) == ["superseded"])
    #expect(try list() == ["a"])
    #expect(try test.statuses([deletion("a", at: 12)]) == ["deleted"])
    #expect(try list() == [])
  }

  /// What is later counts, in whichever order it comes.
  @Test func `and records have the same result in every order`() throws {
    let lines = [
      reading("x"), deletion("x", at: 10), changed("x", at: 20, systolic: 121),
      deletion("x", at: 30), changed("x", at: 15, systolic: 122),
    ]
    for (count, isShown) in [(2, false), (3, true), (4, false), (5, false)] {
      for (number, order) in permutations(Array(lines.prefix(count))).enumerated() {
        let name = "o\(count)-\(number)"
        _ = try test.post(order.map { $0.replacingOccurrences(of: "\"x\"", with: "\"\(name)\"") })
        #expect(try status(name) == (isShown ? 200 : 404), "\(order)")
      }
    }
  }

  private func permutations(_ elements: [String]) -> [[String]] {
    guard let first = elements.first else { return [[]] }
    return permutations(Array(elements.dropFirst())).flatMap { rest in
      (0...rest.count).map { Array(rest[..<$0]) + [first] + Array(rest[$0...]) }
    }
  }

  @Test func `seen again later keeps a record deleted that was changed in between`() throws {
    _ = try test.post([deletion("a", at: 10), deletion("a", at: 30)])
    #expect(try test.statuses([changed("a", at: 20)]) == ["duplicate"])
    #expect(try test.statuses([changed("a", at: 31)]) == ["created"])
  }

  @Test func `does not undo a person's correction, and is kept beside it`() throws {
    _ = try test.post([reading("a")])
    _ = try test.request("PUT", test.records + "/a", body: reading("a", systolic: 99))
    #expect(try test.statuses([deletion("a")]) == ["superseded"])
    #expect(try test.statuses([deletion("a")]) == ["duplicate"])
    #expect(try list() == ["a"])
    #expect(try revisions("a") == ["120", "99", "deleted superseded"])
  }

  @Test func `is undone by a person`() throws {
    _ = try test.post([reading("a"), deletion("a")])
    let absent = try test.client.request(
      "PUT", test.records + "/a", token: test.alice.token, type: "application/json",
      headers: ["If-Match: *"], body: reading("a", systolic: 99))
    #expect(absent.status == 412)
    #expect(
      try test.request(
        "PUT", test.records + "/a", type: "application/json", body: reading("a", systolic: 99)
      ).status == 201)
    #expect(try list() == ["a"])
    #expect(try totals().kept == 1)
  }

  // MARK: - What it is not

  @Test func `must have a log_id and a time, and is no PUT`() throws {
    #expect(try test.statuses([#"{"deleted_at":"2026-03-04T05:10:00Z"}"#]) == ["rejected"])
    #expect(try test.statuses([#"{"log_id":"a","deleted_at":"now"}"#]) == ["rejected"])
    #expect(
      try test.statuses([reading("a", more: #","deleted_at":"2026-03-04T05:10:00Z""#)])
        == ["rejected"])
    let reply = try test.request("PUT", test.records + "/a", body: deletion("a"))
    #expect(reply.status == 422)
    #expect(try reply.json().member("error").member("path").string() == "deleted_at")
  }

  @Test func `can be sent alone`() throws {
    let reply = try test.request(
      "POST", test.records, type: "application/json", body: deletion("a"))
    #expect(reply.status == 200)
    #expect(try reply.json().member("status").string() == "deleted")
  }

  @Test func `concerns the records of the token's user only`() throws {
    let bob = try test.server.createUser(organization: "acme", uid: "bob")
    _ = try test.post([reading("a")])
    let line = Array((deletion("a") + "\n").utf8)
    func post(as user: IngestUser, to path: String) throws -> Int {
      try test.client.request(
        "POST", path + "/records:batch", token: user.token, type: "application/x-ndjson",
        bytes: line
      ).status
    }

    #expect(try post(as: bob, to: TestServer.path(test.alice)) == 403)
    #expect(try post(as: bob, to: TestServer.path(bob)) == 200)

    #expect(try list() == ["a"])
  }

  // MARK: - Images, events, the audit log and erasure

  @Test func `hides the images, and takes no more`() throws {
    let image = TestImage(1)
    _ = try test.post([reading("a")])
    _ = try test.put(image, to: "a")
    _ = try test.post([deletion("a")])
    #expect(try status("a/media/\(image.digest)") == 404)
    #expect(try test.put(TestImage(2), to: "a").status == 404)
    _ = try test.post([changed("a", at: 11)])
    #expect(try status("a/media/\(image.digest)") == 200)
  }

  @Test func `is an event, after which nothing shows what was there`() throws {
    _ = try test.post([reading("a", systolic: 137), reading("b")])
    _ = try test.post([deletion("a")])
    let store = try SQLiteRecordStore(path: test.folder.storage)
    let events = try store.arrivals(after: 0, limit: 100).elements.map { arrival in
      switch arrival.event {
      case .stored(let record): "stored \(record.id)"
      case .deleted(let id): "deleted \(id)"
      case .erased: "erased"
      }
    }
    #expect(events == ["stored 2", "deleted 1"])
  }

  @Test func `is a line of the audit log`() throws {
    _ = try test.post([reading("a"), deletion("a")])
    let lines = try SQLiteDatabase(path: test.folder.storage)
      .prepare("SELECT detail FROM audit WHERE action = 'records.store'").all { $0.text(0) }
    #expect(lines == [#"{"created":1,"deleted":1,"revisions":"1@1 1@2"}"#])
  }

  @Test func `is in the export of all data of the user`() throws {
    _ = try test.post([reading("a"), deletion("a")])
    let reply = try test.request("GET", TestServer.path(test.alice) + "/export")
    let text = String(decoding: reply.body, as: UTF8.self)
    #expect(text.contains(#""value":120"#))
    #expect(text.contains(#""deletion":true,"record":{"id":"1","revision":2,"#))
  }

  @Test func `does not keep the record from being wiped`() throws {
    _ = try test.post([
      reading("a", more: #","user_notes":[{"type":"message","value":"the-note"}]"#), deletion("a"),
    ])
    #expect(try test.folder.holds("the-note"))

    #expect(try test.request("DELETE", test.records + "/a").status == 204)

    #expect(try !test.folder.holds("the-note"))
    #expect(try !test.folder.holds("deleted_at"))
    #expect(try list("?deleted=true") == [])
    #expect(try status("a", "?deleted=true") == 404)
    #expect(try totals().deleted == 1)
    // Wiped for good: neither a deletion nor a later change brings anything back.
    #expect(
      try test.statuses([deletion("a", at: 50), changed("a", at: 55)])
        == ["duplicate", "duplicate"])
  }

  @Test func `is counted once when the user is erased`() throws {
    _ = try test.post([reading("a"), reading("b"), deletion("a")])
    let reply = try test.client.request(
      "DELETE", TestServer.path(test.alice), token: TestServer.adminToken)
    #expect(reply.status == 204)
    #expect(try totals().kept == 0)
    #expect(try !test.folder.holds("deleted_at"))
  }
}

@Suite struct `A record that says when it was changed` {
  private func value(_ test: TestServer) throws -> Double? {
    try test.request("GET", test.records + "/a").json().member("metrics").elements()[0]
      .member("value").number()
  }

  @Test func `gets an earlier content back by a later change`() throws {
    let test = try TestServer { $0.now = { .testing } }
    for (minute, systolic) in [(10, 120), (11, 130), (12, 120)] {
      _ = try test.post([changed("a", at: minute, systolic: systolic)])
      #expect(try value(test) == Double(systolic))
    }
    // Repeated uploads, whose answers were lost, change nothing.
    for (minute, systolic) in [(12, 120), (11, 130), (10, 120)] {
      let reply = try test.post([changed("a", at: minute, systolic: systolic)])
      #expect(
        try reply.json().member("results").elements()[0].member("status").string() == "duplicate")
      #expect(try value(test) == 120)
    }
  }
}
