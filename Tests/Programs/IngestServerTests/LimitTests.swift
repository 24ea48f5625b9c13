// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCompression
import Testing

@testable import IngestServer

/// What one client may use up of the server, over real sockets.
@Suite(.timeLimit(.minutes(15))) struct `Limits` {
  private func limits(_ change: (inout IngestServer.Limits) -> Void) -> IngestServer.Limits {
    var limits = IngestServer.Limits()
    change(&limits)
    return limits
  }

  @Test func `depend on how many files the process may open`() {
    for (files, connections, images) in [(256, 156, 52), (1_024, 732, 128), (20_000, 1_024, 128)] {
      let limits = IngestServer.Limits(descriptors: files)
      #expect(limits.connections == connections)
      #expect(limits.openImages == images)
      #expect(connections + images + ConnectionTable.overlap < files)
    }
  }

  @Test func `have names and units`() throws {
    var limits = IngestServer.Limits()
    try limits.set("connections", to: 7)
    try limits.set("memory", to: 8)
    try limits.set("head-time", to: 9)
    #expect(limits.connections == 7)
    #expect(limits.memory == 8 << 20)
    #expect(limits.headTime == .seconds(9))
    for setting in IngestServer.Limits.settings {
      try limits.set(setting.name, to: 11)
      #expect(limits.value(of: setting) == 11)
    }

    #expect(throws: IngestError.self) { try limits.set("speed", to: 1) }
    #expect(throws: IngestError.self) { try limits.set("memory", to: 0) }
  }

  // MARK: - Connections

  @Test func `admit a new client when all connections are in use`() throws {
    let test = try TestServer(limits: limits { $0.connections = 8 })
    let idle = try (0..<40).map { _ in try test.client }

    #expect(try test.statuses([reading("a")]) == ["created"])
    #expect(try test.statuses([reading("b")]) == ["created"])

    #expect(test.log.all.contains { $0.hasPrefix("ended connections to make room") })
    // The oldest went.
    #expect(try idle[0].isClosedByServer())
  }

  @Test func `close idle connections before active ones`() throws {
    let test = try TestServer(limits: limits { $0.connections = 4 })
    let body = reading("slow")
    let slow = try test.client
    try slow.send(
      "POST \(test.records) HTTP/1.1\r\nHost: test\r\nContent-Length: \(body.utf8.count)\r\n"
        + "Authorization: Bearer \(test.alice.token)\r\nExpect: 100-continue\r\n\r\n")
    #expect(try slow.head().status == 100)

    for _ in 0..<20 { _ = try test.client.request("GET", "/healthz") }
    let crowd = try (0..<20).map { _ in try test.client }

    try slow.send(body)
    #expect(try slow.reply().status == 201)
    #expect(crowd.count == 20)
  }

  // MARK: - Requests

  @Test func `refuse a client that sends too many requests, and serve others`() throws {
    let test = try TestServer(
      limits: limits {
        $0.requestRate = 1
        $0.requestBurst = 3
      })
    let bob = try test.server.createUser(organization: "acme", uid: "bob")
    let client = try test.client

    let replies = try (0..<20).map { _ in
      try client.request("GET", TestServer.path(test.alice), token: test.alice.token)
    }

    let refused = try #require(replies.first { $0.status == 429 })
    #expect(replies.prefix(3).allSatisfy { $0.status == 200 })
    #expect(refused.headers["retry-after"] == "1")
    #expect(try refused.code() == "too_many_requests")
    let other = try client.request("GET", TestServer.path(bob), token: bob.token)
    #expect(other.status == 200)
  }

  @Test func `count requests without a valid token per address`() throws {
    let test = try TestServer(
      limits: limits {
        $0.anonymousRate = 1
        $0.anonymousBurst = 2
      })

    let replies = try ["nobody", "nobody", "nobody", nil].map {
      try test.client.request("GET", test.records, token: $0)
    }

    #expect(replies.map(\.status) == [401, 401, 429, 429])
    // Who has a token is not held to it.
    #expect(try test.statuses([reading("a")]) == ["created"])
  }

  @Test func `bound the concurrent requests of one user`() throws {
    let folder = try TemporaryFolder()
    let gate = GatedStore(try SQLiteRecordStore(path: folder.storage))
    let test = try TestServer(
      folder: folder, store: gate, limits: limits { $0.requestsPerUser = 2 })
    let bob = try test.server.createUser(organization: "acme", uid: "bob")
    gate.shut()
    let clients = try (0..<2).map { _ in try test.client }
    // One change stands at the gate, another waits behind it.
    for (number, client) in clients.enumerated() {
      try client.start(
        "POST", test.records, token: test.alice.token, type: "application/json",
        body: reading("r\(number)"))
    }
    #expect(gate.waitForCommit())

    var status = 0
    while status != 429 {
      status = try test.client.request("GET", test.records + "/x", token: test.alice.token).status
    }
    let other = try test.client.request("GET", TestServer.path(bob), token: bob.token)
    #expect(other.status == 200)
    gate.open()
  }

  // MARK: - Memory

  @Test func `refuse a body beyond its user's share of memory`() throws {
    let test = try TestServer(limits: limits { $0.memoryPerUser = 1 << 20 })
    let bob = try test.server.createUser(organization: "acme", uid: "bob")
    let body = reading("a") + String(repeating: " ", count: 2 << 20)

    let refused = try test.client.request(
      "POST", test.records, token: test.alice.token, type: "application/json", body: body)

    #expect(refused.status == 429)
    #expect(try refused.code() == "too_many_requests")
    #expect(try test.statuses([reading("a")]) == ["created"])
    let other = try test.client.request(
      "POST", TestServer.path(bob) + "/records", token: bob.token, body: reading("b"))
    #expect(other.status == 201)
  }

  @Test func `count a body's expanded size before expanding it`() throws {
    let test = try TestServer(limits: limits { $0.memoryPerUser = 1 << 20 })
    let packed = try #require(
      Gzip.compress(Array((reading("a") + String(repeating: " ", count: 2 << 20)).utf8)))

    let refused = try test.client.request(
      "POST", test.records, token: test.alice.token, type: "application/json",
      headers: ["Content-Encoding: gzip"], bytes: packed)

    #expect(packed.count < 10_000)
    #expect(refused.status == 429)
  }

  @Test func `count unread responses against the user's share`() throws {
    let test = try TestServer()
    let note =
      #","user_notes":[{"type":"comment","value":"\#(String(repeating: "x", count: 3 << 20))"}]"#
    #expect(try test.statuses([reading("large", more: note)]) == ["created"])
    let slow = try (0..<12).map { _ in try test.client }
    for client in slow {
      client.takeLittle()
      try client.start("GET", test.records + "/large", token: test.alice.token)
    }

    var status = 200
    while status == 200 {
      status = try test.client.request(
        "GET", test.records, token: test.alice.token
      ).status
    }

    #expect(status == 429)
    // What is small still goes.
    let bob = try test.server.createUser(organization: "acme", uid: "bob")
    let other = try test.client.request(
      "POST", TestServer.path(bob) + "/records", token: bob.token, body: reading("b"))
    #expect(other.status == 201)
    #expect(slow.count == 12)
  }

  @Test func `end a page at its byte limit and continue after it`() throws {
    let test = try TestServer()
    let note =
      #","user_notes":[{"type":"comment","value":"\#(String(repeating: "x", count: 700_000))"}]"#
    for number in 1...5 { _ = try test.post([reading("r\(number)", more: note)]) }

    var (found, pages, query) = ([String](), 0, "?limit=1000")
    while true {
      let json = try test.request("GET", test.records + query).json()
      found += try json.member("records").elements().map { try $0.member("log_id").string() }
      pages += 1
      guard let next = try json.optional("next")?.string() else { break }
      query = "?limit=1000&after=\(next)"
    }

    #expect(found == ["r1", "r2", "r3", "r4", "r5"])
    #expect(pages == 3)
  }
}

