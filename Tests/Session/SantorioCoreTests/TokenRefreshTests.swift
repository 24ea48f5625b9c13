// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SantorioCore
import SantorioConcurrency

/// An app that is asked for tokens.
private final class TokenSource: Sendable {
  struct Unavailable: Error {}

  private struct State {
    var answers: [Result<String?, Unavailable>]
    var asked: [String] = []
    var inside = 0
    var mostInside = 0
  }

  private let state: Locked<State>

  init(_ answers: [Result<String?, Unavailable>]) { state = Locked(State(answers: answers)) }

  /// The tokens that were refused, a question each.
  var asked: [String] { state.withLock { $0.asked } }
  /// How many questions there were at once.
  var mostInside: Int { state.withLock { $0.mostInside } }

  func token(_ user: SantorioUser) async throws -> String? {
    state.withLock { state in
      state.asked.append(user.accessToken)
      state.inside += 1
      state.mostInside = max(state.mostInside, state.inside)
    }
    await Task.yield()
    return try state.withLock { state in
      state.inside -= 1
      return state.answers.isEmpty ? .success(nil) : state.answers.removeFirst()
    }.get()
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Token refresh` {
  @Test func `runs one call at a time, however often the queue is processed meanwhile`()
    async throws
  {
    let (folder, log) = (try TemporaryFolder(), Locked<[String]>([]))
    let valid = Locked<Set<String>>(["token-of-alice"])
    let asked = AsyncStream<Void>.makeStream()
    let (answers, answer) = AsyncStream<String>.makeStream()
    let count = Locked(0)
    let session = try session(folder, valid: valid, log: log) { _ in
      count.withLock { $0 += 1 }
      asked.continuation.yield()
      for await token in answers { return token }
      return nil
    }
    try await session.start(alice)
    valid.withLock { $0 = ["second"] }
    let events = session.events
    session.resume()
    try await session.submit(reading("r1"))

    for await _ in asked.stream { break }
    for _ in 0..<10 { session.processQueue() }
    try await session.submit(reading("r2"))
    guard case .waiting(let error) = session.uploadState else {
      Issue.record("\(session.uploadState)")
      return
    }
    #expect(error.code == .credentialsRefused)
    answer.yield("second")
    var delivered = 0
    for await _ in events {
      delivered += 1
      if delivered == 2 { break }
    }
    await session.suspend()

    #expect(count.withLock { $0 } == 1)
    // Refused, asked about; nothing is sent until the app has answered.
    #expect(
      log.withLock { $0 } == [
        "GET token-of-alice", "POST token-of-alice", "GET token-of-alice", "GET second",
        "POST second",
      ])
  }

  private func session(
    _ folder: TemporaryFolder, valid: Locked<Set<String>>, log: Locked<[String]>,
    refresh: @escaping @Sendable (SantorioUser) async throws -> String?
  ) throws -> SantorioSession {
    var configuration = SantorioSession.Configuration(
      directory: folder.url, endpoint: localURL())
    configuration.notificationCenter = NotificationCenter()
    configuration.random = { _ in 0 }
    configuration.refreshToken = refresh
    configuration.retryTriggers = []
    configuration.transport = ScriptedTransport { request, _ in
      let token = (request.headers.first { $0.name == "Authorization" }?.value ?? "").dropFirst(7)
      log.withLock { $0.append("\(request.method) \(token)") }
      guard valid.withLock({ $0.contains(String(token)) }) else {
        return .success(TransportResponse(401))
      }
      return ScriptedTransport.stored(request)
    }
    return SantorioSession(configuration)
  }

  @Test func `takes a new token, stores it, and sends what waited with it`() async throws {
    let (folder, log) = (try TemporaryFolder(), Locked<[String]>([]))
    let valid = Locked<Set<String>>(["token-of-alice"])
    let source = TokenSource([.failure(.init()), .success("has a blank"), .success("second")])
    let session = try session(folder, valid: valid, log: log) { try await source.token($0) }
    try await session.start(alice)
    try await session.submit([reading("r1"), reading("r2")])
    valid.withLock { $0 = ["second"] }

    let delivered = await session.runUntilDelivered(2)

    #expect(
      delivered == [
        .recordSubmitted(reading("r1"), serverID: "s-r1"),
        .recordSubmitted(reading("r2"), serverID: "s-r2"),
      ])
    // Refused, asked about, refused; nothing is sent until there is a token.
    #expect(
      log.withLock { $0 } == [
        "GET token-of-alice", "POST token-of-alice", "GET token-of-alice", "GET second",
        "POST second",
      ])
    #expect(source.asked == ["token-of-alice", "token-of-alice", "token-of-alice"])
    #expect(source.mostInside == 1)
    #expect(try await session.user()?.accessToken == "second")
  }

  @Test func `ends the session when the app has no new token`() async throws {
    let (folder, log) = (try TemporaryFolder(), Locked<[String]>([]))
    let valid = Locked<Set<String>>(["token-of-alice"])
    let source = TokenSource([.success(nil)])
    let session = try session(folder, valid: valid, log: log) { try await source.token($0) }
    try await session.start(alice)
    try await session.submit(reading("r1"))
    valid.withLock { $0 = [] }
    let events = session.events
    session.resume()

    var ended: EndedSession?
    for await event in events {
      if case .sessionEnded(let session) = event { ended = session }
      break
    }
    await session.suspend()

    #expect(ended?.reason == .credentialsRefused)
    #expect(ended?.unsentRecords == [reading("r1")])
    #expect(try await session.user() == nil)
    #expect(source.asked == ["token-of-alice"])
  }

  @Test func `keeps a token that was replaced meanwhile`() async throws {
    let folder = try TemporaryFolder()
    let outbox = try await folder.openOutbox()
    let session = try await outbox.begin(alice)

    try await outbox.replaceToken(of: session, refused: "another", with: "wrong")
    #expect(try await outbox.token(of: session) == "token-of-alice")
    try await outbox.markValidated(session.id)
    try await outbox.replaceToken(of: session, refused: "token-of-alice", with: "right")

    #expect(try await outbox.token(of: session) == "right")
    #expect(try await outbox.session()?.isValidated == false)
  }
}
