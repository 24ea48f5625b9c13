// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoundationEssentials
import Testing

@testable import IngestServer

@Suite(.timeLimit(.minutes(15))) struct `Stopping and failing` {
  /// A server over a store that was made for the test, and that store.
  private static func server<Store: RecordStore>(
    over make: (any RecordStore) -> Store
  ) throws -> (TestServer, Store) {
    let folder = try TemporaryFolder()
    let store = make(try SQLiteRecordStore(path: folder.storage))
    return (try TestServer(folder: folder, store: store), store)
  }

  @Test func `answers all requests that it has taken before it ends`() throws {
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

  @Test func `ends while streams of events are open`() throws {
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

  @Test func `ends once, however often it is told`() throws {
    let test = try TestServer()
    let client = try test.client

    test.server.stop()
    test.server.stop()

    #expect(try client.isClosedByServer())
  }

  // Not on the same port: a process that another test starts holds the socket from fork to exec.
  @Test func `lets another take its storage`() throws {
    let test = try TestServer()
    _ = try test.post([reading("a")])
    test.server.stop()

    let next = try IngestServer(configuration: .init(storagePath: test.folder.storage))
    defer { next.stop() }

    let reply = try SocketClient(next.port).request("GET", test.records, token: test.alice.token)
    #expect(reply.text.contains(#""log_id":"a""#))
  }

  @Test func `says that its port is taken`() throws {
    let test = try TestServer()
    let folder = try TemporaryFolder()

    let error = #expect(throws: IngestError.self) {
      try IngestServer(configuration: .init(storagePath: folder.storage, port: test.server.port))
    }
    #expect(error?.code == .cannotListen)
    #expect(error?.message.contains("127.0.0.1:\(test.server.port)") == true)
  }

  @Test func `wants a sound configuration`() throws {
    let folder = try TemporaryFolder()
    let path = folder.storage
    for configuration in [
      IngestServer.Configuration(storagePath: path, address: "localhost"),
      IngestServer.Configuration(storagePath: path, adminToken: "short"),
      IngestServer.Configuration(storagePath: path, adminToken: "with blanks in the token"),
    ] {
      let error = #expect(throws: IngestError.self) {
        try IngestServer(configuration: configuration)
      }
      #expect(error?.code == .invalidConfiguration)
    }
  }

  @Test func `makes an administrator token when none is given`() throws {
    let folder = try TemporaryFolder()
    let server = try IngestServer(configuration: .init(storagePath: folder.storage))
    defer { server.stop() }

    #expect(server.adminToken.count == 64)
    let reply = try SocketClient(server.port).request(
      "POST", "/v1/organizations/acme/users", token: server.adminToken, body: #"{"uid":"a"}"#)
    #expect(reply.status == 201)
  }

  @Test func `asks for patience while the disk is full, and recovers`() throws {
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

  @Test func `tells the log, not the client, what the storage said`() throws {
    let (test, store) = try Self.server(over: FailingStore.init)
    store.fail(with: IngestError(.unavailable, "the storage cannot be used", cause: "SQLite 10"))

    let refused = try test.post([reading("a")])

    #expect(!refused.text.contains("SQLite"))
    #expect(test.log.all.contains { $0.hasPrefix("commit failed:") && $0.contains("SQLite 10") })
  }
}
