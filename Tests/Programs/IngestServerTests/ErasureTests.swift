// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioSQLite
import Testing

@testable import IngestServer

@Suite(.timeLimit(.minutes(15))) struct `Erasure` {
  private let test: TestServer
  private let clock = Locked(Date.testing)

  init() throws { test = try TestServer { [clock] in $0.now = { clock.withLock { $0 } } } }

  private func admin(_ method: String, _ path: String, _ body: String? = nil) throws
    -> SocketClient.Reply
  {
    try test.client.request(
      method, path, token: TestServer.adminToken, type: body.map { _ in "application/json" },
      body: body)
  }

  private var user: String { TestServer.path(test.alice) }

  private func post(_ body: String) throws -> SocketClient.Reply {
    try test.request("POST", test.records, type: "application/json", body: body)
  }

  /// Whether any file of the server holds a text.
  private func isAnywhere(_ text: String) throws -> Bool {
    let names = try FileManager.default.subpathsOfDirectory(atPath: test.folder.path)
    return names.contains { name in
      let data = FileManager.default.contents(atPath: test.folder.path + "/" + name)
      return data?.range(of: Data(text.utf8)) != nil
    }
  }

  // MARK: - A user

  @Test func `of a user leaves nothing in any file`() throws {
    let bob = try test.server.createUser(organization: "acme", uid: "bob-of-ward-7")
    let (shared, own) = (TestImage(1), TestImage(2))
    _ = try test.post([
      reading("log-of-alice", systolic: 471180263), reading("log-of-alice", systolic: 471280263),
      reading("deleted-log"), #"{"log_id":"rejected-log","note":"rejected-content"}"#,
      "malformed-content",
    ])
    for image in [shared, own] { _ = try test.put(image, to: "log-of-alice") }
    _ = try test.request("DELETE", test.records + "/deleted-log")
    let bobs = TestServer.path(bob) + "/records"
    _ = try test.client.request("POST", bobs, token: bob.token, body: reading("log-of-bob"))
    _ = try test.client.request(
      "PUT", bobs + "/log-of-bob/media/\(shared.digest)", token: bob.token, type: shared.type,
      bytes: shared.bytes)
    let label = #"{"label":"phone-of-alice"}"#
    #expect(try admin("POST", user + "/tokens", label).status == 201)
    let contents = [
      "471180263", "471280263", "log-of-alice", "rejected-log", "rejected-content",
      "malformed-content",
      "alice", "phone-of-alice",
    ]
    for text in contents { #expect(try isAnywhere(text), "\(text)") }

    #expect(try admin("DELETE", user).status == 204)

    for text in contents + ["deleted-log"] { #expect(try !isAnywhere(text), "\(text)") }
    #expect(try isAnywhere("log-of-bob") && isAnywhere("bob-of-ward-7"))
    #expect(try test.folder.images() == [shared.digest])
    #expect(try test.server.recordCount() == 1)
  }

  @Test func `of a user ends the tokens, and the user stays erased`() throws {
    _ = try test.post([reading("a")])
    #expect(try admin("DELETE", user).status == 204)

    let refused = try test.post([reading("a")])
    #expect(refused.status == 401)
    #expect(try refused.code() == "revoked_token")
    #expect(try admin("DELETE", user).status == 404)
    #expect(try admin("GET", user + "/tokens").status == 404)
    let list = try admin("GET", "/v1/organizations/acme/users").text
    #expect(list == #"{"users":[]}"#)

    // Whoever is given the same name is another user.
    let again = try test.server.createUser(organization: "acme", uid: "alice")
    #expect(again.id != test.alice.id)
    let path = TestServer.path(again) + "/records"
    let created = try test.client.request("POST", path, token: again.token, body: reading("a"))
    #expect(created.text == #"{"log_id":"a","status":"created","id":"1","revision":1}"#)
  }

  @Test func `of a user refuses requests still in progress`() throws {
    let client = try test.client
    let body = reading("late")
    try client.send(
      "POST \(test.records) HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\nAuthorization: Bearer \(test.alice.token)\r\n\r\n"
        + body.prefix(9))
    #expect(try test.request("GET", user).status == 200)
    #expect(try admin("DELETE", user).status == 204)
    try client.send(String(body.dropFirst(9)))

    #expect(try client.reply().status == 401)
    #expect(try !isAnywhere("late"))
  }

  @Test func `of a user is reported to event streams`() throws {
    _ = try test.post([reading("a")])
    let client = try test.client
    try client.start("GET", "/v1/events?recent=1", token: TestServer.adminToken)
    _ = try client.head()
    _ = try client.stream(until: "event: totals")

    _ = try admin("DELETE", user)

    let news = try client.stream(until: #""records":0"#)
    let event = #"{"organization":"acme","user":"\#(test.alice.id)"}"#
    #expect(news.contains("event: erased\ndata: \(event)\n\n"))
    let later = try test.client
    try later.start(
      "GET", "/v1/events", token: TestServer.adminToken, headers: ["Last-Event-ID: 0"])
    _ = try later.head()
    let all = try later.stream(until: #""records":0"#)
    #expect(all.contains("event: erased") && !all.contains("event: record"))
  }

  // MARK: - Rejected items

  @Test func `of a record removes rejected items with its log_id`() throws {
    #expect(try post(#"{"log_id":"a","note":"rejected-content"}"#).status == 422)
    #expect(try isAnywhere("rejected-content"))

    #expect(try test.request("DELETE", test.records + "/a").status == 204)

    #expect(try !isAnywhere("rejected-content"))
    #expect(try test.request("DELETE", test.records + "/a").status == 404)
    #expect(try test.server.recordCount() == 0)
    // Nor does it come back, as it was or in order.
    #expect(try post(#"{"log_id":"a","note":"rejected-content"}"#).status == 422)
    #expect(try !isAnywhere("rejected-content"))
    #expect(try post(reading("a")).text.contains("duplicate"))
  }

  @Test func `of a record removes items sent to its path with another log_id`() throws {
    let put = try test.request(
      "PUT", test.records + "/a", type: "application/json",
      body: reading("b", systolic: 471180263))
    #expect(put.status == 422)
    #expect(try isAnywhere("471180263"))

    #expect(try test.request("DELETE", test.records + "/a").status == 204)

    #expect(try !isAnywhere("471180263"))
  }

  @Test func `of rejected items removes all of them`() throws {
    _ = try post(#"{"log_id":"a"}"#)
    _ = try post("malformed-content")
    let list = try test.request("GET", user + "/rejections")
    let items = try list.json().member("rejections").elements()
    #expect(try items.map { try $0.member("id").string() } == ["1", "2"])
    #expect(try items[1].member("body").string() == "malformed-content")
    #expect(try items[0].member("error").member("path").string() == "metrics")
    #expect(try items[0].member("received_at").instant() == .testing)

    #expect(try test.request("DELETE", user + "/rejections").status == 204)

    #expect(try !isAnywhere("malformed-content"))
    let left = try test.request("GET", user + "/rejections").json().member("rejections").elements()
    #expect(left.count == 2)
    #expect(try left.allSatisfy { try $0.optional("body") == nil })
    let bob = try test.server.createUser(organization: "acme", uid: "bob")
    let path = TestServer.path(bob) + "/rejections"
    #expect(try test.request("GET", path).status == 403)
    #expect(try admin("GET", path).text == #"{"rejections":[]}"#)
  }

  @Test func `of rejected items happens when they expire`() throws {
    _ = try post("old-content")
    clock.withLock { $0 += 29 * 86_400 }
    _ = try post("new-content")
    let commits = try SQLiteRecordStore(path: test.folder.storage)
    func expire() throws -> Int {
      let date = clock.withLock { $0 } - 30 * 86_400
      guard case .wiped(let count) = try commits.commit(.expireRejections(before: date)) else {
        return -1
      }
      return count
    }

    #expect(try expire() == 0)
    clock.withLock { $0 += 2 * 86_400 }
    #expect(try expire() == 1)

    #expect(try expire() == 0)
    #expect(try isAnywhere("new-content"))
    _ = try commits.commit(
      .delete(
        logID: "nothing", .none,
        of: try #require(
          try commits.account(UserPath(organization: "acme", id: test.alice.id)))))
  }

  @Test func `of expired items happens while the server runs`() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteRecordStore(path: folder.storage)
    let alice = try store.makeUser()
    try store.store(["old-content"], of: alice)
    let wiped = DispatchSemaphore(value: 0)
    let watcher = WatchingStore(store) { outcome in
      if case .wiped(1) = outcome { wiped.signal() }
    }

    let next = try TestServer(folder: folder, store: watcher) {
      $0.now = { .testing + 31 * 86_400 }
    }

    #expect(wiped.wait(timeout: .now() + 240) == .success)
    withExtendedLifetime(next) {}
  }

  // MARK: - A backup that is brought back

  @Test func `is repeated on a storage restored from a backup`() throws {
    let folder = test.folder
    let bob = try test.server.createUser(organization: "acme", uid: "bob-of-ward-7")
    _ = try test.post([reading("a", systolic: 471180263), reading("b", systolic: 471280263)])
    let image = TestImage(1)
    _ = try test.put(image, to: "a")
    let bobs = TestServer.path(bob)
    _ = try test.client.request(
      "POST", bobs + "/records", token: bob.token, body: reading("c", systolic: 471380263))
    test.server.stop()
    let files = [folder.storage, folder.storage + "-wal", folder.media]
    for file in files { try FileManager.default.copyItem(atPath: file, toPath: file + ".backup") }
    let second = try TestServer(folder: folder)
    #expect(
      try second.client.request(
        "DELETE", test.records + "/a", token: test.alice.token
      ).status == 204)
    #expect(
      try second.client.request(
        "DELETE", bobs, token: TestServer.adminToken
      ).status == 204)
    second.server.stop()

    try? FileManager.default.removeItem(atPath: folder.storage + "-shm")
    for file in files {
      try FileManager.default.removeItem(atPath: file)
      try FileManager.default.moveItem(atPath: file + ".backup", toPath: file)
    }
    let third = try TestServer(folder: folder)

    #expect(third.log.all.contains("erasures and revocations repeated from the journal count=2"))
    func status(_ path: String, _ token: String) throws -> Int {
      try third.client.request("GET", path, token: token).status
    }
    #expect(try status(test.records + "/a", test.alice.token) == 404)
    #expect(try status(test.records + "/b", test.alice.token) == 200)
    #expect(try status(bobs, bob.token) == 401)
    third.server.stop()
    for text in ["471180263", "471380263", "bob-of-ward-7"] {
      #expect(try !isAnywhere(text), "\(text)")
    }
    #expect(try folder.images() == [])

    // And it is not repeated for ever: what is put again stays.
    let fourth = try TestServer(folder: folder)
    let put = try fourth.client.request(
      "PUT", test.records + "/a", token: test.alice.token, type: "application/json",
      body: reading("a"))
    #expect(put.status == 201)
    fourth.server.stop()
    let fifth = try TestServer(folder: folder)
    #expect(
      try fifth.client.request("GET", test.records + "/a", token: test.alice.token).status == 200)
    #expect(!fifth.log.all.joined().contains("repeated from the journal"))
  }

  /// Copies what a backup would have.
  private func backUp() throws {
    for file in backedUp {
      try FileManager.default.copyItem(atPath: file, toPath: file + ".backup")
    }
  }

  /// Brings the copies back, of a server that has ended.
  private func restore() throws {
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: test.folder.storage + suffix)
    }
    for file in backedUp {
      try FileManager.default.removeItem(atPath: file)
      try FileManager.default.moveItem(atPath: file + ".backup", toPath: file)
    }
  }

  private var backedUp: [String] { [test.folder.storage, test.folder.media] }

  @Test func `is repeated even if the backup is older than the erased data`() throws {
    _ = try post(#"{"log_id":"rejected","note":"rejected-content"}"#)
    _ = try post("malformed-content")
    test.server.stop()
    try backUp()
    let second = try TestServer(folder: test.folder)
    func change(_ method: String, _ path: String, _ body: String? = nil) throws -> Int {
      try second.client.request(method, path, token: test.alice.token, body: body).status
    }
    #expect(try change("POST", test.records, reading("young")) == 201)
    #expect(try change("DELETE", test.records + "/young") == 204)
    #expect(try change("DELETE", test.records + "/rejected") == 204)
    #expect(try change("DELETE", user + "/rejections") == 204)
    second.server.stop()

    try restore()
    let third = try TestServer(folder: test.folder)

    func status(_ logID: String) throws -> String {
      try third.client.request(
        "POST", test.records, token: test.alice.token, body: reading(logID)
      ).json().member("status").string()
    }
    #expect(try status("young") == "duplicate")
    #expect(try status("rejected") == "duplicate")
    let put = try third.client.request(
      "PUT", test.records + "/young", token: test.alice.token, body: reading("young"))
    #expect(put.status == 201)
    third.server.stop()
    for text in ["rejected-content", "malformed-content"] {
      #expect(try !isAnywhere(text), "\(text)")
    }
  }

  @Test func `revokes tokens again that a backup restored`() throws {
    func issue(_ path: String) throws -> (text: String, id: String) {
      let json = try admin("POST", path, "{}").json()
      return (try json.member("token").string(), try json.member("id").string())
    }
    let tokens = user + "/tokens"
    let administrators = "/v1/organizations/acme/administrators"
    let (lost, rotated, kept) = (try issue(tokens), try issue(tokens), try issue(tokens))
    let nurse = try issue(administrators)
    test.server.stop()
    try backUp()
    let second = try TestServer(folder: test.folder) { [clock] in $0.now = { clock.withLock { $0 } }
    }
    func asked(_ method: String, _ path: String, _ body: String? = nil) throws -> Int {
      try second.client.request(
        method, path, token: TestServer.adminToken, type: body.map { _ in "application/json" },
        body: body
      ).status
    }
    #expect(try asked("DELETE", "\(tokens)/\(lost.id)") == 204)
    #expect(try asked("POST", "\(tokens)/\(rotated.id)/rotation", #"{"overlap":60}"#) == 201)
    #expect(try asked("DELETE", "\(administrators)/\(nurse.id)") == 204)
    second.server.stop()

    try restore()
    let third = try TestServer(folder: test.folder) { [clock] in $0.now = { clock.withLock { $0 } }
    }

    func status(_ path: String, _ token: String) throws -> Int {
      try third.client.request("GET", path, token: token).status
    }
    #expect(try status(user, lost.text) == 401)
    #expect(try status("/v1/organizations/acme/users", nurse.text) == 401)
    #expect(try status(user, rotated.text) == 200)
    clock.withLock { $0 += 60 }
    #expect(try status(user, rotated.text) == 401)
    #expect(try status(user, kept.text) == 200)
  }

  @Test func `that failed is not carried out later`() throws {
    _ = try test.post([reading("a")])
    let other = try SQLiteDatabase(path: test.folder.storage)
    // The last thing before COMMIT.
    try other.execute(
      "CREATE TRIGGER broken BEFORE UPDATE ON state BEGIN SELECT RAISE(ABORT, 'broken'); END")
    #expect(try test.request("DELETE", test.records + "/a").status == 503)
    try other.execute("DROP TRIGGER broken")
    let put = try test.request(
      "PUT", test.records + "/a", type: "application/json", body: reading("a", systolic: 99))
    #expect(put.status == 200)
    test.server.stop()

    let next = try TestServer(folder: test.folder)

    let kept = try next.client.request("GET", test.records + "/a", token: test.alice.token)
    #expect(kept.status == 200 && kept.text.contains("99"))
  }

  @Test func `and everything else is in one file after the server has ended`() throws {
    _ = try test.post([reading("a", systolic: 471180263)])
    test.server.stop()

    #expect(try test.folder.bytes("-wal").isEmpty)
    #expect(try test.folder.holds("471180263"))
  }

  @Test func `leaves a journal without log_ids, and without an erased user's records`() throws {
    _ = try test.post([reading("log-of-alice")])
    _ = try test.request("DELETE", test.records + "/log-of-alice")
    let path = test.folder.storage + "-erasures"
    let first = try String(contentsOfFile: path, encoding: .utf8)
    #expect(first.split(separator: "\n").count == 1 && !first.contains("log-of-alice"))
    // Of what is not there nothing is noted.
    #expect(try test.request("DELETE", test.records + "/nothing").status == 404)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == first)

    _ = try admin("DELETE", user)

    let second = try String(contentsOfFile: path, encoding: .utf8)
    #expect(second.split(separator: "\n").count == 1 && !second.contains("record"))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? NSNumber == 0o600)
  }
}

