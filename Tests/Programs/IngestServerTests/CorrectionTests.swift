// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import Testing

@testable import IngestServer

@Suite(.timeLimit(.minutes(15))) struct `A correction` {
  private let test: TestServer

  init() throws { test = try TestServer() }

  private func put(_ systolic: Int) throws {
    let reply = try test.request(
      "PUT", test.records + "/a", type: "application/json", body: reading("a", systolic: systolic))
    #expect(reply.status < 300)
  }

  private func post(_ systolic: Int, inBatch isBatch: Bool) throws -> String {
    let body = reading("a", systolic: systolic)
    guard !isBatch else { return try #require(test.statuses([body]).first) }
    let reply = try test.request("POST", test.records, type: "application/json", body: body)
    return try reply.json().member("status").string()
  }

  private func current() throws -> (value: Int, revision: Int) {
    let json = try test.request("GET", test.records + "/a").json()
    return (
      try Int(json.member("metrics").elements()[0].member("value").number()),
      try json.member("revision").integer()
    )
  }

  /// The revisions of the record: value, correction or not, superseded or not.
  private func revisions() throws -> [String] {
    try test.request("GET", test.records + "/a/revisions").json().member("revisions").elements()
      .map { revision in
        let record = try revision.member("record")
        let value = try record.member("metrics").elements()[0].member("value").number()
        let flags = try ["correction", "superseded"].filter { try revision.member($0).bool() }
        return ([String(Int(value))] + flags).joined(separator: " ")
      }
  }

  @Test(arguments: [false, true])
  func `stays when the device is read again or an earlier upload arrives late`(
    inBatch: Bool
  ) throws {
    #expect(try post(126, inBatch: inBatch) == "created")
    #expect(try post(127, inBatch: inBatch) == "revised")
    try put(118)

    for former in [127, 126, 127] {
      #expect(try post(former, inBatch: inBatch) == "duplicate")
    }

    #expect(try current() == (118, 3))
    #expect(try revisions() == ["126", "127", "118 correction"])
  }

  @Test(arguments: [false, true])
  func `stays when the device sends new content, which is kept as superseded`(inBatch: Bool) throws
  {
    _ = try post(127, inBatch: inBatch)
    try put(118)

    #expect(try post(131, inBatch: inBatch) == "superseded")
    #expect(try post(131, inBatch: inBatch) == "duplicate")
    #expect(try post(127, inBatch: inBatch) == "duplicate")

    #expect(try current() == (118, 2))
    #expect(try revisions() == ["127", "118 correction", "131 superseded"])
    let list = try test.request("GET", test.records).json().member("records").elements()
    #expect(try list.map { try $0.member("revision").integer() } == [2])
    #expect(try test.server.recordCount() == 1)
  }

  @Test func `is replaced by another correction`() throws {
    _ = try post(127, inBatch: false)
    try put(118)
    _ = try post(131, inBatch: false)

    try put(131)
    #expect(try current() == (131, 4))
    try put(127)
    #expect(try current() == (127, 5))
    #expect(try post(118, inBatch: false) == "duplicate")
  }

  @Test func `stays if its content equals the posted content`() throws {
    _ = try post(127, inBatch: false)
    let noted = reading("a", systolic: 127, more: #","validated":true"#)
    _ = try test.request("PUT", test.records + "/a", type: "application/json", body: noted)

    #expect(try post(127, inBatch: false) == "duplicate")
    #expect(try post(140, inBatch: false) == "superseded")
    #expect(try test.request("GET", test.records + "/a").text.contains("validated"))
  }

  // A record that a person makes is a correction from its beginning.
  @Test func `may confirm the device's content`() throws {
    #expect(try post(126, inBatch: false) == "created")
    try put(126)
    #expect(try current() == (126, 1))

    #expect(try post(127, inBatch: false) == "superseded")

    #expect(try current() == (126, 1))
  }

  @Test func `may be the first revision of a record`() throws {
    try put(118)

    #expect(try post(127, inBatch: false) == "superseded")
    #expect(try current() == (118, 1))
  }

  @Test func `appears in the event stream, superseded content does not`() throws {
    let client = try test.client
    try client.start("GET", "/v1/events", token: TestServer.adminToken)
    _ = try client.head()
    _ = try client.stream(until: "event: totals")
    _ = try post(127, inBatch: false)
    try put(118)
    _ = try post(131, inBatch: false)
    _ = try test.post([reading("b")])

    let news = try client.stream(until: #""log_id":"b""#)

    #expect(news.contains(#""value":127"#) && news.contains(#""value":118"#))
    #expect(!news.contains(#""value":131"#))
  }

  @Test func `of a deleted record restores no deleted content`() throws {
    _ = try post(127, inBatch: false)
    _ = try test.request("DELETE", test.records + "/a")
    try put(118)

    #expect(try post(127, inBatch: false) == "duplicate")

    #expect(try revisions() == ["118 correction"])
    #expect(try !test.folder.holds(#""value":127"#))
  }

  @Test func `recognises earlier content among many revisions`() throws {
    for value in 1...1_050 { _ = try post(value, inBatch: false) }

    #expect(try post(51, inBatch: false) == "duplicate")
    #expect(try post(1_049, inBatch: false) == "duplicate")
    #expect(try current().value == 1_050)
    var count = 0
    var path: String? = test.records + "/a/revisions?limit=1000"
    while let page = path {
      let json = try test.request("GET", page).json()
      count += try json.member("revisions").elements().count
      path = try json.optional("next").map {
        try "\(test.records)/a/revisions?limit=1000&after=\($0.string())"
      }
    }
    #expect(count == 1_050)
  }
}