/// How large the server grows, in a process of its own: other tests grow this one.
@Suite(
  .enabled(
    if: ProcessInfo.processInfo.environment["LSAN_OPTIONS"] == nil,
    "the address sanitizer's own memory would be measured"),
  .timeLimit(.minutes(15))) struct `Memory of a server`
{
  private let folder: TemporaryFolder
  private let child: ServerChild
  private let records: String
  private let token: String

  init() throws {
    folder = try TemporaryFolder()
    child = try ServerChild(folder.storage)
    let user = try SocketClient(child.port).request(
      "POST", "/v1/organizations/acme/users", token: TestServer.adminToken,
      type: "application/json", body: #"{"uid":"alice"}"#
    ).json()
    token = try user.member("mobile").member("token").string()
    records = "/v1/organizations/acme/users/\(try user.member("id").string())/records"
    let reply = try SocketClient(child.port).request(
      "POST", records, token: token, type: "application/json", body: reading("a"))
    #expect(reply.status == 201)
  }

  @Test func `does not grow with images that are uploaded, expanded or not read`() throws {
    defer { child.kill() }
    let image = TestImage(1, size: 16 << 20)
    let path = "\(records)/a/media/\(image.digest)"
    let packed = try #require(Gzip.compress(image.bytes))
    let before = try child.peakBytes()

    // All but the last byte of many.
    let halves = try (0..<8).map { _ in try SocketClient(child.port) }
    for client in halves {
      try client.send(
        "PUT \(path) HTTP/1.1\r\nHost: test\r\nContent-Length: \(image.bytes.count)\r\n"
          + "Content-Type: image/jpeg\r\nAuthorization: Bearer \(token)\r\n\r\n")
      try client.send(Array(image.bytes.dropLast()))
    }
    for _ in 0..<4 {
      let reply = try SocketClient(child.port).request(
        "PUT", path, token: token, type: "image/jpeg", headers: ["Content-Encoding: gzip"],
        bytes: packed)
      #expect([200, 201].contains(reply.status))
    }
    for client in halves {
      try client.send([try #require(image.bytes.last)])
      #expect(try client.reply().status == 200)
    }
    let readers = try (0..<20).map { _ in try SocketClient(child.port) }
    for client in readers {
      client.takeLittle()
      try client.start("GET", path, token: token)
    }
    for client in readers { #expect(try client.head().status == 200) }

    #expect(try child.peakBytes() - before < 24 << 20)
  }

  @Test func `is bounded for the largest record`() throws {
    defer { child.kill() }
    let start = reading("dear", more: #","more":["#).dropLast()
    let body = start + String(repeating: "0,", count: 2_000_000) + "0]}"
    let before = try child.peakBytes()

    let reply = try SocketClient(child.port).request(
      "POST", records, token: token, type: "application/json", body: String(body))

    #expect(reply.status == 400)
    #expect(try reply.code() == "malformed_json")
    #expect(try child.peakBytes() - before < 64 << 20)
  }
}