@Suite struct `Erasure journal` {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/journal" }

  init() throws { folder = try TemporaryFolder() }

  private static func entry(_ user: String, _ record: [UInt8]? = nil) -> JournalEntry {
    JournalEntry(
      record.map { .record($0) } ?? .user,
      of: .user(UserPath(organization: "acme", id: user)), at: .testing)
  }

  @Test func `reads what it has written`() throws {
    let user = TokenHolder.user(UserPath(organization: "acme", id: "3"))
    let entries = [
      Self.entry("1", [0, 0xff]), Self.entry("2"),
      JournalEntry(.rejections, of: user, at: .testing),
      JournalEntry(.token("t"), of: user, at: .testing),
      JournalEntry(.token("u"), of: .organization("acme"), at: .testing),
    ]
    let journal = try ErasureJournal(path: path) { _ in }
    try journal.append(entries)

    #expect(try ErasureJournal(path: path) { _ in }.entries == entries)
    #expect(Set(entries.map(\.id)).count == entries.count)
  }

  @Test func `loses no line after one truncated by a crash`() throws {
    let (first, second) = (Self.entry("1"), Self.entry("2"))
    try ErasureJournal(path: path) { _ in }.append([first])
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(Self.entry("3").line.prefix(40)))
    try handle.close()
    let lines = Locked<[String]>([])

