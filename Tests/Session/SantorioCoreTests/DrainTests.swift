// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import SessionTesting
import TestSupport
import Testing

@testable import SantorioCore

/// Sending what waits within the time that a system grants in the background.
@Suite(.timeLimit(.minutes(15))) struct `Draining` {
  let folder: TemporaryFolder
  let clock = ManualClock()
  let wall = WallClock()

  init() throws { folder = try TemporaryFolder() }

  private func session(
    _ credentials: (any CredentialStoring)? = nil, _ answer: @escaping ScriptedTransport.Answer
  ) async throws -> SantorioSession {
    let transport = ScriptedTransport { request, number in
      request.method == "GET" ? ScriptedTransport.stored(request) : answer(request, number)
    }
    var made = configuration(folder, transport, clock: clock)
    made.now = wall.now
    made.maximumBatchRecords = 10
    if let credentials { made.credentials = credentials }
    let session = SantorioSession(made)
    if credentials == nil { try await session.start(alice) }
    return session
  }

  @Test func `sends everything, and stops the session that did not run`() async throws {
    let session = try await session { request, _ in ScriptedTransport.stored(request) }
    try await session.submit((0..<35).map { SantorioCoreTests.reading("r\($0)") })

    #expect(try await session.drain() == .empty)

    #expect(try await session.pendingCount() == 0)
    #expect(session.uploadState == .stopped)
    #expect(try await session.drain() == .empty)
  }

  @Test func `leaves a session running that the app wants to run`() async throws {
    let session = try await session { request, _ in ScriptedTransport.stored(request) }
    session.resume()
    try await session.submit(SantorioCoreTests.reading("a"))

    #expect(try await session.drain() == .empty)

    #expect(session.uploadState == .idle)
    await session.suspend()
  }

  @Test func `uses the session that the program runs itself`() async throws {
    let session = try await session { request, _ in ScriptedTransport.stored(request) }
    try await session.submit(SantorioCoreTests.reading("a"))
    let clock = clock

    try await running(session) {
      _ = await clock.sleepBegins { $0 == WakeUp.untilCalled }
      try await session.submit(SantorioCoreTests.reading("b"))
      #expect(try await session.drain() == .empty)
      #expect(session.uploadState == .idle)
    }
  }

  @Test func `says why the rest waits`() async throws {
    let session = try await session { _, _ in .failure(TransportError(.unreachable, "no route")) }
    try await session.submit(SantorioCoreTests.reading("a"))

    guard case .waiting(let error) = try await session.drain() else {
      Issue.record("it does not wait")
      return
    }
    #expect(error.code == .serverUnreachable)
    #expect(try await session.pendingCount() == 1)
  }

  @Test func `tries at once although the session waits for another try`() async throws {
    let isDown = Locked(true)
    let session = try await session { request, _ in
      isDown.withLock { $0 }
        ? .failure(TransportError(.unreachable, "")) : ScriptedTransport.stored(request)
    }
    try await session.submit(SantorioCoreTests.reading("a"))
    session.resume()
    _ = try await session.drain()
    isDown.withLock { $0 = false }

    #expect(try await session.drain() == .empty)
    await session.suspend()
  }

  @Test func `says that records are sent again later`() async throws {
    let session = try await session { request, _ in
      // The answer has no result for the record.
      .success(
        TransportResponse(
          200, #"{"results":[{"log_id":"a","status":"created"},{"log_id":"b"}]}"#))
    }
    try await session.submit([SantorioCoreTests.reading("a"), SantorioCoreTests.reading("b")])

    #expect(try await session.drain() == .postponed)
    #expect(try await session.pendingRecords().map(\.logID) == ["b"])
  }

  @Test func `stops when its time is over`() async throws {
    let asked = AsyncStream<Void>.makeStream()
    let never = HangingTransport { asked.continuation.yield() }
    var made = configuration(folder, never, clock: clock)
    made.now = wall.now
    let session = SantorioSession(made)
    _ = try await session.outbox.begin(alice)
    try await session.submit(SantorioCoreTests.reading("a"))

    async let result = session.drain(until: wall.now().addingTimeInterval(20))
    for await _ in asked.stream { break }
    _ = await clock.sleepBegins { $0 == .seconds(20) }
    clock.advance(by: .seconds(20))

    #expect(try await result == .stopped)
    #expect(session.uploadState == .stopped)
    #expect(try await session.pendingCount() == 1)
  }

  @Test func `stops when its task is cancelled`() async throws {
    let asked = AsyncStream<Void>.makeStream()
    let session = SantorioSession(
      configuration(
        folder, HangingTransport { asked.continuation.yield() }, clock: clock))
    _ = try await session.outbox.begin(alice)
    try await session.submit(SantorioCoreTests.reading("a"))

    let task = Task { try await session.drain() }
    for await _ in asked.stream { break }
    task.cancel()

    #expect(try await task.value == .stopped)
    #expect(session.uploadState == .stopped)
  }

  @Test func `fails before the device is unlocked`() async throws {
    let store = LockableCredentials(CredentialFiles(folder: folder.url), isLocked: true)
    let session = try await session(store) { request, _ in ScriptedTransport.stored(request) }

    await #expect { try await session.drain() } throws: {
      ($0 as? SessionError)?.code == .storageLocked
    }
  }
}

/// A transport whose exchanges last until they are cancelled.
private final class HangingTransport: HTTPTransport {
  private let asked: @Sendable () -> Void

  init(_ asked: @escaping @Sendable () -> Void) { self.asked = asked }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    asked()
    let never = AsyncStream<Void>.makeStream()
    for await _ in never.stream {}
    throw TransportError(.cancelled, "the task was cancelled")
  }
}
