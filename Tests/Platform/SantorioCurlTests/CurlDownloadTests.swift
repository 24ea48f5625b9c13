// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency
import TestSupport
import Testing

@testable import SantorioCurl

@Suite(.timeLimit(.minutes(15))) struct `Curl client, downloads` {
  private struct Full: Error {}

  private let client = CurlClient(CurlRoute(trust: CurlTrust()))

  private func server(_ status: String, _ body: String) throws -> FaultServer {
    try FaultServer {
      $0.write("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
    }
  }

  @Test func `hands on a large answer piece by piece, and holds nothing of it`() async throws {
    let body = String(repeating: "0123456789abcdef", count: 1 << 16)
    let server = try server("200 OK", body)
    let pieces = Locked<[[UInt8]]>([])

    let response = try await client.send(
      CurlRequest(url: server.url.absoluteString, maximumResponseBytes: 1 << 24)
    ) { piece in
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

    let response = try await client.send(CurlRequest(url: server.url.absoluteString)) { _ in
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
      let request = CurlRequest(url: server.url.absoluteString, maximumResponseBytes: bytes)
      do throws(CurlError) {
        _ = try await client.send(request) { _ in
          if fails { throw Full() }
        }
        return "whole"
      } catch {
        return "\(error.code)"
      }
    }
    #expect(await code(whole, atMost: 10) == "whole")
    #expect(await code(whole, atMost: 9) == "tooLarge")
    #expect(await code(whole, atMost: 10, fails: true) == "receiverFailed")
    #expect(await code(cut, atMost: 10) == "incomplete")
  }
}