    let journal = try ErasureJournal(path: path) { line in lines.withLock { $0.append(line) } }
    try journal.append([second])

    #expect(lines.withLock { $0 } == ["unreadable lines in the erasure journal count=1"])
    #expect(try ErasureJournal(path: path) { _ in }.entries == [first, second])
  }

  @Test func `removes only the erased user's record entries`() throws {
    let others = Self.entry("2", [7])
    let journal = try ErasureJournal(path: path) { _ in }
    try journal.append([Self.entry("1", [5]), others])
    let last = Self.entry("1")

    try journal.append([last])

    #expect(try ErasureJournal(path: path) { _ in }.entries == [others, last])
  }

  @Test func `retracts entries that were not carried out`() throws {
    let former = [Self.entry("1", [5]), Self.entry("2", [7])]
    let journal = try ErasureJournal(path: path) { _ in }
    try journal.append(former)
    journal.confirm()

    try journal.append([Self.entry("1")])
    try journal.retract()
    #expect(try ErasureJournal(path: path) { _ in }.entries == former)

    try journal.append([Self.entry("3")])
    journal.confirm()
    try journal.retract()
    #expect(try ErasureJournal(path: path) { _ in }.entries.count == 3)
  }

  @Test func `reports that it cannot be used`() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    #expect(throws: IngestError.self) { try ErasureJournal(path: path) { _ in } }
  }
}

/// A store that reports each outcome.
private final class WatchingStore: StoreWrapper {
  let store: any RecordStore
  private let report: @Sendable (Change.Outcome) -> Void

  init(_ store: any RecordStore, _ report: @escaping @Sendable (Change.Outcome) -> Void) {
    self.store = store
    self.report = report
  }

  func commit(_ changes: [Change]) throws(IngestError) -> [Change.Outcome] {
    let outcomes = try store.commit(changes)
    for outcome in outcomes { report(outcome) }
    return outcomes
  }
}
