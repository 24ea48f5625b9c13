// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioFiles
import SantorioSQLite
import TestSupport
import Testing

@testable import SantorioCore

@Suite(.timeLimit(.minutes(15))) struct `Session upload` {
  let folder: TemporaryFolder
  let clock = ManualClock()

  init() throws { folder = try TemporaryFolder() }

  private func started(
    _ answer: @escaping ScriptedTransport.Answer
  ) async throws -> (SantorioSession, ScriptedTransport) {
    let transport = ScriptedTransport { request, number in
      request.method == "GET" ? ScriptedTransport.stored(request) : answer(request, number)
    }
    let session = SantorioSession(configuration(folder, transport, clock: clock))
    try await session.start(alice)
    return (session, transport)
  }

  @Test func `sends waiting records as NDJSON and reports each one`() async throws {
    let (session, transport) = try await started { request, _ in ScriptedTransport.stored(request) }
    try await session.submit([reading("a"), reading("b")])
    let events = session.events

    let delivered = try await running(session) { await events.first(2) }

    #expect(
      delivered == [
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

  // A gateway has a queue for each patient, and looks at all of them again and again.
  @Test func `keeps no pages of its file in memory while it rests, also when it is looked at`()
    async throws
  {
    let (session, _) = try await started { request, _ in ScriptedTransport.stored(request) }
    let outbox = session.outbox
    func pagesAfterLooking() async throws -> Int {
      #expect(try await session.pendingCount() == 0)
      await outbox.untilReleased()
      return await outbox.pageMemory
    }
    let kept = try await pagesAfterLooking()
    await outbox.rest()
    let resting = try await pagesAfterLooking()
    #expect(resting < kept)
    await outbox.endRest()
    #expect(try await pagesAfterLooking() > resting)

    try await running(session) {
      while await !outbox.isResting { await Task.yield() }
    }
  }

  @Test func `tells of each change of the uploader's state, and who is slow of the latest`() async {
    let state = ObservedUploadState()
    var states = state.changes().makeAsyncIterator()
    #expect(await states.next() == .stopped)
    state.set(.uploading)
    state.set(.idle)
    #expect(await states.next() == .idle)
    state.set(.idle)
    state.set(.stopped)
    #expect(await states.next() == .stopped)

    // The end of the session is that of the changes.
    var last = ObservedUploadState().changes().makeAsyncIterator()
    #expect(await last.next() == .stopped)
    #expect(await last.next() == nil)
  }

  @Test func `waits after a refusal, and new records do not shorten the wait`() async throws {
    let (session, transport) = try await started { request, number in
      number == 1
        ? .success(TransportResponse(503, "", ["Retry-After": "120"]))
        : ScriptedTransport.stored(request)
    }
    try await session.submit(reading("a"))
    let (events, clock) = (session.events, clock)

    let delivered = try await running(session) {
      _ = await clock.sleepBegins { $0 == .seconds(120) }
      try await session.submit(reading("b"))
      clock.advance(by: .seconds(119))
      #expect(transport.batches == [["a"]])
      guard case .waiting(let error) = session.uploadState else { return [SessionEvent]() }
      #expect(error.code == .serverBusy)
      clock.advance(by: .seconds(1))
      return await events.first(2)
    }

    #expect(delivered.count == 2)
    #expect(transport.batches == [["a"], ["a", "b"]])
  }

  @Test func `tries at once on request`() async throws {
    let (session, transport) = try await started { request, number in
      number == 1
        ? .failure(TransportError(.unreachable, "no route")) : ScriptedTransport.stored(request)
    }
    try await session.submit(reading("a"))
    let (events, clock) = (session.events, clock)

    let delivered = try await running(session) {
      _ = await clock.sleepBegins { $0 == .seconds(1) }
      session.processQueue()
      return await events.first(1)
    }

    #expect(delivered == [.recordSubmitted(reading("a"), serverID: "s-a")])
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

    let delivered = try await running(session) { await events.first(2) }

    let failure = RecordFailure(status: nil, code: "missing", message: "m", path: nil)
    #expect(
      delivered == [
        .recordSubmitted(reading("good"), serverID: "1"), .recordFailed(reading("bad"), failure),
      ])
    #expect(try await session.pendingCount() == 0)
    let quarantined = try await session.quarantinedRecords()
    #expect(quarantined.map(\.failure) == [failure])
    #expect(quarantined.map(\.userID) == ["alice"])
    #expect(try HealthRecord(informJSON: quarantined[0].bytes) == reading("bad"))
  }

  @Test func `does not run while another process uploads from the folder`() async throws {
    let (session, _) = try await started { request, _ in ScriptedTransport.stored(request) }
    let lock = try #require(try FileLock.take(folder.path("outbox.sqlite.lock"), .exclusive))

    await #expect { try await session.run() } throws: {
      ($0 as? SessionError)?.code == .uploaderIsRunning
    }

    #expect(session.uploadState == .stopped)
    withExtendedLifetime(lock) {}
  }

  @Test func `is the only one on its folder in the process, until it is deallocated`() async throws
  {
    let transport = ScriptedTransport { request, _ in ScriptedTransport.stored(request) }
    var session: SantorioSession? = SantorioSession(
      configuration(folder, transport, clock: clock))
    let other = SantorioSession(configuration(folder, transport, clock: clock))
    try await session?.open()

    await #expect { try await other.submit(reading("a")) } throws: {
      ($0 as? SessionError)?.code == .folderInUse
    }

    session = nil
    #expect(session == nil)
    try await other.open()
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

  @Test func `delivers an event again after a relaunch when its handling was interrupted`()
    async throws
  {
    try await handleFirstOfTwo()
    #expect(try folder.logIDs(in: "ev").contains("b"))

    let relaunched = SantorioSession(
      configuration(
        folder, ScriptedTransport { request, _ in ScriptedTransport.stored(request) },
        clock: clock))
    let later = relaunched.events
    let delivered = try await running(relaunched) {
      var last: SessionEvent?
      for await event in later {
        last = event
        if event == .recordSubmitted(reading("b"), serverID: "s-b") { break }
      }
      return last
    }

    #expect(delivered == .recordSubmitted(reading("b"), serverID: "s-b"))
  }

  /// "a" is handled: the loop has asked for "b", whose handling is never over.
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
    let session = SantorioSession(made)
    try await session.start(alice)
    try await session.submit(reading("a"))
    let posted = AsyncStream<SessionEvent>.makeStream()
    let observer = made.notificationCenter.addObserver(
      forName: SantorioSession.recordSubmittedNotification, object: session, queue: nil
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

    let delivered = try await running(session) {
      async let first = one.first(20)
      async let second = other.first(20)
      return await (first, second)
    }

    #expect(
      delivered.0 == (0..<20).map { .recordSubmitted(reading("r\($0)"), serverID: "s-r\($0)") })
    #expect(delivered.1 == delivered.0)
  }
}

extension Outbox {
  /// Returns after the work that gives memory back, which was begun before.
  fileprivate func untilReleased() async { await Task {}.value }
}
