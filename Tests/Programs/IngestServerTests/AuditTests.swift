// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import Testing

@testable import IngestServer

@Suite(.timeLimit(.minutes(15))) struct `Audit log` {
  private let test: TestServer

  init() throws { test = try TestServer { $0.now = { .testing } } }

  private var log: AuditLog { get throws { try AuditLog(storage: test.folder.storage) } }

  private func admin(_ method: String, _ path: String, _ body: String? = nil) throws
    -> SocketClient.Reply
  {
    try test.client.request(
      method, path, token: TestServer.adminToken, type: body.map { _ in "application/json" },
      body: body)
  }

  /// The identifier of Alice's only token.
  private func tokenID() throws -> String {
    let list = try admin("GET", TestServer.path(test.alice) + "/tokens").json()
    return try list.member("tokens").elements()[0].member("id").string()
  }

  @Test func `has a line for each read, change, deletion and provisioning`() throws {
    let user = TestServer.path(test.alice)
    let token = try tokenID()
    let image = TestImage(1)
    _ = try test.post([reading("a"), reading("b"), reading("a", systolic: 9), "{}", reading("b")])
    _ = try test.request("PUT", test.records + "/a", body: reading("a", systolic: 8))
    _ = try test.post([reading("a", systolic: 7)])
    _ = try test.put(image, to: "a")
    _ = try test.request("GET", test.records + "?limit=1")
    for path in ["/a", "/a/revisions", "/a/media/\(image.digest)", "/nothing"] {
      _ = try test.request("GET", test.records + path)
    }
    _ = try test.request("DELETE", test.records + "/a")
    _ = try test.request("DELETE", test.records + "/nothing")
    _ = try test.request("GET", user + "/rejections")
    _ = try test.request("DELETE", user + "/rejections")
    let issued = try admin("POST", user + "/tokens", #"{"scopes":["write"],"expires_in":60}"#)
    let id = try issued.json().member("id").string()
    let rotated = try admin("POST", "\(user)/tokens/\(id)/rotation", "{}")
    let second = try rotated.json().member("id").string()
    _ = try admin("DELETE", "\(user)/tokens/\(id)")
    _ = try admin("GET", "/v1/organizations/acme/users")
    _ = try admin("DELETE", user)

    let lines = try log.last(100)

    #expect(lines.map(\.number) == Array(1...Int64(lines.count)))
    #expect(lines.allSatisfy { $0.date == .testing && $0.organization == "acme" })
    #expect(lines.allSatisfy { $0.user == ($0.action == "users.list" ? "" : test.alice.id) })
    let actors = ["server", "token \(token)", "administrator"]
    #expect(
      lines.map { line in
        let actor = actors.firstIndex(of: line.actor).map(String.init) ?? "?"
        return "\(actor) \(line.action) \(line.detail)"
      } == [
        #"0 user.provision {"token":"\#(token)","revoked_others":false}"#,
        #"1 records.store {"created":2,"revised":1,"duplicate":1,"rejected":1,"revisions":"1-2@1 1@2"}"#,
        #"1 record.correct {"revised":1,"revisions":"1@3"}"#,
        #"1 records.store {"superseded":1,"revisions":"1@4"}"#,
        #"1 image.store {"record":1,"image":1,"new":true}"#,
        #"1 records.read {"count":1,"revisions":"2@1"}"#,
        #"1 record.read {"count":1,"revisions":"1@3"}"#,
        #"1 revisions.read {"count":4,"revisions":"1@1 1@2 1@3 1@4"}"#,
        #"1 image.read {"image":1}"#,
        #"1 record.delete {"record":1,"images":1}"#,
        #"1 rejections.read {"count":1}"#,
        #"1 rejections.wipe {"count":1}"#,
        #"2 token.issue {"token":"\#(id)","scopes":["write"],"expires_at":"2026-03-04T04:54:20Z"}"#,
        #"2 token.rotate {"former":"\#(id)","token":"\#(second)","scopes":["write"],"expires_at":"2026-03-04T04:54:20Z"}"#,
        #"2 token.revoke {"tokens":["\#(id)"]}"#,
        #"2 users.list {"count":1}"#,
        #"2 user.erase {"images":0}"#,
      ])
  }

  @Test func `records the client's address and the opening of event streams`() throws {
    let client = try test.client
    try client.start("GET", "/v1/events", token: TestServer.adminToken)
    #expect(try client.head().status == 200)
    _ = try test.post([reading("a")])

    let lines = try log.last(3)

    #expect(lines.map(\.action) == ["user.provision", "events.watch", "records.store"])
    #expect(lines.map(\.address) == ["local", "127.0.0.1", "127.0.0.1"])
  }

  @Test func `verifies as sound, even while the server writes`() throws {
    for number in 0..<20 { _ = try test.post([reading("r\(number)")]) }

    guard case .sound(let lines, let hash) = try log.verify() else {
      Issue.record("not sound")
      return
    }
    #expect(lines == 21 && hash.count == 64)
    _ = try test.post([reading("later")])
    guard case .sound(22, let next) = try log.verify(noted: (21, hash)) else {
      Issue.record("not sound with what was noted")
      return
    }
    #expect(next != hash)
    #expect(try log.last(2, of: test.alice.id).map(\.number) == [21, 22])
    #expect(try log.last(2, of: "nobody").isEmpty)
  }

  // The server's log goes elsewhere; the storage does not.
  @Test func `has its last hash in the server's log`() throws {
    _ = try test.post([reading("a")])
    test.server.stop()
    let next = try TestServer(folder: test.folder)
    let line = try #require(next.log.all.first { $0.hasPrefix("audit log noted=") })
    let noted = line.dropFirst("audit log noted=".count).split(separator: ":").map(String.init)
    let number = try #require(Int64(noted[0]))
    guard case .sound = try log.verify(noted: (number, noted[1])) else {
      Issue.record("the log's end is not that of the audit log")
      return
    }
    let other = String(noted[1].reversed())
    #expect(try log.verify(noted: (number, other)) != log.verify(noted: (number, noted[1])))
  }

  @Test func `is protected from SQL statements by triggers`() throws {
    _ = try test.post([reading("a")])
    let database = try SQLiteDatabase(path: test.folder.storage)

    for sql in ["UPDATE audit SET actor = 'x'", "DELETE FROM audit"] {
      let error = #expect(throws: SQLiteError.self) { try database.execute(sql) }
      #expect(error?.message.contains("audit log") == true)
    }
  }

  @Test(
    arguments: [
      ("UPDATE audit SET actor = 'nobody' WHERE number = 3", 3),
      ("UPDATE audit SET detail = detail || ' ' WHERE number = 1", 1),
      ("UPDATE audit SET hash = randomblob(32) WHERE number = 5", 5),
      ("DELETE FROM audit WHERE number = 2", 2),
      ("DELETE FROM audit WHERE number = 1", 1),
      ("DELETE FROM audit WHERE number > 4", 5),
      ("UPDATE audit SET number = number + 100 WHERE number > 3", 4),
      ("UPDATE audit SET at = at + 1 WHERE number = 6", 6),
    ] as [(String, Int64)])
  func `reveals the first changed line`(sql: String, line: Int64) throws {
    for number in 0..<5 { _ = try test.post([reading("r\(number)")]) }
    let database = try SQLiteDatabase(path: test.folder.storage)
    try database.execute("DROP TRIGGER audit_is_not_changed; DROP TRIGGER audit_is_not_removed")

    try database.execute(sql)

    guard case .broken(line, _) = try log.verify() else {
      Issue.record("found sound, or broken elsewhere: \(try log.verify())")
      return
    }
  }

  // Whoever writes all hashes anew is found out by one that was noted.
  @Test func `reveals a complete rewrite by a noted hash`() throws {
    for number in 0..<3 { _ = try test.post([reading("r\(number)")]) }
    guard case .sound(let count, let hash) = try log.verify() else {
      Issue.record("not sound")
      return
    }
    let database = try SQLiteDatabase(path: test.folder.storage)
    try database.execute("DROP TRIGGER audit_is_not_changed; DROP TRIGGER audit_is_not_removed")
    try database.execute("UPDATE audit SET actor = 'nobody'")
    let lines = try database.prepare("SELECT \(AuditLine.columns) FROM audit ORDER BY number")
      .all { AuditLine($0) }
    var chain = AuditChain.beginning
    for line in lines {
      chain = line.hash(after: chain)
      try database.prepare("UPDATE audit SET hash = ? WHERE number = ?")
        .run(.blob(chain), .integer(line.number))
    }

    #expect(try log.verify() == .sound(lines: count, hash: Hexadecimal.text(chain)))
    guard case .broken(count, _) = try log.verify(noted: (count, hash)) else {
      Issue.record("not found out")
      return
    }
    guard case .broken(count + 1, _) = try log.verify(noted: (count + 9, hash)) else {
      Issue.record("the missing line is not found out")
      return
    }
  }

  // A line stays for ever: it must not name anybody, nor what a reading could be guessed from.
  @Test func `contains no value, no log_id and no name`() throws {
    let bob = try test.server.createUser(organization: "acme", uid: "bob-of-ward-7")
    let path = TestServer.path(bob)
    func send(_ method: String, _ place: String, _ body: String? = nil) throws {
      _ = try test.client.request(method, path + place, token: bob.token, body: body)
    }
    try send("POST", "/records", reading("log-of-bob", systolic: 4711))
    try send("PUT", "/records/log-of-bob", reading("log-of-bob", systolic: 4712))
    try send("GET", "/records/log-of-bob")
    try send("DELETE", "/records/log-of-bob")
    _ = try admin("POST", path + "/tokens", #"{"label":"phone-of-bob"}"#)

    let lines = try SQLiteDatabase(path: test.folder.storage)
      .prepare("SELECT \(AuditLine.columns) FROM audit").all { row in
        (0...8).map { row.text($0) }.joined(separator: "|")
      }.joined(separator: "\n")

    #expect(lines.contains(bob.id))
    for text in ["4711", "4712", "log-of-bob", "bob-of", bob.token] {
      #expect(!lines.contains(text), "\(text)")
    }
  }

  // What nobody can write down nobody may read.
  @Test func `is committed before the response`() throws {
    let folder = try TemporaryFolder()
    let store = FailingStore(try SQLiteRecordStore(path: folder.storage))
    let test = try TestServer(folder: folder, store: store)
    _ = try test.post([reading("a")])

    store.fail(with: IngestError(.storageFull, "the disk is full"))

    let reply = try test.request("GET", test.records + "/a")
    #expect(reply.status == 503)
    #expect(!reply.text.contains("systolic"))
    store.fail(with: nil)
    #expect(try test.request("GET", test.records + "/a").status == 200)
  }

  @Test func `requires a server's storage`() throws {
    let folder = try TemporaryFolder()
    let missing = #expect(throws: IngestError.self) { try AuditLog(storage: folder.storage) }
    #expect(missing?.message.contains("no storage at") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.storage))
    try SQLiteDatabase(path: folder.storage).execute("CREATE TABLE theirs(x)")
    let foreign = #expect(throws: IngestError.self) { try AuditLog(storage: folder.storage) }
    #expect(foreign?.code == .foreignStorage)
  }
}
