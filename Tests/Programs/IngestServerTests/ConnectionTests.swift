// SPDX-License-Identifier: Apache-2.0

import Dispatch
import HealthRecords
import Testing

@testable import IngestServer

@Suite(.timeLimit(.minutes(15))) struct `Connections` {
  @Test func `serve many requests each`() throws {
    let test = try TestServer()
    let client = try test.client

    for number in 1...50 {
      #expect(try test.post([reading("r\(number)")], on: client).status == 200)
    }

    #expect(try test.server.recordCount() == 50)
  }

  @Test func `answer pipelined requests in order`() throws {
    let test = try TestServer()
    let client = try test.client
    for number in 1...10 {
      try client.start(
        "POST", test.records, token: test.alice.token, type: "application/json",
        body: reading("r\(number)"))
    }

    for number in 1...10 {
      #expect(try client.reply().json().member("log_id").string() == "r\(number)")
    }
  }

  @Test func `accept chunk boundaries anywhere in a body`() throws {
    let test = try TestServer()
    let client = try test.client
    try client.send(
      "POST \(test.records):batch HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n"
        + "Authorization: Bearer \(test.alice.token)\r\n\r\n")

    for byte in Array((reading("a") + "\n" + reading("b")).utf8) {
      try client.send([UInt8](("1\r\n").utf8) + [byte] + [13, 10])
    }
    try client.send("0\r\n\r\n")

    let results = try client.reply().json().member("results").elements()
    #expect(try results.map { try $0.member("status").string() } == ["created", "created"])
  }

  @Test func `serve others while one client is slow`() throws {
    let test = try TestServer()
    let slow = try test.client
    let body = reading("slow")
    try slow.send(
      "POST \(test.records) HTTP/1.1\r\nHost: test\r\nContent-Length: \(body.utf8.count)\r\n"
        + "Authorization: Bearer \(test.alice.token)\r\n\r\n" + body.prefix(20))

    for number in 1...8 { #expect(try test.post([reading("r\(number)")]).status == 200) }
    try slow.send(String(body.dropFirst(20)))

    #expect(try slow.reply().status == 201)
  }

  @Test func `are closed when the client is silent`() throws {
    var limits = IngestServer.Limits()
    limits.idleSeconds = 1
    let test = try TestServer(limits: limits)
    let client = try test.client
    try client.send("GET /healthz HTTP/1.1\r\nHo")

    #expect(try client.isClosedByServer())
  }

  @Test func `are closed when a header arrives byte by byte`() throws {
    var limits = IngestServer.Limits()
    limits.headTime = .milliseconds(100)
    let test = try TestServer(limits: limits)
    let client = try test.client
    try client.send("GET /healthz HTTP/1.1\r\nX: ")

    // The head's 32 KiB would last for ten minutes.
    while !client.isClosed(within: 20) { try? client.send("x") }

    #expect(try test.client.request("GET", "/healthz").status == 200)
  }

  @Test func `are closed when a body arrives byte by byte`() throws {
    var limits = IngestServer.Limits()
    limits.bodyTime = .milliseconds(100)
    let test = try TestServer(limits: limits)
    let client = try test.client
    try client.send(
      "POST \(test.records) HTTP/1.1\r\nHost: test\r\nContent-Length: 30000\r\n"
        + "Authorization: Bearer \(test.alice.token)\r\n\r\n")

    while !client.isClosed(within: 20) { try? client.send(" ") }

    #expect(try test.statuses([reading("a")]) == ["created"])
  }

  @Test func `are closed when no next request comes`() throws {
    var limits = IngestServer.Limits()
    limits.keepAliveTime = .milliseconds(100)
    let test = try TestServer(limits: limits)
    let client = try test.client
    #expect(try client.request("GET", "/healthz").status == 200)

    #expect(try client.isClosedByServer())
  }

  @Test func `are closed when the client does not read the response`() throws {
    var limits = IngestServer.Limits()
    limits.answerTime = .milliseconds(100)
    limits.slowestRate = 1 << 40
    let test = try TestServer(limits: limits)
    _ = try test.post([reading("a")])
    let image = TestImage(1, size: 16 << 20)
    #expect(try test.put(image, to: "a").status == 201)
    let client = try test.client
    client.takeLittle()
    try client.start(
      "GET", "\(test.records)/a/media/\(image.digest)", token: test.alice.token)

    let head = try client.head()
    #expect(head.status == 200)
    #expect(head.headers["content-length"] == "\(16 << 20)")
    // What the kernel holds of it comes, and then the end.
    #expect(test.log.wait(for: "ended slow connections"))
    client.takeMuch()
    #expect(try client.countToEnd() < 16 << 20)
  }

  @Test func `get more time for more bytes`() {
    var limits = IngestServer.Limits()
    limits.slowestRate = 32_768

    #expect(limits.time(.seconds(120), for: 0) == .seconds(120))
    #expect(limits.time(.seconds(120), for: 16 << 20) == .seconds(632))
  }

  @Test func `keep the record of a client that disconnects before the response`() throws {
    let test = try TestServer()
    var client: SocketClient? = try test.client
    try client?.start(
      "POST", test.records, token: test.alice.token, type: "application/json", body: reading("a"))
    client = nil

    var status = ""
    while status != "duplicate" { status = try test.statuses([reading("a")])[0] }
    #expect(try test.server.recordCount() == 1)
  }

  // MARK: - Too large

  @Test(arguments: [true, false])
  func `read a body that is too large to its end, then reject it`(isChunked: Bool) throws {
    let test = try TestServer()
    let client = try test.client
    let body = String(repeating: " ", count: Route.Body.json.maximum + 1)
    let framing =
      isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(body.utf8.count)"
    try client.send(
      "POST \(test.records):batch HTTP/1.1\r\nHost: test\r\n\(framing)\r\n"
        + "Authorization: Bearer \(test.alice.token)\r\n\r\n")
    if isChunked { try client.send(String(body.utf8.count, radix: 16) + "\r\n") }
    try client.send(body + (isChunked ? "\r\n0\r\n\r\n" : ""))

    let reply = try client.reply()

    #expect(reply.status == 413)
    #expect(try reply.code() == "too_large")
    #expect(try client.request("GET", "/healthz").status == 200)
  }

  @Test func `ask the client to retry when there is no memory for a body`() throws {
    var limits = IngestServer.Limits()
    limits.memory = 1_000
    limits.memoryForSmallRequests = 0
    let test = try TestServer(limits: limits)

    let large = try test.post([reading("a") + String(repeating: " ", count: 1_000)])

    #expect(large.status == 503)
    #expect(large.headers["retry-after"] == "5")
    #expect(try large.code() == "unavailable")
    #expect(try test.statuses([reading("a")]) == ["created"])
  }

  @Test func `accept a body of the maximum size`() throws {
    let test = try TestServer()
    let padding = String(repeating: " ", count: Route.Body.json.maximum - reading("a").utf8.count)
    let reply = try test.client.request(
      "POST", test.records, token: test.alice.token, type: "application/json",
      body: reading("a") + padding)

    #expect(reply.status == 201)
  }

  @Test func `answer "Expect: 100-continue" before the body`() throws {
    let test = try TestServer()
    let large = try test.client
    try large.send(
      "POST \(test.records):batch HTTP/1.1\r\nHost: test\r\nExpect: 100-continue\r\n"
        + "Content-Length: 5000000\r\nAuthorization: Bearer \(test.alice.token)\r\n\r\n")
    #expect(try large.reply().status == 413)

    let small = try test.client
    let body = reading("a")
    try small.send(
      "POST \(test.records) HTTP/1.1\r\nHost: test\r\nExpect: 100-continue\r\n"
        + "Content-Length: \(body.utf8.count)\r\nAuthorization: Bearer \(test.alice.token)\r\n\r\n")
    #expect(try small.head().status == 100)
    try small.send(body)
    #expect(try small.reply().status == 201)

    let unknown = try test.client
    try unknown.send(
      "POST \(test.records):batch HTTP/1.1\r\nHost: test\r\nExpect: 100-continue\r\n"
        + "Content-Length: 10\r\nAuthorization: Bearer nobody\r\n\r\n")
    #expect(try unknown.reply().status == 401)
  }

  // A proxy before the server may take the other one for the end of the body, and what is behind it
  // for another client's request.
  @Test(arguments: [
    "Content-Length: 2\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: chunked\r\nContent-Length: 2",
    "Content-Length: 2\r\nContent-Length: 40",
  ])
  func `reject a request with two lengths, and everything after it`(lengths: String) throws {
    let test = try TestServer()
    let client = try test.client
    let token = test.alice.token
    try client.send(
      "POST \(test.records) HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n"
        + "Authorization: Bearer \(token)\r\n\(lengths)\r\n\r\n0\r\n\r\n"
        + "DELETE \(test.records)/a HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer \(token)\r\n\r\n"
    )

    let reply = try client.reply()

    #expect(reply.status == 400)
    #expect(try reply.code() == "ambiguous_length")
    #expect(try client.isClosedByServer())
  }

  @Test func `reject a huge announced length at once, and cut off an endless body`() throws {
    var limits = IngestServer.Limits()
    limits.discarded = 8 << 20
    let test = try TestServer(limits: limits)
    let huge = try test.client
    try huge.send(
      "POST \(test.records):batch HTTP/1.1\r\nHost: test\r\n"
        + "Content-Length: 999999999999\r\nAuthorization: Bearer \(test.alice.token)\r\n\r\n")
    #expect(try huge.reply().status == 413)

    let endless = try test.client
    try endless.send(
      "POST /nowhere HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n")
    let chunk = "100000\r\n" + String(repeating: "x", count: 1 << 20) + "\r\n"
    #expect(throws: SocketClient.Failure.self) { while true { try endless.send(chunk) } }
  }

  // MARK: - Many at once

  @Test(arguments: [127, 128, 129, 256])
  func `serve 128 requests that are ready at the same moment`(count: Int) throws {
    var limits = IngestServer.Limits()
    limits.requestsPerUser = count
    let test = try TestServer(limits: limits)
    let clients = try (0..<count).map { _ in try test.client }
    // All but the last byte first, so that all become ready together.
    for (number, client) in clients.enumerated() {
      let body = reading("r\(number)")
      try client.send(
        "POST \(test.records) HTTP/1.1\r\nHost: test\r\nContent-Length: \(body.utf8.count)\r\n"
          + "Authorization: Bearer \(test.alice.token)\r\n\r\n" + body.dropLast())
    }
    for client in clients { try client.send("}") }

    for client in clients { #expect(try client.reply().status == 201) }
    #expect(try test.server.recordCount() == count)
  }

  @Test func `store a record once when many clients send it at once`() throws {
    let test = try TestServer()
    let clients = try (0..<64).map { _ in try test.client }

    for client in clients {
      try client.start(
        "POST", test.records, token: test.alice.token, type: "application/json",
        body: reading("the-same"))
    }

    let statuses = try clients.map { try $0.reply().status }
    #expect(statuses.count { $0 == 201 } == 1)
    #expect(statuses.count { $0 == 200 } == 63)
    #expect(try test.server.recordCount() == 1)
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\n\r\n", "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n", "\u{16}\u{3}\u{1}",
  ])
  func `survive data that is not HTTP`(text: String) throws {
    let test = try TestServer()
    let client = try test.client
    try client.send(text + "\r\n\r\n")
    let reply = try? client.reply()

    #expect(reply == nil || [200, 400, 404].contains(reply?.status))
    #expect(try test.client.request("GET", "/healthz").status == 200)
  }
}
