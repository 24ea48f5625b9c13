// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCompression
import Testing

@testable import IngestServer

@Suite struct `Compressed bodies` {
  private let test: TestServer

  init() throws { test = try TestServer() }

  private func post(
    _ bytes: [UInt8], to path: String = "", encoding: String = "gzip",
    type: String = "application/json"
  ) throws -> SocketClient.Reply {
    try test.client.request(
      "POST", test.records + path, token: test.alice.token, type: type,
      headers: ["Content-Encoding: \(encoding)"], bytes: bytes)
  }

  private func gzip(_ text: String) throws -> [UInt8] {
    try #require(Gzip.compress(Array(text.utf8)))
  }

  // reading("a"), by Python's gzip module.
  private static let foreign: [UInt8] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x3d, 0x8d, 0x4d, 0x0a, 0xc2, 0x30,
    0x10, 0x85, 0xef, 0x32, 0xeb, 0x16, 0xc6, 0x68, 0x2b, 0xe4, 0x04, 0x1e, 0xc0, 0x95, 0x22, 0x25,
    0xc6, 0x50, 0x03, 0x49, 0x23, 0x99, 0x89, 0x50, 0x4a, 0xee, 0xde, 0xc9, 0x42, 0x77, 0xf3, 0xe6,
    0x7b, 0x3f, 0x1b, 0x84, 0x34, 0x4f, 0xfe, 0x05, 0x1a, 0x0c, 0x74, 0xc0, 0xeb, 0xc7, 0xc9, 0x19,
    0x9d, 0xa1, 0x92, 0x5d, 0x74, 0x0b, 0xcb, 0x93, 0xd8, 0x64, 0x9e, 0xd8, 0xc7, 0x86, 0x14, 0xaa,
    0xb1, 0xc7, 0x63, 0x8f, 0xa7, 0x2b, 0x0e, 0x1a, 0x47, 0x8d, 0xe7, 0x5b, 0xf3, 0xa4, 0x92, 0xad,
    0xf0, 0xed, 0x57, 0xf1, 0x0c, 0xc5, 0x71, 0x4a, 0xfc, 0x86, 0xda, 0x49, 0x1f, 0x67, 0x6f, 0x09,
    0xf4, 0xfd, 0xcf, 0x69, 0x25, 0x4e, 0xc1, 0x5b, 0xc9, 0x96, 0xc5, 0x73, 0x1b, 0x8d, 0x97, 0x59,
    0xd4, 0xd7, 0x48, 0x12, 0xf4, 0x41, 0x61, 0x7d, 0xd4, 0x1d, 0x66, 0x38, 0xe5, 0xf1, 0x9f, 0x00,
    0x00, 0x00,
  ]

  @Test(arguments: ["gzip", "GZIP", "x-gzip"])
  func `accepts a record compressed by another program`(encoding: String) throws {
    #expect(try post(Self.foreign, encoding: encoding).status == 201)

    let read = try test.request("GET", test.records + "/a")
    #expect(read.text.hasSuffix(String(reading("a").dropFirst())))
  }

  @Test func `accept a batch, a correction, a user and an image`() throws {
    let batch = try post(
      try gzip(reading("a") + "\n" + reading("b")), to: ":batch", type: "application/x-ndjson")
    let put = try test.client.request(
      "PUT", test.records + "/c", token: test.alice.token, type: "application/json",
      headers: ["Content-Encoding: gzip"], bytes: try gzip(reading("c")))
    let user = try test.client.request(
      "POST", "/v1/organizations/acme/users", token: TestServer.adminToken,
      type: "application/json", headers: ["Content-Encoding: gzip"],
      bytes: try gzip(#"{"uid":"bob"}"#))
    let image = TestImage(1)
    let media = try test.client.request(
      "PUT", test.records + "/c/media/\(image.digest)", token: test.alice.token,
      type: image.type, headers: ["Content-Encoding: gzip"],
      bytes: Gzip.compress(image.bytes))

    #expect(batch.status == 200)
    #expect(!batch.text.contains("rejected"))
    #expect([put, user, media].allSatisfy { $0.status == 201 })
    #expect(try test.server.recordCount() == 3)
  }

  @Test func `rejects data that is not gzip, truncated, or followed by other bytes`() throws {
    let whole = Self.foreign
    let client = try test.client
    for bytes in (0..<whole.count).map({ Array(whole.prefix($0)) }) + [whole + [0], whole + whole] {
      let reply = try client.request(
        "POST", test.records, token: test.alice.token, headers: ["Content-Encoding: gzip"],
        bytes: bytes)
      #expect(reply.status == 400)
      #expect(try reply.code() == "malformed_gzip")
      #expect(try reply.json().member("error").member("path").string() == "body")
    }
    #expect(try post(Array(reading("a").utf8)).status == 400)
    #expect(try test.server.recordCount() == 0)
  }

  @Test func `never stores other content when one byte is changed`() throws {
    let client = try test.client
    for place in Self.foreign.indices {
      var bytes = Self.foreign
      bytes[place] ^= 0xff

      let reply = try client.request(
        "POST", test.records, token: test.alice.token, headers: ["Content-Encoding: gzip"],
        bytes: bytes)

      // The time, the flags of the compressor and the system in the head say nothing of the
      // content.
      #expect((reply.status < 300) == (4...9).contains(place), "\(place)")
    }
    #expect(try test.server.recordCount() == 1)
    let read = try test.request("GET", test.records + "/a")
    #expect(read.text.hasSuffix(String(reading("a").dropFirst())))
  }

  @Test func `expands a body up to exactly the path's limit`() throws {
    let record = reading("a")
    let limit = Route.Body.json.maximum
    let full = record + String(repeating: " ", count: limit - record.utf8.count)

    #expect(try post(try gzip(full)).status == 201)
    let reply = try post(try gzip(full + " "))
    #expect(reply.status == 413)
    #expect(try reply.code() == "too_large")
  }

  @Test func `rejects a gzip bomb without using memory for it`() throws {
    let bomb = try #require(Gzip.compress([UInt8](repeating: 0x20, count: 256 << 20)))
    #expect(bomb.count < 300_000)
    // In a process of its own: other tests grow this one.
    let folder = try TemporaryFolder()
    let child = try ServerChild(folder.storage)
    defer { child.kill() }
    let client = try SocketClient(child.port)
    let user = try client.request(
      "POST", "/v1/organizations/acme/users", token: TestServer.adminToken,
      type: "application/json", body: #"{"uid":"alice"}"#
    ).json()
    let token = try user.member("mobile").member("token").string()
    let records = "/v1/organizations/acme/users/\(try user.member("id").string())/records"

    for (method, path, type) in [
      ("POST", records, "application/json"), ("POST", records + ":batch", "application/x-ndjson"),
      ("PUT", records + "/a/media/" + String(repeating: "0", count: 64), "image/png"),
    ] {
      let reply = try SocketClient(child.port).request(
        method, path, token: token, type: type, headers: ["Content-Encoding: gzip"], bytes: bomb)
      #expect(reply.status == 413, "\(path)")
    }

    #expect(try child.peakBytes() < 128 << 20)
  }

  @Test(arguments: ["br", "deflate", "gzip, gzip", "zstd", "gzip;q=1"])
  func `rejects other encodings and names the accepted ones`(encoding: String) throws {
    let reply = try post(try gzip(reading("a")), encoding: encoding)

    #expect(reply.status == 415)
    #expect(reply.headers["accept-encoding"] == "gzip")
    #expect(try reply.code() == "unsupported_encoding")
    #expect(try reply.json().member("error").member("path").string() == "Content-Encoding")
    #expect(try test.server.recordCount() == 0)
  }

  @Test func `accepts the encoding "identity"`() throws {
    #expect(try post(Array(reading("a").utf8), encoding: "identity").status == 201)
  }
}
