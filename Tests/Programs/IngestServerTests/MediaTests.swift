// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import Testing

@testable import IngestServer
import SantorioCryptography

@Suite(.timeLimit(.minutes(15))) struct `Images of records` {
  private let test: TestServer

  init() throws {
    test = try TestServer()
    _ = try test.post([reading("a"), reading("b")])
  }

  private func path(_ logID: String, _ digest: String) -> String {
    "\(test.records)/\(logID)/media/\(digest)"
  }

  private func put(
    _ bytes: [UInt8], type: String?, digest: String? = nil, to logID: String = "a"
  ) throws -> SocketClient.Reply {
    try test.client.request(
      "PUT", path(logID, digest ?? SHA256Digest.hex(bytes)), token: test.alice.token, type: type,
      bytes: bytes)
  }

  @Test(arguments: ["image/jpeg", "image/png", "image/heic"])
  func `are returned as they were sent`(type: String) throws {
    let image = TestImage(7, type: type)

    let stored = try test.put(image, to: "a")
    let read = try test.request("GET", path("a", image.digest))

    let url = path("a", image.digest)
    #expect(stored.status == 201)
    #expect(
      stored.text == #"{"id":"1","log_id":"a","sha256":"\#(image.digest)","#
        + #""content_type":"\#(type)","size":2000,"url":"\#(url)"}"#)
    #expect(read.status == 200)
    #expect(read.body == image.bytes)
    #expect(read.headers["content-type"] == type)
    #expect(read.headers["x-content-type-options"] == "nosniff")
    #expect(read.headers["cache-control"] == "no-store")
    let ending = try #require(
      ["image/jpeg": "jpg", "image/png": "png", "image/heic": "heic"][type])
    #expect(
      read.headers["content-disposition"]
        == #"attachment; filename="\#(image.digest).\#(ending)""#)
    #expect(try test.folder.images() == [image.digest])
  }

  @Test func `are stored once when they are sent again`() throws {
    let image = TestImage(1)
    let first = try test.put(image, to: "a")

    let again = try test.put(image, to: "a")

    #expect(again.status == 200)
    #expect(again.text == first.text)
  }

  @Test func `are listed in order of arrival with their paths`() throws {
    let images = [TestImage(1), TestImage(2, type: "image/png")]
    for image in images { _ = try test.put(image, to: "a") }

    let list = try test.request("GET", test.records + "/a/media").json().member("media").elements()

    #expect(try list.map { try $0.member("sha256").string() } == images.map(\.digest))
    for (entry, image) in zip(list, images) {
      let url = try entry.member("url").string()
      #expect(try test.request("GET", url).body == image.bytes)
    }
    #expect(try test.request("GET", test.records + "/b/media").text == #"{"media":[]}"#)
    #expect(try test.request("GET", test.records + "/x/media").status == 404)
  }

  @Test func `have a URL with an escaped log_id`() throws {
    _ = try test.post([reading("a/b?#")])
    let image = TestImage(1)

    let reply = try test.put(image, to: "a%2Fb%3F%23")

    let url = try reply.json().member("url").string()
    #expect(url.hasSuffix("/records/a%2Fb%3F%23/media/" + image.digest))
    #expect(try test.request("GET", url).body == image.bytes)
  }

  @Test func `are answered to HEAD without their bytes`() throws {
    let image = TestImage(1)
    _ = try test.put(image, to: "a")
    let client = try test.client

    let reply = try client.request("HEAD", path("a", image.digest), token: test.alice.token)

    #expect(reply.status == 200)
    #expect(reply.headers["content-length"] == "2000")
    #expect(try client.request("GET", "/healthz").status == 200)
  }

  // MARK: - Refused

  @Test func `require an existing record`() throws {
    let image = TestImage(1)

    let reply = try test.put(image, to: "later")

    #expect(reply.status == 404)
    #expect(try reply.code() == "unknown_record")
    #expect(try reply.json().member("error").member("path").string() == "log_id")
    #expect(try test.folder.images() == [])
    _ = try test.post([reading("later")])
    #expect(try test.put(image, to: "later").status == 201)
  }

  @Test func `must match their digest`() throws {
    let image = TestImage(1)

    let reply = try put(image.bytes, type: image.type, digest: TestImage(2).digest)

    #expect(reply.status == 422)
    #expect(try reply.code() == "digest_mismatch")
    #expect(try reply.json().member("error").member("path").string() == "sha256")
    #expect(try test.folder.images() == [])
  }

  @Test(
    arguments: ["0", String(repeating: "A", count: 64), String(repeating: "g", count: 64)])
  func `require a digest of 64 digits`(digest: String) throws {
    let reply = try put(TestImage(1).bytes, type: "image/jpeg", digest: digest)

    #expect(reply.status == 400)
    #expect(try reply.json().member("error").member("path").string() == "sha256")
    #expect(try test.request("GET", path("a", digest)).status == 404)
  }

  @Test(
    arguments: [
      ("image/png", TestImage(1).bytes), ("image/jpeg", TestImage(1, type: "image/png").bytes),
      ("image/heic", TestImage(1).bytes), ("image/jpeg", []), ("image/jpeg", [0xff, 0xd8]),
      ("image/png", Array("<html><script>alert(1)</script>".utf8)),
      ("image/heic", [0, 0, 0, 0x18] + Array("ftypmp42".utf8) + [0, 0, 0, 0] + "isommp42".utf8),
    ] as [(String, [UInt8])])
  func `must match their stated type`(type: String, bytes: [UInt8]) throws {
    let reply = try put(bytes, type: type)

    #expect(reply.status == 422)
    #expect(try reply.code() == "type_mismatch")
    #expect(try reply.json().member("error").member("path").string() == "Content-Type")
    #expect(try test.folder.images() == [])
  }

  @Test(arguments: ["image/gif", "image/svg+xml", "application/octet-stream", "text/html", nil])
  func `have one of three types, which must be stated`(type: String?) throws {
    let reply = try put(TestImage(1).bytes, type: type)

    #expect(reply.status == 415)
    #expect(reply.headers["accept"] == "image/jpeg, image/png, image/heic")
    #expect(try reply.code() == "unsupported_media_type")
  }

  @Test func `are limited to 16 MiB`() throws {
    let largest = TestImage(1, size: 16 << 20)
    let larger = TestImage(2, size: 16 << 20 + 1)

    #expect(try test.put(largest, to: "a").status == 201)
    #expect(try test.request("GET", path("a", largest.digest)).body == largest.bytes)
    let reply = try test.put(larger, to: "a")
    #expect(reply.status == 413)
    #expect(try reply.code() == "too_large")
    #expect(try test.folder.images() == [largest.digest])
  }

  @Test func `are refused before the body if the client expects 100`() throws {
    let client = try test.client
    try client.send(
      "PUT \(path("a", TestImage(1).digest)) HTTP/1.1\r\nHost: test\r\nExpect: 100-continue\r\n"
        + "Content-Type: image/jpeg\r\nContent-Length: 16777217\r\n"
        + "Authorization: Bearer \(test.alice.token)\r\n\r\n")

    #expect(try client.reply().status == 413)
  }

  @Test func `leave nothing after half an upload`() throws {
    let image = TestImage(1, size: 300_000)
    var client: SocketClient? = try test.client
    try client?.send(
      Array(
        ("PUT \(path("a", image.digest)) HTTP/1.1\r\nHost: test\r\nContent-Type: image/jpeg\r\n"
          + "Content-Length: \(image.bytes.count)\r\n"
          + "Authorization: Bearer \(test.alice.token)\r\n\r\n").utf8)
        + image.bytes.prefix(150_000))
    client = nil

    #expect(try test.request("GET", path("a", image.digest)).status == 404)
    #expect(try test.put(image, to: "a").status == 201)
  }

  @Test func `may arrive slowly while others are served`() throws {
    let image = TestImage(1)
    let slow = try test.client
    try slow.send(
      "PUT \(path("a", image.digest)) HTTP/1.1\r\nHost: test\r\nContent-Type: image/jpeg\r\n"
        + "Content-Length: 2000\r\nAuthorization: Bearer \(test.alice.token)\r\n\r\n")
    for part in stride(from: 0, to: 2_000, by: 500) {
      #expect(try test.put(TestImage(UInt64(part)), to: "b").status < 300)
      try slow.send(Array(image.bytes[part..<part + 500]))
    }

    #expect(try slow.reply().status == 201)
  }

  @Test func `are available to their user only`() throws {
    let bob = try test.server.createUser(organization: "acme", uid: "bob")
    let image = TestImage(1)
    _ = try test.put(image, to: "a")
    let alices = path("a", image.digest)
    let bobs = TestServer.path(bob) + "/records/a/media/\(image.digest)"

    for token in [nil, "unknown-token-0123456789"] {
      for method in ["GET", "PUT"] {
        let reply = try test.client.request(
          method, alices, token: token, type: method == "PUT" ? image.type : nil,
          bytes: method == "PUT" ? image.bytes : nil)
        #expect(reply.status == 401)
      }
    }
    for token in [bob.token, TestServer.adminToken] {
      #expect(try test.client.request("GET", alices, token: token).status == 403)
      let put = try test.client.request(
        "PUT", alices, token: token, type: image.type, bytes: image.bytes)
      #expect(put.status == 403)
    }
    #expect(try test.client.request("GET", bobs, token: bob.token).status == 404)
    #expect(try test.client.request("DELETE", test.records + "/a", token: bob.token).status == 403)
    #expect(try test.client.request("PUT", test.records + "/a", token: nil, body: "").status == 401)
    #expect(try test.client.request("DELETE", test.records + "/a").status == 401)
    #expect(try test.client.request("GET", test.records + "/a/media").status == 401)
  }

  // MARK: - Removed

  @Test func `are deleted with their record unless another record has them`() throws {
    let shared = TestImage(1)
    let own = TestImage(2)
    for image in [shared, own] { _ = try test.put(image, to: "a") }
    _ = try test.put(shared, to: "b")

    #expect(try test.request("DELETE", test.records + "/a").status == 204)

    #expect(try test.folder.images() == [shared.digest])
    #expect(try test.request("GET", path("a", shared.digest)).status == 404)
    #expect(try test.request("GET", path("b", shared.digest)).body == shared.bytes)
    #expect(try test.request("DELETE", test.records + "/b").status == 204)
    #expect(try test.folder.images() == [])
  }

  @Test func `do not return when a deleted record is stored again`() throws {
    let image = TestImage(1)
    _ = try test.put(image, to: "a")
    _ = try test.request("DELETE", test.records + "/a")

    #expect(try test.put(image, to: "a").status == 404)
    _ = try test.request(
      "PUT", test.records + "/a", type: "application/json", body: reading("a"))

    #expect(try test.request("GET", path("a", image.digest)).status == 404)
    #expect(try test.put(image, to: "a").status == 201)
  }

  @Test func `survive a simultaneous deletion of another record`() throws {
    for round in 0..<40 {
      let image = TestImage(UInt64(round))
      let (one, other) = ("one-\(round)", "other-\(round)")
      _ = try test.post([reading(one), reading(other)])
      _ = try test.put(image, to: other)
      let (putting, deleting) = (try test.client, try test.client)

      try putting.start(
        "PUT", path(one, image.digest), token: test.alice.token, type: image.type,
        bytes: image.bytes)
      try deleting.start("DELETE", "\(test.records)/\(other)", token: test.alice.token)

      #expect(try putting.reply().status == 201)
      #expect(try deleting.reply().status == 204)
      #expect(try test.request("GET", path(one, image.digest)).body == image.bytes)
    }
  }

  @Test func `do not outlive a record that is deleted during their upload`() throws {
    for round in 0..<40 {
      let image = TestImage(UInt64(round))
      _ = try test.post([reading("r\(round)")])
      let (putting, deleting) = (try test.client, try test.client)

      try putting.start(
        "PUT", path("r\(round)", image.digest), token: test.alice.token, type: image.type,
        bytes: image.bytes)
      try deleting.start("DELETE", "\(test.records)/r\(round)", token: test.alice.token)

      #expect([201, 404].contains(try putting.reply().status))
      #expect(try deleting.reply().status == 204)
    }
    test.server.stop()
    #expect(try test.folder.images() == [])
  }
}
