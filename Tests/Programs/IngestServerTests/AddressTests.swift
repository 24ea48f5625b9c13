// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import IngestServer

@Suite struct `Addresses` {
  @Test(
    arguments: [
      ("127.0.0.1", "127.0.0.1", nil, true), ("192.0.2.7:8443", "192.0.2.7:8443", 8_443, false),
      ("0.0.0.0", "0.0.0.0", nil, false), ("::1", "[::1]", nil, true),
      ("[::1]:80", "[::1]:80", 80, true), ("[::]", "[::]", nil, false), ("::", "[::]", nil, false),
      ("2001:db8::7", "[2001:db8::7]", nil, false), ("127.1.2.3", "127.1.2.3", nil, true),
      ("unix:/run/s.sock", "unix:/run/s.sock", nil, true),
    ] as [(String, String, UInt16?, Bool)])
  func `to listen on are parsed`(
    text: String, description: String, port: UInt16?, isLocal: Bool
  ) throws {
    let address = try ListenAddress(text)

    #expect(address.description == description)
    #expect(address.port == port)
    #expect(address.isLocal == isLocal)
    #expect(address.isInternet == (address.path == nil))
  }

  @Test(arguments: [
    "", "localhost", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", "[::1", "[::1]x", "[::1]:",
    "256.0.0.1", "unix:", "unix:here", "unix:/run/", ":8080",
  ])
  func `to listen on are rejected if invalid`(text: String) {
    let error = #expect(throws: IngestError.self) { try ListenAddress(text) }
    #expect(error?.code == .invalidConfiguration)
  }

  @Test(arguments: [
    ("192.0.2.7", "192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7", "192.0.2.7"),
    ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6", "20.1.d.b8.0.1.0.2/64"),
    ("2001:db8:1:2::9", "2001:db8:1:2::9", "20.1.d.b8.0.1.0.2/64"),
  ])
  func `of clients count by their network`(
    text: String, expected: String, network: String
  ) throws {
    let address = try #require(ClientAddress(text))
    #expect(address.text == expected)
    #expect(address.network == network)
  }

  @Test(
    arguments: [
      ("192.0.2.7", "192.0.2.7"), ("10.0.0.1, 192.0.2.7", "192.0.2.7"),
      ("unknown,\t192.0.2.7 ", "192.0.2.7"), ("192.0.2.7:4711", "192.0.2.7"),
      ("10.0.0.1, 2001:db8::7", "2001:db8::7"), ("[2001:db8::7]:443", "2001:db8::7"),
      ("192.0.2.7, unknown", nil), ("", nil), (",", nil), ("10.0.0.1,", nil), ("[::1", nil),
    ] as [(String, String?)])
  func `of clients are taken from the last entry that a proxy wrote`(
    header: String, expected: String?
  ) {
    #expect(ClientAddress(forwardedFor: header)?.text == expected)
  }
}
