// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import Testing

@testable import SantorioCore

/// A session on a scripted transport whose events can be waited for.
private func configuration(
  _ folder: TemporaryFolder, _ transport: any Transport, clock: any Clock<Duration>
) -> Session.Configuration {
  var configuration = Session.Configuration(
    directory: folder.url, endpoint: LiveServer.url(port: 9))
  configuration.transport = transport
  configuration.clock = clock
  configuration.random = { $0.upperBound }
  configuration.notificationCenter = NotificationCenter()
  return configuration
}

/// Runs a session until `body` returns.
private func running<Value: Sendable>(
  _ session: Session, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask {
      try await session.run()
      return nil
    }
    group.addTask { try await body() }
    defer { group.cancelAll() }
    while let value = try await group.next() {
      if let value { return value }
    }
    throw CancellationError()
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Session life cycle` {
  let folder: TemporaryFolder
  let clock = ManualClock()

  init() throws { folder = try TemporaryFolder() }

  private func open(_ transport: any Transport) throws -> Session {
    try Session(configuration(folder, transport, clock: clock))
  }

  private func open(_ status: Int) throws -> Session {
    try open(ScriptedTransport { _, _ in .success(TransportResponse(status)) })
  }

  private let offline = ScriptedTransport { _, _ in
    .failure(TransportError(.unreachable, "no route"))
  }

  // MARK: - Start

  @Test func `asks the server about the user with the token`() async throws {
    let transport = ScriptedTransport { request, _ in ScriptedTransport.stored(request) }

    try await open(transport).start(alice)

    #expect(transport.sent.count == 1)
    #expect(
      transport.sent[0].url.absoluteString
        == "http://127.0.0.1:9/v1/organizations/acme/users/alice")
    #expect(
      transport.sent[0].headers == [TransportHeader("Authorization", "Bearer token-of-alice")])
  }

  @Test(arguments: [401, 403])
  func `ends by itself when the server does not know the user`(status: Int) async throws {
    let session = try open(status)

    await #expect { try await session.start(alice) } throws: {
      ($0 as? SessionError)?.code == .credentialsRefused && ($0 as? SessionError)?.status == status
    }

    #expect(try await session.user() == nil)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        .filter { $0.hasSuffix(".token") } == ["outbox-key.token"])
  }

  @Test func `stands without an answer of the server`() async throws {
    let session = try open(offline)

    try await session.start(alice)
    try await session.submit(reading("a"))

    #expect(try await session.user() == alice)
    #expect(try await session.pendingCount() == 1)
  }

  @Test func `ends later when the server refuses later, and hands out the records`() async throws {
    try await open(offline).start(alice)
    let session = try open(401)
    try await session.submit(reading("a"))
    let events = session.events

    let event = try await running(session) {
      var iterator = events.makeAsyncIterator()
      return await iterator.next()
    }

    guard case .sessionEnded(let ended)? = event else {
      Issue.record("\(String(describing: event))")
      return
    }
    #expect(ended.reason == .credentialsRefused)
    #expect(ended.userID == "alice")
    #expect(ended.unsentRecords == [reading("a")])
    #expect(try await session.user() == nil)
  }

  @Test(arguments: [
    User(userID: "", organizationID: "acme", accessToken: "t"),
    User(userID: "a/b", organizationID: "acme", accessToken: "t"),
    User(userID: "..", organizationID: "acme", accessToken: "t"),
    User(userID: "a", organizationID: "ä", accessToken: "t"),
    User(userID: "a", organizationID: "acme", accessToken: ""),
    User(userID: "a", organizationID: "acme", accessToken: "t\r\nHost: x"),
    User(userID: String(repeating: "a", count: 129), organizationID: "acme", accessToken: "t"),
  ])
  func `refuses a user that cannot stand in a request`(user: User) async throws {
    let session = try open(200)

    await #expect { try await session.start(user) } throws: {
      ($0 as? SessionError)?.code == .invalidUser
    }

    #expect(try await session.user() == nil)
  }

  @Test(arguments: ["ftp://host/", "host", "/path", "http://"])
  func `refuses an address that is none of a server`(address: String) throws {
    let url = try #require(URL(string: address))

    #expect {
      try Session(Session.Configuration(directory: folder.url, endpoint: url))
    } throws: {
      ($0 as? SessionError)?.code == .invalidEndpoint
    }
  }

  // MARK: - Relaunch

  @Test func `is restored with its user and its records`() async throws {
    var session: Session? = try open(200)
    try await session?.start(alice)
    try await session?.submit([reading("a"), reading("b", systolic: 130)])
    session = nil

    let restored = try open(200)

    #expect(try await restored.user() == alice)
    #expect(try await restored.pendingRecords() == [reading("a"), reading("b", systolic: 130)])
    try await restored.submit(reading("c"))
    #expect(try await restored.pendingCount() == 3)
  }

  @Test(arguments: [0o640, 0o604, 0o660, 0o602])
  func `is refused when others may read the token`(mode: Int) async throws {
    try await open(200).start(alice)
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: folder.path("session-1.token"))

    #expect { try open(200) } throws: { ($0 as? SessionError)?.code == .credentialsExposed }
  }

  @Test func `takes records without the token, and sends them once it is there again`()
    async throws
  {
    try await open(200).start(alice)
    try FileManager.default.removeItem(atPath: folder.path("session-1.token"))
    let transport = ScriptedTransport { request, _ in ScriptedTransport.stored(request) }
    let session = try open(transport)
    try await session.submit(reading("a"))
    let (events, clock) = (session.events, clock)

    let event = try await running(session) {
      _ = await clock.sleepBegins { $0 == .seconds(3600) }
      #expect(transport.sent.isEmpty)
      try await session.start(alice)
      var iterator = events.makeAsyncIterator()
      return await iterator.next()
    }

    #expect(event == .recordSubmitted(reading("a"), serverID: "s-a"))
  }

  // MARK: - End

  @Test func `hands its unsent records out and keeps them in an archive`() async throws {
    let session = try open(200)
    try await session.start(alice)
    try await session.submit([reading("a"), reading("b")])

    let ended = try await session.end()

    #expect(ended.reason == .ended)
    #expect(ended.organizationID == "acme")
    #expect(ended.unsentRecords == [reading("a"), reading("b")])
    let archive = try #require(ended.archive)
    let text = try String(contentsOf: archive, encoding: .utf8)
    #expect(text.split(separator: "\n").map { $0.prefix(2) } == ["a\t", "b\t"])
    #expect(!text.contains("systolic"))
    #expect(try await session.archives() == [ended])
    try await session.removeArchive(archive)
    #expect(!FileManager.default.fileExists(atPath: archive.path))
    #expect(try await session.archives() == [])
    await #expect { try await session.removeArchive(archive) } throws: {
      ($0 as? SessionError)?.code == .notFound
    }
    #expect(try await session.pendingCount() == 0)
    #expect(try await session.user() == nil)
    await #expect { try await session.submit(reading("c")) } throws: {
      ($0 as? SessionError)?.code == .noSession
    }
    await #expect { try await session.end() } throws: {
      ($0 as? SessionError)?.code == .noSession
    }
  }

  @Test func `leaves no archive when nothing was waiting`() async throws {
    let session = try open(200)
    try await session.start(alice)

    let ended = try await session.end()

    #expect(ended.archive == nil)
    #expect(ended.unsentRecords == [])
  }

  @Test func `ends when another user's session starts, and sends nothing as the other`()
    async throws
  {
    let transport = ScriptedTransport { request, _ in ScriptedTransport.stored(request) }
    let session = try open(transport)
    try await session.start(alice)
    try await session.submit(reading("of-alice"))
    let events = session.events

    try await session.start(bob)
    try await session.submit(reading("of-bob"))
    let told = try await running(session) {
      var iterator = events.makeAsyncIterator()
      return [await iterator.next(), await iterator.next()]
    }

    guard case .sessionEnded(let ended)? = told[0] else {
      Issue.record("\(told)")
      return
    }
    #expect(ended.reason == .replaced)
    #expect(ended.userID == "alice")
    #expect(ended.unsentRecords == [reading("of-alice")])
    #expect(told[1] == .recordSubmitted(reading("of-bob"), serverID: "s-of-bob"))
    #expect(transport.batches == [["of-bob"]])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        .filter { $0.hasSuffix(".token") }.sorted() == ["outbox-key.token", "session-2.token"])
  }

  @Test func `goes on with its records when its user starts again with a new token`() async throws {
    let session = try open(offline)
    try await session.start(alice)
    try await session.submit(reading("a"))
    var renewed = alice
    renewed.accessToken = "newer"

    try await session.start(renewed)

    #expect(try await session.user() == renewed)
    #expect(try await session.pendingCount() == 1)
  }

  @Test func `keeps damaged records out of the archive and in the quarantine`() async throws {
    let session = try open(200)
    try await session.start(alice)
    try await session.submit([reading("a"), reading("b")])
    try SQLiteDatabase(path: folder.path("outbox.sqlite"))
      .execute("UPDATE q SET body = x'ff' WHERE log_id = 'a'")

    let ended = try await session.end()

    #expect(ended.unsentRecords == [reading("b")])
    #expect(try await session.quarantinedRecords().map(\.logID) == ["a"])
  }

  @Test func `submits nothing of a call with a record that cannot be encoded`() async throws {
    let session = try open(200)
    try await session.start(alice)

    await #expect {
      try await session.submit([reading("a"), reading("b", systolic: .nan)])
    } throws: {
      let error = $0 as? SessionError
      return error?.code == .invalidRecord && error?.recordError?.path == "metrics[0].value"
    }

    #expect(try await session.pendingCount() == 0)
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Session upload` {
  let folder: TemporaryFolder
  let clock = ManualClock()

  init() throws { folder = try TemporaryFolder() }

  private func started(
    _ answer: @escaping ScriptedTransport.Answer
  ) async throws -> (Session, ScriptedTransport) {
    let transport = ScriptedTransport { request, number in
      request.method == "GET" ? ScriptedTransport.stored(request) : answer(request, number)
    }
    let session = try Session(configuration(folder, transport, clock: clock))
    try await session.start(alice)
    return (session, transport)
  }

  @Test func `sends what waits as NDJSON and tells of each record`() async throws {
    let (session, transport) = try await started { request, _ in ScriptedTransport.stored(request) }
    try await session.submit([reading("a"), reading("b")])
    let events = session.events

    let told = try await running(session) { await events.first(2) }

    #expect(
      told == [
        .recordSubmitted(reading("a"), serverID: "s-a"),
        .recordSubmitted(reading("b"), serverID: "s-b"),
      ])
    let request = try #require(transport.sent.last)
    #expect(request.url.path == "/v1/organizations/acme/users/alice/records:batch")
    #expect(
      request.headers == [
        TransportHeader("Authorization", "Bearer token-of-alice"),
        TransportHeader("Content-Type", "application/x-ndjson"),
      ])
    #expect(
      request.body == (try reading("a").informJSON()) + [10] + (try reading("b").informJSON()) + [
        10
      ]
    )
    #expect(try await session.pendingCount() == 0)
  }

  @Test func `waits after a refusal, and new records do not shorten the wait`() async throws {
    let (session, transport) = try await started { request, number in
      number == 1
        ? .success(TransportResponse(503, "", ["Retry-After": "120"]))
        : ScriptedTransport.stored(request)
    }
    try await session.submit(reading("a"))
    let (events, clock) = (session.events, clock)

    let told = try await running(session) {
      _ = await clock.sleepBegins { $0 == .seconds(120) }
      try await session.submit(reading("b"))
      clock.advance(by: .seconds(119))
      #expect(transport.batches == [["a"]])
      guard case .waiting(let error) = session.uploadState else { return [SessionEvent]() }
      #expect(error.code == .serverBusy)
      clock.advance(by: .seconds(1))
      return await events.first(2)
    }

    #expect(told.count == 2)
    #expect(transport.batches == [["a"], ["a", "b"]])
  }

  @Test func `tries at once when it is asked to`() async throws {
    let (session, transport) = try await started { request, number in
      number == 1
        ? .failure(TransportError(.unreachable, "no route")) : ScriptedTransport.stored(request)
    }
    try await session.submit(reading("a"))
    let (events, clock) = (session.events, clock)

    let told = try await running(session) {
      _ = await clock.sleepBegins { $0 == .seconds(1) }
      session.processQueue()
      return await events.first(1)
    }

    #expect(told == [.recordSubmitted(reading("a"), serverID: "s-a")])
    #expect(transport.batches == [["a"], ["a"]])
  }

  @Test func `quarantines what the server rejects and sends the rest`() async throws {
    let (session, _) = try await started { request, _ in
      let results = ScriptedTransport.logIDs(request).map { logID in
        logID == "bad"
          ? #"{"log_id":"bad","status":"rejected","error":{"code":"missing","message":"m"}}"#
          : #"{"log_id":"\#(logID)","status":"created","id":"1"}"#
      }
      return .success(
        TransportResponse(200, #"{"results":[\#(results.joined(separator: ","))]}"#))
    }
    try await session.submit([reading("good"), reading("bad")])
    let events = session.events

    let told = try await running(session) { await events.first(2) }

    let failure = RecordFailure(status: nil, code: "missing", message: "m", path: nil)
    #expect(
      told == [
        .recordSubmitted(reading("good"), serverID: "1"), .recordFailed(reading("bad"), failure),
      ])
    #expect(try await session.pendingCount() == 0)
    let quarantined = try await session.quarantinedRecords()
    #expect(quarantined.map(\.failure) == [failure])
    #expect(quarantined.map(\.userID) == ["alice"])
    #expect(try HealthRecord(informJSON: quarantined[0].octets) == reading("bad"))
  }

  @Test func `does not run while another process uploads from the folder`() async throws {
    let (session, _) = try await started { request, _ in ScriptedTransport.stored(request) }
    let lock = try #require(try FileLock(path: folder.path("outbox.sqlite.lock"), .exclusive))

    await #expect { try await session.run() } throws: {
      ($0 as? SessionError)?.code == .uploaderIsRunning
    }

    #expect(session.uploadState == .stopped)
    withExtendedLifetime(lock) {}
  }

  @Test func `has its folder for itself in the process, until it is released`() async throws {
    let transport = ScriptedTransport { request, _ in ScriptedTransport.stored(request) }
    var session: Session? = try Session(configuration(folder, transport, clock: clock))

    #expect { try Session(configuration(folder, transport, clock: clock)) } throws: {
      ($0 as? SessionError)?.code == .folderInUse
    }

    session = nil
    #expect(session == nil)
    _ = try Session(configuration(folder, transport, clock: clock))
  }

  @Test func `runs in the background between resume and suspend`() async throws {
    let (session, _) = try await started { request, _ in ScriptedTransport.stored(request) }
    try await session.submit(reading("a"))
    let events = session.events

    session.resume()
    session.resume()
    #expect(await events.first(1) == [.recordSubmitted(reading("a"), serverID: "s-a")])
    await session.suspend()
    #expect(session.uploadState == .stopped)

    try await session.submit(reading("b"))
    let later = session.events
    session.resume()
    #expect(await later.first(1) == [.recordSubmitted(reading("b"), serverID: "s-b")])
    await session.suspend()
  }

  // MARK: - Events

  @Test func `tells an event again after a relaunch when its handling was cut short`() async throws
  {
    try await handleFirstOfTwo()
    let stored = try SQLiteDatabase(path: folder.path("outbox.sqlite"))
    #expect(try stored.prepare("SELECT log_id FROM ev").all { $0.text(0) }.contains("b"))

    let relaunched = try Session(
      configuration(
        folder, ScriptedTransport { request, _ in ScriptedTransport.stored(request) },
        clock: clock))
    let later = relaunched.events
    let told = try await running(relaunched) {
      var last: SessionEvent?
      for await event in later {
        last = event
        if event == .recordSubmitted(reading("b"), serverID: "s-b") { break }
      }
      return last
    }

    #expect(told == .recordSubmitted(reading("b"), serverID: "s-b"))
  }

  /// «a» is handled: the loop has asked for «b», whose handling is never over.
  private func handleFirstOfTwo() async throws {
    let (session, _) = try await started { request, _ in ScriptedTransport.stored(request) }
    try await session.submit([reading("a"), reading("b")])
    let events = session.events
    var iterator = events.makeAsyncIterator()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await session.run() }
      _ = await iterator.next()
      _ = await iterator.next()
      group.cancelAll()
      try await group.waitForAll()
    }
    withExtendedLifetime(events) {}
  }

  @Test func `posts each event as a notification with the session as its object`() async throws {
    let transport = ScriptedTransport { request, _ in ScriptedTransport.stored(request) }
    let made = configuration(folder, transport, clock: clock)
    let session = try Session(made)
    try await session.start(alice)
    try await session.submit(reading("a"))
    let posted = AsyncStream<SessionEvent>.makeStream()
    let observer = made.notificationCenter.addObserver(
      forName: Session.recordSubmittedNotification, object: session, queue: nil
    ) { notification in
      if let event = SessionEvent(notification) { posted.continuation.yield(event) }
    }
    defer { made.notificationCenter.removeObserver(observer) }

    let event = try await running(session) {
      var iterator = posted.stream.makeAsyncIterator()
      return await iterator.next()
    }

    #expect(event == .recordSubmitted(reading("a"), serverID: "s-a"))
  }

  @Test func `gives all sequences the same events in the same order`() async throws {
    let (session, _) = try await started { request, _ in ScriptedTransport.stored(request) }
    try await session.submit((0..<20).map { reading("r\($0)") })
    let (one, other) = (session.events, session.events)

    let told = try await running(session) {
      async let first = one.first(20)
      async let second = other.first(20)
      return await (first, second)
    }

    #expect(told.0 == (0..<20).map { .recordSubmitted(reading("r\($0)"), serverID: "s-r\($0)") })
    #expect(told.1 == told.0)
  }

  // MARK: - The real server

  @Test func `brings every record to the server once, over TCP`() async throws {
    let server = try LiveServer()
    var made = Session.Configuration(directory: folder.url, endpoint: server.url)
    made.notificationCenter = NotificationCenter()
    made.maximumBatchRecords = 7
    let session = try Session(made)
    try await session.start(server.alice)
    let events = session.events

    let told = try await running(session) {
      for start in stride(from: 0, to: 100, by: 10) {
        try await session.submit((start..<start + 10).map { reading("r\($0)") })
      }
      return await events.first(100)
    }

    #expect(try server.stored() == (0..<100).map { "r\($0)" }.sorted())
    #expect(told.count == 100)
    #expect(try await session.pendingCount() == 0)
  }

  @Test func `is ended by the real server when its token is wrong`() async throws {
    let server = try LiveServer()
    let session = try Session(
      Session.Configuration(directory: folder.url, endpoint: server.url))
    var stranger = server.alice
    stranger.accessToken = "wrong"

    await #expect { try await session.start(stranger) } throws: {
      ($0 as? SessionError)?.code == .credentialsRefused
    }
  }
}
