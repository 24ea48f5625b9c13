// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@testable import IngestServer

@Suite(.timeLimit(.minutes(15))) struct `Export of a user` {
  private let test: TestServer

  init() throws { test = try TestServer() }

  private var path: String { TestServer.path(test.alice) + "/export" }

  /// The lines of an export, each with the name of its member.
  private func export(
    token: String? = nil
  ) throws -> [(name: String, content: JSONReader)] {
    let reply = try test.client.request("GET", path, token: token ?? test.alice.token)
    #expect(reply.status == 200)
    #expect(reply.headers["content-type"] == "application/x-ndjson")
    #expect(reply.body.last == 0x0a)
    return try reply.body.dropLast().split(separator: 0x0a, omittingEmptySubsequences: false).map {
      line in
      let member = try #require(try JSONReader(parsing: Array(line)).members().first)
      return (member.name, member.value)
    }
  }

  @Test func `contains all data of the user`() throws {
    let image = TestImage(1, size: 500_000)
    _ = try test.post([reading("a"), reading("b"), reading("gone"), "{}"])
    _ = try test.request("PUT", test.records + "/a", body: reading("a", systolic: 99))
    _ = try test.post([reading("a", systolic: 77)])
    _ = try test.put(image, to: "a")
    _ = try test.put(TestImage(2), to: "b")
    _ = try test.request("DELETE", test.records + "/gone")

    let lines = try export()

    let names = lines.map(\.name).filter { $0 != "audit" }
    let revisions = Array(repeating: "revision", count: 4)
    #expect(
      names == ["user", "token"] + revisions + ["image", "image", "rejection", "end"])
    #expect(try lines[0].content.member("uid").string() == "alice")
    #expect(try lines[1].content.optional("token") == nil)
    let stored = try lines.filter { $0.name == "revision" }.map { line in
      let record = try line.content.member("record")
      return try record.member("log_id").string() + "@"
        + String(record.member("revision").integer())
    }
    #expect(stored == ["a@1", "b@1", "a@2", "a@3"])
    let first = try #require(lines.first { $0.name == "image" }).content
    let content = try #require(Data(base64Encoded: try first.member("content").string()))
    #expect(Array(content) == image.bytes)
    #expect(try first.member("record").string() == "1")
    let actions = try lines.filter { $0.name == "audit" }.map {
      try $0.content.member("action").string()
    }
    #expect(actions.last == "user.export" && actions.first == "user.provision")
    #expect(try lines.last?.content.member("lines").integer() == lines.count - 1)
  }

  @Test func `continues over many pages`() throws {
    for batch in 0..<7 { _ = try test.post((0..<50).map { reading("r\(batch)-\($0)") }) }
    _ = try test.post(Array(repeating: #"{"log_id":"x"}"#, count: 250))

    let lines = try export()

    #expect(lines.count { $0.name == "revision" } == 350)
    #expect(lines.count { $0.name == "rejection" } == 250)
    #expect(lines.last?.name == "end")
  }

  @Test func `omits the addresses of administrators`() throws {
    _ = try test.post([reading("a")])
    _ = try test.client.request(
      "GET", TestServer.path(test.alice) + "/tokens", token: TestServer.adminToken)
    _ = try test.client.request(
      "GET", TestServer.path(test.alice) + "/rejections", token: TestServer.adminToken)

    let audit = try export().filter { $0.name == "audit" }.map(\.content)

    for line in audit {
      let address = try line.optional("address")?.string()
      #expect(try line.member("actor").string().hasPrefix("token ") == (address == "127.0.0.1"))
    }
    #expect(try audit.map { try $0.member("action").string() }.contains("rejections.read"))
  }

  @Test func `is available to the user and administrators only`() throws {
    let bob = try test.server.createUser(organization: "acme", uid: "bob")
    let issue = try test.client.request(
      "POST", TestServer.path(test.alice) + "/tokens", token: TestServer.adminToken,
      type: "application/json", body: #"{"scopes":["write"]}"#)
    let writer = try issue.json().member("token").string()

    for token in [bob.token, writer] {
      #expect(try test.client.request("GET", path, token: token).status == 403)
    }
    #expect(try export(token: TestServer.adminToken).last?.name == "end")
    let nobody = "/v1/organizations/acme/users/nobody/export"
    #expect(
      try test.client.request("GET", nobody, token: TestServer.adminToken).code()
        == "unknown_user")
  }

  /// An export of more than the sockets hold, whose client has stopped taking it.
  private func stalledExport() throws -> SocketClient {
    _ = try test.post([reading("a")])
    for number in UInt64(1)...3 { _ = try test.put(TestImage(number, size: 4_000_000), to: "a") }
    let client = try test.client
    client.takeLittle()
    try client.start("GET", path, token: test.alice.token)
    #expect(try client.head().status == 200)
    return client
  }

  @Test(arguments: ["", "/tokens"])
  func `is aborted visibly when the user or token ends`(
    ended: String
  ) throws {
    let client = try stalledExport()
    _ = try client.stream(until: #"{"image""#)

    let answer = try test.client.request(
      "DELETE", TestServer.path(test.alice) + ended, token: TestServer.adminToken)
    #expect(answer.status == 204)

    client.takeMuch()
    let failure = #expect(throws: SocketClient.Failure.self) { try client.streamToEnd() }
    #expect(failure?.description == "closed")
    #expect(test.log.wait(for: "an export was aborted"))
  }

  @Test func `reports a missing image`() throws {
    _ = try test.post([reading("a")])
    let image = TestImage(1)
    _ = try test.put(image, to: "a")
    try FileManager.default.removeItem(atPath: test.folder.media + "/" + image.digest)

    let line = try #require(try export().first { $0.name == "image" })

    #expect(try line.content.member("sha256").string() == image.digest)
    #expect(try line.content.optional("content") == nil)
    #expect(test.log.all.contains { $0.hasPrefix("an image is missing") })
  }

  @Test func `ends when the server stops`() throws {
    let client = try stalledExport()

    test.server.stop()

    client.takeMuch()
    #expect(throws: SocketClient.Failure.self) { try client.streamToEnd() }
  }
}
