// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoundationEssentials
import SantorioConcurrency
import Testing

@testable import IngestServer

@Suite(.timeLimit(.minutes(15))) struct `Stopping and failing` {
  /// A server over a store that was made for the test, and that store.
  private static func server<Store: RecordStore>(
    over make: (any RecordStore) -> Store
  ) throws -> (TestServer, Store) {
    let folder = try TemporaryFolder()
    let store = make(try SQLiteRecordStore(path: folder.storage))
    var limits = IngestServer.Limits()
    // A gate may stay shut, and a connection idle, for as long as a busy machine takes.
    (limits.stopTime, limits.headTime, limits.keepAliveTime) = (
      .seconds(240), .seconds(240), .seconds(240)
    )
    (limits.idleSeconds, limits.lastAnswersTime) = (240, .seconds(240))
    let test = try TestServer(folder: folder, store: store, limits: limits)
    try waitForCommitsAtStart(of: test)
    return (test, store)
  }

  /// Waits until what the server commits at its start is over; commits have one queue.
  private static func waitForCommitsAtStart(of test: TestServer) throws {
    #expect(try test.request("DELETE", test.records + "/none").status == 404)
  }

  @Test func `answers all accepted requests before it ends`() throws {
    let (test, gate) = try Self.server(over: GatedStore.init)
    gate.shut()
    let clients = try (0..<20).map { _ in try test.client }
    for (number, client) in clients.enumerated() {
      try client.start(
        "POST", test.records, token: test.alice.token, type: "application/json",
        body: reading("r\(number)"))
    }
    #expect(gate.waitForCommit())
    let stopped = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      test.server.stop()
      stopped.signal()
    }

    gate.open()

    // What the server had not yet read when it ended gets no answer, or the advice to come back.
    let statuses = clients.map { (try? $0.reply().status) ?? 0 }
    #expect(stopped.wait(timeout: .now() + 240) == .success)
    #expect(statuses.contains(201))
    #expect(Set(statuses).isSubset(of: [201, 503, 0]))
    let answered = statuses.count { $0 == 201 }
    #expect(try SQLiteRecordStore(path: test.folder.storage).totals().created >= answered)
  }

  // The library takes a response up some time after it was given: its threads may be busy.
  @Test func `sends an answer that was given just before the end`() throws {
    let folder = try TemporaryFolder()
    let gate = GatedStore(try SQLiteRecordStore(path: folder.storage))
    let (isBusy, held, released) = (Locked(false), DispatchSemaphore(value: 0), Latch())
    let test = try TestServer(folder: folder, store: gate) { configuration in
      (configuration.limits.stopTime, configuration.limits.lastAnswersTime) = (
        .seconds(240), .seconds(240)
      )
      configuration.log = { line in
        guard line.hasPrefix("request "), isBusy.withLock({ $0 }) else { return }
        held.signal()
        released.wait()
      }
    }
    gate.shut()
    let client = try test.client
    try client.start(
      "POST", test.records, token: test.alice.token, type: "application/json", body: reading("r"))
    #expect(gate.waitForCommit())
    isBusy.withLock { $0 = true }
    let others = try (0..<16).map { _ in try test.client }
    for other in others { try other.start("GET", "/nowhere") }
    for _ in 0..<HTTPServer.threads { held.wait() }

    let stopped = Self.stop(test.server)
    gate.open()
    // Without the answer it would end now, as far as the busy threads let it.
    #expect(stopped.wait(timeout: .now() + .milliseconds(300)) == .timedOut)
    released.open()

    #expect(try client.reply().status == 201)
    #expect(stopped.wait(timeout: .now() + 240) == .success)
    withExtendedLifetime(others) {}
  }

  /// Lets all pass once it is open.
  private final class Latch: Sendable {
    private let group = DispatchGroup()

    init() { group.enter() }

    func wait() { group.wait() }

    func open() { group.leave() }
  }

  /// Ends a server on another thread; the semaphore says when it has ended.
  private static func stop(_ server: IngestServer) -> DispatchSemaphore {
    let stopped = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      server.stop()
      stopped.signal()
    }
    return stopped
  }

  @Test func `ends while clients keep sending requests`() throws {
    let test = try TestServer()
    for batch in 0..<5 { _ = try test.post((0..<200).map { reading("r\(batch)-\($0)") }) }
    let (done, statuses) = (DispatchGroup(), Locked<Set<Int>>([]))
    let started = DispatchSemaphore(value: 0)
    for _ in 0..<4 {
      let (port, path) = (test.server.port, test.records + "?limit=1000")
      DispatchQueue(label: "client").async(group: done) { [token = test.alice.token] in
        guard let client = try? SocketClient(port) else { return }
        // Until the connection ends.
        while let reply = try? client.request("GET", path, token: token) {
          statuses.withLock { _ = $0.insert(reply.status) }
          started.signal()
        }
      }
    }
    for _ in 0..<8 { started.wait() }

    test.server.stop()

    #expect(done.wait(timeout: .now() + 240) == .success)
    #expect(statuses.withLock { $0 }.isSubset(of: [200, 503]))
  }

  @Test func `accepts nothing more while ending, and refuses waiting work`() throws {
    let (test, gate) = try Self.server(over: GatedStore.init)
    let (working, waiting, kept) = (try test.client, try test.client, try test.client)
    #expect(try kept.request("GET", "/healthz").status == 200)
    gate.shut()
    // So large that its user has its turn until it is stored.
    let large = reading("a", more: String(repeating: " ", count: 100_000))
    try working.start(
      "POST", test.records, token: test.alice.token, type: "application/json", body: large)
    #expect(gate.waitForCommit())
    try waiting.start("GET", test.records + "/a", token: test.alice.token)
    try waiting.start("GET", "/healthz")
    let stopped = Self.stop(test.server)

    let refused = try waiting.reply()
    #expect(refused.status == 503)
    #expect(try refused.code() == "unavailable")
    let late = try kept.request("GET", "/healthz")
    #expect(late.status == 503)
    #expect(late.headers["retry-after"] == "5")
    #expect(late.headers["connection"]?.lowercased() == "close")
    #expect(try kept.isClosedByServer())
    #expect(throws: SocketClient.Failure.self) { try SocketClient(test.server.port) }

    gate.open()
    #expect(try working.reply().status == 201)
    #expect(stopped.wait(timeout: .now() + 240) == .success)
    #expect(try SQLiteRecordStore(path: test.folder.storage).totals().created == 1)
  }

  @Test func `ends even if its disk does not respond`() throws {
    var limits = IngestServer.Limits()
    limits.stopTime = .milliseconds(100)
    let folder = try TemporaryFolder()
    let gate = GatedStore(try SQLiteRecordStore(path: folder.storage))
    let test = try TestServer(folder: folder, store: gate, limits: limits)
    try Self.waitForCommitsAtStart(of: test)
    gate.shut()
    let client = try test.client
    try client.start(
      "POST", test.records, token: test.alice.token, type: "application/json", body: reading("a"))
    #expect(gate.waitForCommit())

    test.server.stop()

    #expect(test.log.all.contains { $0.hasPrefix("a request could not be answered in time") })
    gate.open()
  }

  @Test func `ends even if clients do not read their responses`() throws {
    let test = try TestServer()
    _ = try test.post([reading("a")])
    let image = TestImage(1, size: 8 << 20)
    _ = try test.put(image, to: "a")
    let clients = try (0..<4).map { _ in try test.client }
    for client in clients {
      client.takeLittle()
      try client.start(
        "GET", "\(test.records)/a/media/\(image.digest)", token: test.alice.token)
      #expect(try client.head().status == 200)
    }

    test.server.stop()

    for client in clients {
      client.takeMuch()
      #expect(try client.countToEnd() < 8 << 20)
    }
  }

  @Test func `ends while event streams are open`() throws {
    let test = try TestServer()
    let clients = try (0..<10).map { _ in try test.client }
    for client in clients {
      try client.start("GET", "/v1/events", token: TestServer.adminToken)
      #expect(try client.head().status == 200)
      _ = try client.stream(until: "event: totals")
    }

    test.server.stop()

    for client in clients { #expect(try client.isClosedByServer()) }
  }

  @Test func `ends once, however often it is stopped`() throws {
    let test = try TestServer()
    let client = try test.client

    test.server.stop()
    test.server.stop()

    #expect(try client.isClosedByServer())
  }

  // Not on the same port: a process that another test starts holds the socket from fork to exec.
  @Test func `releases its storage to another server`() throws {
    let test = try TestServer()
    _ = try test.post([reading("a")])
    test.server.stop()

    let next = try IngestServer(configuration: .init(storagePath: test.folder.storage))
    defer { next.stop() }

    let reply = try SocketClient(next.port).request("GET", test.records, token: test.alice.token)
    #expect(reply.text.contains(#""log_id":"a""#))
  }

  @Test func `reports a port in use`() throws {
    let test = try TestServer()
    let folder = try TemporaryFolder()

    let error = #expect(throws: IngestError.self) {
      try IngestServer(configuration: .init(storagePath: folder.storage, port: test.server.port))
    }
    #expect(error?.code == .cannotListen)
    #expect(error?.message.contains("127.0.0.1:\(test.server.port)") == true)
  }

  @Test func `rejects an invalid configuration`() throws {
    let folder = try TemporaryFolder()
    let path = folder.storage
    for configuration in [
      IngestServer.Configuration(storagePath: path, addresses: ["localhost"]),
      IngestServer.Configuration(storagePath: path, adminToken: "short"),
      IngestServer.Configuration(storagePath: path, adminToken: "with blanks in the token"),
    ] {
      let error = #expect(throws: IngestError.self) {
        try IngestServer(configuration: configuration)
      }
      #expect(error?.code == .invalidConfiguration)
    }
  }

  @Test func `creates an administrator's token if none is given`() throws {
    let folder = try TemporaryFolder()
    let server = try IngestServer(configuration: .init(storagePath: folder.storage))
    defer { server.stop() }

    #expect(server.adminToken.count == 64)
    let reply = try SocketClient(server.port).request(
      "POST", "/v1/organizations/acme/users", token: server.adminToken, body: #"{"uid":"a"}"#)
    #expect(reply.status == 201)
  }

  @Test func `answers 503 while the disk is full, and recovers`() throws {
    let (test, store) = try Self.server(over: FailingStore.init)
    store.fail(with: IngestError(.storageFull, "the disk is full"))

    let refused = try test.post([reading("a")])
    #expect(refused.status == 503)
    #expect(refused.headers["retry-after"] == "5")
    #expect(try test.client.request("GET", "/healthz").status == 503)

    store.fail(with: nil)
    #expect(try test.client.request("GET", "/healthz").status == 200)
    #expect(try test.statuses([reading("a")]) == ["created"])
  }

  @Test func `logs the storage's error and does not send it to the client`() throws {
    let (test, store) = try Self.server(over: FailingStore.init)
    store.fail(with: IngestError(.unavailable, "the storage cannot be used", cause: "SQLite 10"))

    let refused = try test.post([reading("a")])

    #expect(!refused.text.contains("SQLite"))
    #expect(test.log.all.contains { $0.hasPrefix("commit failed:") && $0.contains("SQLite 10") })
  }
}
