// SPDX-License-Identifier: Apache-2.0

import Dispatch
import HealthRecords
import Testing

@testable import IngestServer

@Suite(.timeLimit(.minutes(15))) struct `Connections` {
  @Test func `one connection serves many requests`() throws {
    let test = try TestServer()
    let client = try test.client

    for number in 1...50 {
      #expect(try test.post([reading("r\(number)")], on: client).status == 200)
    }

    #expect(try test.server.recordCount() == 50)
  }

  @Test func `requests sent ahead are answered in order`() throws {
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

  @Test func `a chunked body may break anywhere`() throws {
    let test = try TestServer()
    let client = try test.client
    try client.send(
      "POST \(test.records):batch HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n"
        + "Authorization: Bearer \(test.alice.token)\r\n\r\n")

    for octet in Array((reading("a") + "\n" + reading("b")).utf8) {
      try client.send([UInt8](("1\r\n").utf8) + [octet] + [13, 10])
    }
    try client.send("0\r\n\r\n")

    let results = try client.reply().json().member("results").elements()
    #expect(try results.map { try $0.member("status").string() } == ["created", "created"])
  }

  @Test func `a slow client does not hold up others`() throws {
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

  @Test func `a silent connection is closed`() throws {
    var limits = HTTPDaemon.Limits()
    limits.idleSeconds = 1
    let test = try TestServer(limits: limits)
    let client = try test.client
    try client.send("GET /healthz HTTP/1.1\r\nHo")

    #expect(try client.isClosedByServer())
  }

  @Test func `a body that takes too long in all is cut off`() throws {
    var limits = HTTPDaemon.Limits()
    limits.requestTime = .zero
    let test = try TestServer(limits: limits)
    let client = try test.client
    try client.start(
      "POST", test.records, token: test.alice.token, type: "application/json", body: reading("a"))

    #expect(try client.isClosedByServer())
    #expect(try test.server.recordCount() == 0)
  }

  @Test func `a body has the more time the larger it is`() {
    var limits = HTTPDaemon.Limits()
    limits.requestTime = .seconds(120)
    limits.slowestRate = 32_768

    #expect(limits.time(for: 0) == .seconds(120))
    #expect(limits.time(for: 16 << 20) == .seconds(632))
  }

  @Test func `a client that is gone before its answer leaves its record`() throws {
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
  func `a body that is too large is read to its end and refused`(isChunked: Bool) throws {
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

  @Test func `bodies share the memory there is, and give it back`() {
    let memory = BodyMemory(octets: 100)
    func exchange(_ octets: Int) -> HTTPExchange {
      let admission = Admission(
        label: "", decision: .accept(maximumBody: 90) { _ in .now(HTTPResponse(200)) })
      let exchange = HTTPExchange(admission, limits: HTTPDaemon.Limits(), memory: memory)
      let body = [UInt8](repeating: 0, count: octets)
      let isTaken = unsafe body.withUnsafeBytes { unsafe exchange.receive($0) }
      #expect(isTaken)
      return exchange
    }
    func free() -> Int {
      (0...100).last { octets in
        let isFree = memory.take(octets)
        if isFree { memory.give(octets) }
        return isFree
      } ?? -1
    }

    var exchanges = [exchange(60)]
    #expect(free() == 40)
    // One for which there is no room, and one that is too large, hold nothing.
    exchanges += [exchange(60), exchange(95), exchange(30)]
    #expect(free() == 10)
    exchanges.removeFirst()
    #expect(free() == 70)
    exchanges = []
    #expect(free() == 100)
  }

  @Test func `a body for which there is no memory is to come again`() throws {
    var limits = HTTPDaemon.Limits()
    limits.bodies = 1_000
    let test = try TestServer(limits: limits)

    let large = try test.post([reading("a") + String(repeating: " ", count: 1_000)])

    #expect(large.status == 503)
    #expect(large.headers["retry-after"] == "5")
    #expect(try large.code() == "unavailable")
    #expect(try test.statuses([reading("a")]) == ["created"])
  }

  @Test func `a body of the largest size is taken`() throws {
    let test = try TestServer()
    let padding = String(repeating: " ", count: Route.Body.json.maximum - reading("a").utf8.count)
    let reply = try test.client.request(
      "POST", test.records, token: test.alice.token, type: "application/json",
      body: reading("a") + padding)

    #expect(reply.status == 201)
  }

  @Test func `a client that asks first is told before it sends`() throws {
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

  @Test func `a huge announcement is refused at once, an endless body is cut off`() throws {
    var limits = HTTPDaemon.Limits()
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
  func `so many requests ready at one moment are all served`(count: Int) throws {
    let test = try TestServer()
    let clients = try (0..<count).map { _ in try test.client }
    // All but the last octet first, so that all become ready together.
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

  @Test func `the same record from many clients at once is stored once`() throws {
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
  func `what is no HTTP does no harm`(text: String) throws {
    let test = try TestServer()
    let client = try test.client
    try client.send(text + "\r\n\r\n")
    let reply = try? client.reply()

    #expect(reply == nil || [200, 400, 404].contains(reply?.status))
    #expect(try test.client.request("GET", "/healthz").status == 200)
  }
}
