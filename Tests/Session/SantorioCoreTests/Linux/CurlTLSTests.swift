// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SantorioCore

private let one = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
private let two = "Ypeg8jnJ4ODMHNKFIcZ1q9RqPjwYFdYTJAJPqW8JqWw="

@Suite(
  .timeLimit(.minutes(15)), .enabled(if: TLSServer.isAvailable, "needs openssl(1)"),
  .serialized
)
struct `Curl transport and TLS` {
  private func outcome(_ server: TLSServer, _ transport: CurlTransport) async throws -> String {
    let url = try #require(server.url)
    do throws(TransportError) {
      return "\(try await transport.send(TransportRequest(url: url)).status)"
    } catch {
      return error.code.name
    }
  }

  @Test func `trusts no server without a trusted certificate`() async throws {
    let server = try TLSServer()

    #expect(try await outcome(server, CurlTransport()) == "tls_failed")
  }

  @Test func `trusts a server whose certificate a private authority signed, and no other`()
    async throws
  {
    let (server, stranger) = (try TLSServer(), try TLSServer())

    let transport = CurlTransport(certificateAuthorities: server.certificate)

    #expect(try await outcome(server, transport) == "200")
    #expect(try await outcome(stranger, transport) == "tls_failed")
  }

  @Test func `sends nothing when the file of authorities is missing`() async throws {
    let server = try TLSServer()

    let transport = CurlTransport(
      certificateAuthorities: URL(fileURLWithPath: "/nonexistent/authorities.pem"))

    #expect(try await outcome(server, transport) == "tls_failed")
  }

  @Test(arguments: [
    ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], ["ec", "-pkeyopt", "ec_paramgen_curve:P-384"],
    ["rsa:2048"],
  ])
  func `trusts a pinned key and refuses any other`(key: [String]) async throws {
    let server = try TLSServer(key: key)
    let pin = try server.pin()

    let pinned = CurlTransport(
      pinnedKeys: try PinnedKeys([one, pin]), certificateAuthorities: server.certificate)
    let other = CurlTransport(
      pinnedKeys: try PinnedKeys([one, two]), certificateAuthorities: server.certificate)

    #expect(try await outcome(server, pinned) == "200")
    #expect(try await outcome(server, pinned) == "200")
    #expect(try await outcome(server, other) == "tls_failed")
  }

  @Test func `does not accept a pinned key without a valid certificate`() async throws {
    let server = try TLSServer()

    let transport = CurlTransport(pinnedKeys: try PinnedKeys([one, server.pin()]))

    #expect(try await outcome(server, transport) == "tls_failed")
  }

  @Test func `sends nothing in the clear when keys are pinned`() async throws {
    let server = try FaultServer { $0.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
    let transport = CurlTransport(pinnedKeys: try PinnedKeys([one, two]))

    await #expect {
      try await transport.send(TransportRequest(url: server.url))
    } throws: { error in
      (error as? TransportError)?.code == .invalidRequest
    }
    #expect(server.received.isEmpty)
  }
}
