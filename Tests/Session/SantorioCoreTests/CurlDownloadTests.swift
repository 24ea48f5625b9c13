// SPDX-License-Identifier: Apache-2.0

import Foundation
import IngestServer
import SantorioConcurrency
import Testing

@testable import SantorioCore

@Suite(.timeLimit(.minutes(15))) struct `Curl transport, downloads and sockets` {
  private struct Full: Error {}

  private func request(_ server: FaultServer, atMost bytes: Int = 1 << 24) -> TransportRequest {
    TransportRequest(url: server.url, maximumResponseBytes: bytes)
  }

  private func server(_ status: String, _ body: String) throws -> FaultServer {
    try FaultServer {
      $0.write("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
    }
  }

  @Test func `hands on a large answer piece by piece, and holds nothing of it`() async throws {
    let body = String(repeating: "0123456789abcdef", count: 1 << 16)
    let server = try server("200 OK", body)
    let pieces = Locked<[[UInt8]]>([])

    let response = try await CurlTransport().download(request(server)) { piece in
      pieces.withLock { $0.append(piece) }
    }

    #expect(response.status == 200)
    #expect(response.body.isEmpty)
    #expect(pieces.withLock { $0.count } > 1)
    #expect(pieces.withLock { Array($0.joined()) } == Array(body.utf8))
  }

  @Test func `keeps the body of an answer that is no success`() async throws {
    let server = try server("403 Forbidden", "no")
    let count = Locked(0)

    let response = try await CurlTransport().download(request(server)) { _ in
      count.withLock { $0 += 1 }
    }

    #expect(response.status == 403)
    #expect(response.body == Array("no".utf8))
    #expect(count.withLock { $0 } == 0)
  }

  @Test func `ends a download that is not taken, that is too large, or that breaks off`()
    async throws
  {
    let whole = try server("200 OK", "0123456789")
    let cut = try FaultServer { $0.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n012") }

    func code(_ server: FaultServer, atMost bytes: Int, fails: Bool = false) async -> String {
      do throws(TransportError) {
        _ = try await CurlTransport().download(request(server, atMost: bytes)) { _ in
          if fails { throw Full() }
        }
        return "whole"
      } catch {
        return error.code.name
      }
    }
    #expect(await code(whole, atMost: 10) == "whole")
    #expect(await code(whole, atMost: 9) == "too_large")
    #expect(await code(whole, atMost: 10, fails: true) == "not_taken")
    #expect(await code(cut, atMost: 10) == "incomplete")
  }

  @Test func `gives a download time for its size`() {
    var request = TransportRequest(url: LiveServer.url(port: 9))
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
