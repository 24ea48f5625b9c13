// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency
import TestSupport
import Testing

@testable import SantorioCurl

@Suite(.timeLimit(.minutes(15))) struct `Curl client` {
  private let client = CurlClient(CurlRoute(trust: CurlTrust()))

  private func send(
    _ server: FaultServer, method: String = "GET", body: [UInt8]? = nil,
    longestMilliseconds: Int = 240_000, maximumResponseBytes: Int = 1 << 20
  ) async -> Result<CurlResponse, CurlError> {
    do throws(CurlError) {
      return .success(
        try await client.send(
          CurlRequest(
            method: method, url: server.url.absoluteString, body: body,
            longestMilliseconds: longestMilliseconds,
            maximumResponseBytes: maximumResponseBytes)))
    } catch {
      return .failure(error)
    }
  }

  private func code(_ result: Result<CurlResponse, CurlError>) -> String {
    switch result {
    case .success(let response): "\(response.status)"
    case .failure(let error): "\(error.code)"
    }
  }

  private func code(of request: CurlRequest) async -> String {
    do throws(CurlError) {
      return "\(try await client.send(request).status)"
    } catch {
      return "\(error.code)"
    }
  }

  // MARK: - Requests

  @Test func `sends method, path, header and body as they are`() async throws {
    let server = try FaultServer { $0.write("HTTP/1.1 204 No Content\r\n\r\n") }
    let request = CurlRequest(
      method: "POST", url: server.url.appendingPathComponent("a:b").absoluteString,
      headers: [CurlHeader("Authorization", "Bearer t"), CurlHeader("X-Empty", "e")],
      body: Array("line\n\u{0}end".utf8))

    let response = try await client.send(request)

    #expect(response.status == 204)
    let lines = server.received[0].components(separatedBy: "\r\n")
    #expect(lines[0] == "POST /x/a:b HTTP/1.1")
    #expect(lines.contains("Authorization: Bearer t"))
    #expect(lines.contains("X-Empty: e"))
    #expect(lines.contains("Content-Length: 9"))
    #expect(!server.received[0].lowercased().contains("expect:"))
    #expect(!server.received[0].lowercased().contains("x-www-form-urlencoded"))
    #expect(lines.last == "line\n\u{0}end")
  }

  @Test func `sends an empty body, no body, and again a body over reused handles`() async throws {
    let server = try FaultServer { $0.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }

    _ = await send(server, method: "POST", body: Array("first body".utf8))
    _ = await send(server)
    _ = await send(server, method: "POST", body: [])
    _ = await send(server, method: "POST", body: Array("2".utf8))

    let requests = server.received
    #expect(requests.map { $0.prefix(4) } == ["POST", "GET ", "POST", "POST"])
    #expect(!requests[1].contains("Content-Length"))
    #expect(requests[2].contains("Content-Length: 0\r\n"))
    #expect(requests[3].contains("Content-Length: 1\r\n"))
    #expect(requests[3].hasSuffix("\r\n\r\n2"))
  }

  @Test(arguments: [true, false])
  func `is sent again by libcurl only if it may be`(isRepeatable: Bool) async throws {
    let (connections, dropped) = (Locked(0), Locked(0))
    // Takes a second request of its first connection, and closes without an answer.
    let server = try FaultServer { connection in
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      guard
        connections.withLock({
          $0 += 1; return $0
        }) == 1
      else { return }
      var byte: UInt8 = 0
      if unsafe recv(connection.descriptor, &byte, 1, 0) > 0 { dropped.withLock { $0 += 1 } }
    }
    _ = await send(server, method: "POST", body: [1])
    var request = CurlRequest(method: "POST", url: server.url.absoluteString, body: [2])
    request.isRepeatable = isRepeatable

    #expect(await code(of: request) == "200")

    #expect(dropped.withLock { $0 } == (isRepeatable ? 1 : 0))
    #expect(server.received.count == 2)
  }

  // MARK: - Whole answers

  @Test func `reads the header and the body`() async throws {
    let server = try FaultServer {
      $0.write("HTTP/1.1 503 Busy\r\nRetry-After:  7 \r\nContent-Length: 3\r\n\r\nabc")
    }

    let response = try await send(server).get()

    #expect(response.status == 503)
    #expect(response.headers.first == CurlHeader("Retry-After", "7"))
    #expect(response.body == Array("abc".utf8))
  }

  @Test func `reads chunks and bodies that end with the connection`() async throws {
    let chunked = try FaultServer {
      $0.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
    }
    let open = try FaultServer { $0.write("HTTP/1.0 200 OK\r\n\r\nabc") }

    #expect(try await send(chunked).get().body == Array("abc".utf8))
    #expect(try await send(open).get().body == Array("abc".utf8))
  }

  @Test func `waits out interim answers and keeps none of their fields`() async throws {
    let server = try FaultServer {
      $0.write("HTTP/1.1 100 Continue\r\nX-A: 1\r\n\r\n")
      $0.write("HTTP/1.1 103 Early Hints\r\nX-B: 2\r\n\r\n")
      $0.write("HTTP/1.1 201 Created\r\nX-C: 3\r\nContent-Length: 0\r\n\r\n")
    }

    let response = try await send(server, method: "POST", body: [1]).get()

    #expect(response.status == 201)
    #expect(response.headers.map(\.name) == ["X-C", "Content-Length"])
  }

  @Test func `hands a redirect back and does not follow it`() async throws {
    let server = try FaultServer {
      $0.write("HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n")
    }

    let response = try await send(server).get()

    #expect(response.status == 302)
    #expect(server.received.count == 1)
  }

  @Test func `takes an answer that comes byte by byte`() async throws {
    let text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
    let server = try FaultServer { connection in
      for character in text.unicodeScalars { connection.write(String(character)) }
    }

    #expect(try await send(server).get().body == Array("hello".utf8))
  }

  // MARK: - No whole answer

  @Test(arguments: [
    "", "HT", "HTTP/1.1 2", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\n",
    "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n",
    "HTTP/1.1 100 Continue\r\n\r\n", "\u{1}\u{2}garbage\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", "HTTP/1.1 99 Low\r\n\r\n",
  ])
  func `calls an answer incomplete that is cut or is none`(text: String) async throws {
    let server = try FaultServer { $0.write(text) }

    #expect(code(await send(server, method: "POST", body: [1, 2, 3])) == "incomplete")
  }

  @Test func `calls an answer incomplete whose connection is reset`() async throws {
    let server = try FaultServer {
      $0.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
      $0.reset()
    }

    #expect(code(await send(server)) == "incomplete")
  }

  @Test(arguments: ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"])
  func `gives up on a server that stalls`(text: String) async throws {
    let server = try FaultServer {
      $0.write(text)
      $0.waitForEnd()
    }

    #expect(code(await send(server, longestMilliseconds: 50)) == "timedOut")
  }

  /// The whole exchange may take longer than this suite.
  @Test func `gives up on a large body as soon as nothing of it moves`() async throws {
    let server = try SilentServer()

    let outcome = await code(
      of: CurlRequest(
        method: "POST", url: server.url.absoluteString,
        body: [UInt8](repeating: 0, count: 16 << 20),
        longestMilliseconds: 1_054_000, longestSilentSeconds: 1))

    #expect(outcome == "timedOut")
  }

  @Test func `takes no more of a body than allowed`() async throws {
    let server = try FaultServer { connection in
      connection.write("HTTP/1.1 200 OK\r\n\r\n")
      let chunk = String(repeating: "x", count: 1 << 16)
      for _ in 0..<1000 { connection.write(chunk) }
    }

    #expect(code(await send(server, maximumResponseBytes: 100_000)) == "tooLarge")
  }

  @Test func `takes no endless header`() async throws {
    let server = try FaultServer { connection in
      connection.write("HTTP/1.1 200 OK\r\n")
      let field = "X: " + String(repeating: "x", count: 1000) + "\r\n"
      for _ in 0..<1000 { connection.write(field) }
    }

    #expect(code(await send(server)) == "tooLarge")
  }

  @Test func `reports that no server listens`() async throws {
    var server: FaultServer? = try FaultServer { _ in }
    let url = try #require(server?.url.absoluteString)
    server = nil

    #expect(await code(of: CurlRequest(url: url)) == "unreachable")
  }

  @Test func `speaks TLS to an https address and nothing else`() async throws {
    let server = try FaultServer { $0.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }

    #expect(await code(of: CurlRequest(url: "https://127.0.0.1:\(server.port)/")) == "tlsFailed")
    #expect(server.received[0].utf8.first == 0x16)
  }

  @Test(arguments: ["ftp://127.0.0.1/", "file:///etc/passwd", "gopher://127.0.0.1/"])
  func `refuses other protocols`(address: String) async throws {
    await #expect(throws: CurlError.self) { try await client.send(CurlRequest(url: address)) }
  }

  // MARK: - A loop driven by hand

  private let route = CurlRoute(trust: CurlTrust())

  @Test func `leaves a cancelled transfer to its sender until it is started`() async {
    let loop = CurlLoop(route)
    let transfer = CurlTransfer(CurlRequest(url: "http://127.0.0.1:9"))

    let result = await withCheckedContinuation { continuation in
      transfer.continuation = continuation
      loop.cancel(transfer)
      #expect(loop.readMailbox())
      #expect(transfer.continuation != nil)
      loop.start(transfer)
      #expect(loop.readMailbox())
    }

    #expect(code(result) == "cancelled")
    loop.stop()
    Thread { loop.run() }.start()
  }

  @Test func `fails a transfer that libcurl does not take`() async {
    // Bytes that are no multi handle: libcurl looks at them and refuses all calls.
    let multi = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 16)
    unsafe multi.initializeMemory(as: UInt8.self, repeating: 0, count: 4096)
    defer { unsafe multi.deallocate() }
    let loop = unsafe CurlLoop(route, multi: multi)
    let transfer = CurlTransfer(CurlRequest(url: "http://127.0.0.1:9"))

    let result = await withCheckedContinuation { continuation in
      transfer.continuation = continuation
      loop.start(transfer)
      #expect(loop.readMailbox())
      #expect(transfer.continuation == nil)
      transfer.finish(.failure(CurlError(.cancelled, "it hung")))
    }

    #expect(code(result) == "invalidRequest")
  }

  @Test func `fails each transfer, and does not spin, without a multi handle`() async {
    let loop = unsafe CurlLoop(route, multi: nil)
    let transfer = CurlTransfer(CurlRequest(url: "http://127.0.0.1:9"))

    loop.run()
    let result = await withCheckedContinuation { continuation in
      transfer.continuation = continuation
      loop.start(transfer)
      loop.cancel(transfer)
    }

    #expect(code(result) == "invalidRequest")
  }

  // MARK: - Cancelling

  @Test func `ends a transfer when its task is cancelled`() async throws {
    let began = AsyncStream<Void>.makeStream()
    let server = try FaultServer {
      began.continuation.yield()
      $0.waitForEnd()
    }

    let task = Task { await send(server) }
    for await _ in began.stream { break }
    task.cancel()

    #expect(code(await task.value) == "cancelled")
  }

  @Test func `does not begin in a task that was cancelled before`() async throws {
    let server = try FaultServer { $0.waitForEnd() }
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return await send(server)
    }
    task.cancel()

    #expect(code(await task.value) == "cancelled")
    #expect(server.received.isEmpty)
  }

  @Test func `loses no completion in a storm of 2,000 cancellations`() async throws {
    let server = try FaultServer { connection in
      if connection.request.hashValue % 3 == 0 { return connection.waitForEnd() }
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    }
    var random = SeededGenerator(seed: 20_261_121)

    let outcomes = await withTaskGroup(of: String.self) { group in
      for index in 0..<2000 {
        let yields = Int.random(in: 0...400, using: &random)
        group.addTask {
          let task = Task {
            code(await send(server, method: "POST", body: Array("\(index)".utf8)))
          }
          for _ in 0..<yields { await Task.yield() }
          task.cancel()
          return await task.value
        }
      }
      return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    #expect(outcomes.values.reduce(0, +) == 2000)
    // On a busy machine some reach their time limit before they are cancelled.
    #expect(Set(outcomes.keys).isSubset(of: ["200", "cancelled", "timedOut"]))
    #expect((outcomes["cancelled"] ?? 0) > 0)
    let healthy = try FaultServer { $0.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
    #expect(code(await send(healthy)) == "200")
  }

  @Test func `finishes what is under way when many are sent at once`() async throws {
    let server = try FaultServer { $0.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") }

    let codes = await withTaskGroup(of: String.self) { group in
      for _ in 0..<100 { group.addTask { code(await send(server)) } }
      return await group.reduce(into: []) { $0.append($1) }
    }

    #expect(codes == [String](repeating: "200", count: 100))
  }
}
