// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoundationEssentials
import HealthRecords
import SantorioConcurrency
import Testing

@testable import IngestServer

@Suite(.timeLimit(.minutes(15))) struct `Stream of events` {
  private func open(
    _ test: TestServer, query: String = "", last: String? = nil,
    token: String = TestServer.adminToken
  ) throws -> SocketClient {
    let client = try test.client
    try client.start(
      "GET", "/v1/events" + query, token: token,
      headers: last.map { ["Last-Event-ID: \($0)"] } ?? [])
    let head = try client.head()
    #expect(head.status == 200)
    #expect(head.headers["content-type"] == "text/event-stream")
    return client
  }

  @Test func `sends each stored record and the totals`() throws {
    let test = try TestServer()
    let client = try open(test)
    let start = try client.stream(until: "event: totals\n")
    #expect(start.hasPrefix("retry: 2000\n\n"))
    #expect(
      start.contains(#"data: {"records":0,"duplicates":0,"revised":0,"rejected":0,"deleted":0}"#))

    _ = try test.post([reading("a"), "{}"])

    let news = try client.stream(until: #""rejected":1,"deleted":0}"#)
    #expect(news.hasPrefix("id: 1\nevent: record\ndata: {\"organization\":\"acme\","))
    #expect(news.contains(#""user":"\#(test.alice.id)","uid":"alice","record":{"id":"1","#))
    #expect(news.contains(#""log_id":"a""#))
    #expect(
      news.contains(#"data: {"records":1,"duplicates":0,"revised":0,"rejected":1,"deleted":0}"#))
  }

  @Test func `sends the totals after a duplicate`() throws {
    let test = try TestServer()
    _ = try test.post([reading("a")])
    let client = try open(test)
    let start = try client.stream(until: "\"deleted\":0}\n\n")
    #expect(!start.contains("event: record"))

    _ = try test.post([reading("a")])

    #expect(try client.stream(until: "duplicates").contains(#""duplicates":1"#))
  }

  @Test func `reports a deletion, even to a client that reconnects later`() throws {
    let test = try TestServer()
    _ = try test.post([reading("a"), reading("b")])
    let client = try open(test, last: "2")
    _ = try client.stream(until: #""deleted":0}"#)

    _ = try test.request("DELETE", test.records + "/a")

    let event =
      "id: 3\nevent: deleted\ndata: {\"organization\":\"acme\",\"user\":\"\(test.alice.id)\","
      + "\"uid\":\"alice\",\"id\":\"1\"}\n\n"
    let totals =
      #"data: {"records":1,"duplicates":0,"revised":0,"rejected":0,"deleted":1}"#
    let news = try client.stream(until: totals)
    #expect(news.contains(event))
    let later = try open(test, last: "0").stream(until: totals)
    #expect(later.contains(event) && later.contains(#""log_id":"b""#))
    #expect(!later.contains("id: 1\n"))
  }

  @Test func `continues after the client's last event`() throws {
    let test = try TestServer()
    _ = try test.post((1...250).map { reading("r\($0)") })

    let client = try open(test, last: "30")
    let missed = try client.stream(until: "id: 250\n")

    let ids = missed.split(separator: "\n").filter { $0.hasPrefix("id: ") }
    #expect(ids == (31...250).map { "id: \($0)" })
  }

  @Test func `begins with a requested number of recent readings`() throws {
    let test = try TestServer()
    _ = try test.post((1...9).map { reading("r\($0)") })

    let news = try open(test, query: "?recent=2").stream(until: "event: totals")

    #expect(news.contains("id: 8\n") && news.contains("id: 9\n") && !news.contains("id: 7\n"))
  }

  @Test func `begins with new events for a client of another storage`() throws {
    let test = try TestServer()
    let client = try open(test, last: "99999")
    _ = try client.stream(until: "event: totals")

    _ = try test.post([reading("a")])

    #expect(try client.stream(until: "event: record").contains("id: 1\n"))
  }

  @Test func `sends a record with line breaks on one line`() throws {
    let test = try TestServer()
    let client = try open(test)
    _ = try test.client.request(
      "POST", test.records, token: test.alice.token, type: "application/json",
      body: reading("a").replacing(",", with: ",\r\n"))

    let news = try client.stream(until: "event: totals\ndata: {\"records\":1")

    let data = try #require(news.split(separator: "\n").first { $0.contains("organization") })
    let record = try JSONReader(parsing: Array(data.dropFirst(6).utf8)).member("record")
    #expect(try record.member("log_id").string() == "a")
  }

  @Test func `sends a heartbeat`() throws {
    let test = try TestServer(heartbeat: .milliseconds(20))
    let client = try open(test)

    #expect(try client.stream(until: ": \n\n: \n\n").hasPrefix("retry"))
  }

  @Test func `is limited in number, and frees the place of a vanished client`() throws {
    let test = try TestServer(heartbeat: .milliseconds(5))
    var clients = try (0..<64).map { _ in try open(test) }
    let refused = try test.client.request("GET", "/v1/events", token: TestServer.adminToken)
    #expect(refused.status == 503)
    #expect(refused.headers["retry-after"] == "5")

    clients.removeLast()

    var status = 503
    while status == 503 {
      let client = try test.client
      try client.start("GET", "/v1/events", token: TestServer.adminToken)
      status = try client.head().status
    }
    #expect(status == 200)
  }

  @Test func `delivers every record to a slow reader`() throws {
    let test = try TestServer()
    let client = try open(test)
    for batch in 0..<20 { _ = try test.post((0..<100).map { reading("r\(batch)-\($0)") }) }

    let all = try client.stream(until: "id: 2000\n")

    #expect(all.split(separator: "\n").count { $0 == "event: record" } == 2_000)
  }

  // MARK: - For administrators of one organisation

  /// Makes an administrator of an organisation; returns the text and the identifier of its token.
  private func administrator(
    of organization: String, _ test: TestServer
  ) throws -> (text: String, id: String) {
    let json = try test.client.request(
      "POST", "/v1/organizations/\(organization)/administrators", token: TestServer.adminToken,
      type: "application/json", body: "{}"
    ).json()
    return (try json.member("token").string(), try json.member("id").string())
  }

  private func post(_ logID: String, for user: IngestUser, on test: TestServer) throws {
    let reply = try test.client.request(
      "POST", TestServer.path(user) + "/records", token: user.token, type: "application/json",
      body: reading(logID))
    #expect(reply.status == 201)
  }

  @Test func `shows an organisation's administrator only that organisation`() throws {
    let test = try TestServer()
    let bob = try test.server.createUser(organization: "ward", uid: "bob")
    let admin = try administrator(of: "ward", test)
    try post("old", for: bob, on: test)
    for number in 0..<60 { try post("a\(number)", for: test.alice, on: test) }
    let client = try open(test, query: "?recent=50", token: admin.text)
    _ = try test.request("DELETE", test.records + "/a1")
    _ = try test.client.request(
      "DELETE", TestServer.path(test.alice), token: TestServer.adminToken)
    try post("new", for: bob, on: test)

    let text = try client.stream(until: #""log_id":"new""#)

    // All of its own that are recent, however much others have stored since.
    #expect(text.contains(#""log_id":"old""#))
    #expect(!text.contains("acme") && !text.contains(test.alice.id) && !text.contains("totals"))
    #expect(text.split(separator: "\n").count { $0.hasPrefix("event: ") } == 2)
  }

  @Test func `limits the streams of one organisation's administrators`() throws {
    let test = try TestServer()
    let ward = try administrator(of: "ward", test), acme = try administrator(of: "acme", test)
    let clients = try (0..<8).map { _ in try open(test, token: ward.text) }

    let refused = try test.client.request("GET", "/v1/events", token: ward.text)

    #expect(refused.status == 503)
    let others = [try open(test, token: acme.text), try open(test)]
    withExtendedLifetime((clients, others)) {}
  }

  @Test func `continues at an organisation administrator's last event`() throws {
    let test = try TestServer()
    let bob = try test.server.createUser(organization: "ward", uid: "bob")
    let admin = try administrator(of: "ward", test)
    for number in 0..<3 {
      try post("b\(number)", for: bob, on: test)
      try post("a\(number)", for: test.alice, on: test)
    }

    let client = try open(test, last: "1", token: admin.text)
    let text = try client.stream(until: #""log_id":"b2""#)
    #expect(text.contains("id: 3\n") && text.contains("id: 5\n") && !text.contains("id: 1\n"))
  }

  @Test func `ends with its token before any further event`() throws {
    let test = try TestServer()
    let admin = try administrator(of: "acme", test)
    let client = try open(test, token: admin.text)
    try post("a", for: test.alice, on: test)
    _ = try client.stream(until: #""log_id":"a""#)

    let revoked = try test.client.request(
      "DELETE", "/v1/organizations/acme/administrators/\(admin.id)", token: TestServer.adminToken)
    #expect(revoked.status == 204)
    try post("b", for: test.alice, on: test)

    let rest = try client.streamToEnd()
    #expect(!rest.contains(#""log_id":"b""#))
  }

  @Test func `ends when its token expires even without events`() throws {
    let clock = Locked(Date.testing)
    let test = try TestServer(heartbeat: .milliseconds(5)) {
      $0.now = { clock.withLock { $0 } }
    }
    let json = try test.client.request(
      "POST", "/v1/organizations/acme/administrators", token: TestServer.adminToken,
      type: "application/json", body: #"{"expires_in":60}"#
    ).json()
    let client = try open(test, token: json.member("token").string())
    _ = try client.stream(until: ": \n\n")

    clock.withLock { $0 += 60 }

    _ = try client.streamToEnd()
  }

  @Test(arguments: ["?recent=501", "?recent=-1", "?recent=x"])
  func `rejects an invalid start`(query: String) throws {
    let test = try TestServer()
    let reply = try test.client.request(
      "GET", "/v1/events" + query, token: TestServer.adminToken)

    #expect(reply.status == 400)
  }

  @Test func `rejects an invalid last event`() throws {
    let test = try TestServer()
    let reply = try test.client.request(
      "GET", "/v1/events", token: TestServer.adminToken, headers: ["Last-Event-ID: x"])

    #expect(reply.status == 400)
  }
}
