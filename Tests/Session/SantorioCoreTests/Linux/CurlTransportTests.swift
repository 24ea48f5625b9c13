// SPDX-License-Identifier: Apache-2.0

import IngestServer
import SantorioConcurrency
import SantorioCurl
import TestSupport
import Testing
import Foundation

@testable import SantorioCore

@Suite(.timeLimit(.minutes(15))) struct `Curl transport` {
  private let transport = CurlTransport()

  @Test func `carries a request and its answer unchanged`() async throws {
    let server = try FaultServer {
      $0.write("HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 3\r\n\r\nabc")
    }

    let response = try await transport.send(
      TransportRequest(
        method: "POST", url: server.url, headers: [TransportHeader("X-Name", "value")],
        body: Array("body".utf8)))

    #expect(server.received[0].hasPrefix("POST /x HTTP/1.1\r\n"))
    #expect(server.received[0].contains("\r\nX-Name: value\r\n"))
    #expect(server.received[0].contains("\r\nUser-Agent: Santorio/\(SantorioVersion.current)\r\n"))
    #expect(server.received[0].hasSuffix("\r\n\r\nbody"))
    #expect(response.status == 503)
    #expect(response.header("retry-after") == "7")
    #expect(response.body == Array("abc".utf8))
  }

  @Test func `leaves a request that says who sends it as it is`() async throws {
    let server = try FaultServer { $0.write("HTTP/1.1 204 No Content\r\n\r\n") }

    _ = try await transport.send(
      TransportRequest(url: server.url, headers: [TransportHeader("user-agent", "Clinic/2")]))

    let lines = server.received[0].split(separator: "\r\n")
    #expect(lines.filter { $0.lowercased().hasPrefix("user-agent:") } == ["user-agent: Clinic/2"])
  }

  @Test func `has a version of three numbers`() {
    #expect(SantorioVersion.current.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+/) != nil)
    #expect(SantorioVersion.userAgent == "Santorio/" + SantorioVersion.current)
  }

  @Test(arguments: [
    (CurlError.Code.invalidRequest, TransportError.Code.invalidRequest),
    (.unreachable, .unreachable), (.tlsFailed, .tlsFailed), (.timedOut, .timedOut),
    (.incomplete, .incomplete), (.tooLarge, .tooLarge), (.receiverFailed, .notTaken),
    (.cancelled, .cancelled),
  ])
  func `reports each error of libcurl by its own code`(
    code: CurlError.Code, expected: TransportError.Code
  ) {
    #expect(TransportError.Code(code) == expected)
  }

  @Test func `reports the code of libcurl`() async throws {
    var server: FaultServer? = try FaultServer { _ in }
    let url = try #require(server?.url)
    server = nil

    let error = await #expect(throws: TransportError.self) {
      try await transport.send(TransportRequest(url: url))
    }

    #expect(error?.code == .unreachable)
    #expect(error?.systemCode == 7)  // CURLE_COULDNT_CONNECT
  }

  @Test func `passes the body of a download on and keeps nothing of it`() async throws {
    let server = try FaultServer {
      $0.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789")
    }
    let received = Locked<[UInt8]>([])

    let response = try await transport.download(TransportRequest(url: server.url)) { piece in
      received.withLock { $0 += piece }
    }

    #expect(response.body.isEmpty)
    #expect(received.withLock { $0 } == Array("0123456789".utf8))
  }

  @Test func `lets a large body take longer than the time limit`() async throws {
    let server = try FaultServer { $0.write("HTTP/1.1 204 No Content\r\n\r\n") }
    let request = TransportRequest(
      method: "POST", url: server.url, body: [UInt8](repeating: 0x78, count: 256 << 10),
      timeout: .milliseconds(1))

    #expect(try await transport.send(request).status == 204)
  }

  @Test(arguments: [
    (nil, 30_000, 30), (0, 30_000, 30), (16_383, 50, 1), (16_384, 1050, 1), (262_144, 46_000, 30),
    (16 << 20, 1_054_000, 30),
  ])
  func `gives a large body more time, but none without progress`(
    bytes: Int?, milliseconds: Int64, silence: Int
  ) {
    let request = TransportRequest(
      url: localURL(), body: bytes.map { [UInt8](repeating: 0, count: $0) },
      timeout: silence == 1 ? .milliseconds(50) : .seconds(30))

    #expect(request.longestExchange() == .milliseconds(milliseconds))
    #expect(request.longestSilence == silence)
  }

  @Test func `gives a download time for its size`() {
    var request = TransportRequest(url: localURL())
    request.timeout = .seconds(30)

    #expect(request.longestExchange(answer: 1 << 30) == .seconds(30 + 65_536))
    #expect(request.longestExchange(answer: .max / 2) > .seconds(30))
  }

  @Test func `reaches a server at a unix socket, whatever the address`() async throws {
    let folder = try TemporaryFolder()
    var configuration = IngestServer.Configuration(storagePath: folder.path("store.sqlite"))
    configuration.addresses = ["unix:" + folder.path("http.sock")]
    let server = try IngestServer(configuration: configuration)
    defer { server.stop() }
    let url = try #require(URL(string: "http://localhost/healthz"))
    let request = TransportRequest(url: url)

    let response = try await CurlTransport(unixSocket: folder.path("http.sock")).send(request)

    #expect(response.status == 200)
    await #expect(throws: TransportError.self) {
      try await CurlTransport(unixSocket: folder.path("none.sock")).send(request)
    }
  }
}
