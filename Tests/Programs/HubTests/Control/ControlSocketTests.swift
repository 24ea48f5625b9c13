// SPDX-License-Identifier: Apache-2.0

import CoreFoundation
import Foundation
import Glibc
import SantorioConcurrency
import SantorioSockets
import TestSupport
import Testing

@testable import Hub

@Suite(.timeLimit(.minutes(15))) struct `A hub's control socket` {
  private let folder: SocketFolder
  private var path: String { folder.path }

  init() throws { folder = try SocketFolder() }

  private func server(
    _ handler: any HubControlHandler = TestHandler(), users: [UInt32: HubRole] = [:],
    always: Set<UInt32> = [UInt32(geteuid())], clock: MonotonicClock? = nil,
    _ change: (inout HubControlServer.Limits) -> Void = { _ in }
  ) throws -> HubControlServer {
    var limits = HubControlServer.Limits()
    change(&limits)
    return try HubControlServer(
      socket: path, users: users, always: always, limits: limits,
      monotonicClock: clock ?? MonotonicClock(ContinuousClock()), handler: handler)
  }

  private func ask(
    _ request: HubRequest, progress: @escaping @Sendable (HubProgress) -> Void = { _ in }
  ) async throws -> HubAnswer {
    try await HubControlClient(socket: path).send(request, progress: progress)
  }

  // MARK: - Asking

  @Test func `answers a request, and knows who asks`() async throws {
    let handler = TestHandler { _, _ in .status(.sample) }
    let server = try server(handler)

    #expect(try await ask(.status) == .status(.sample))

    #expect(handler.requests.withLock { $0 } == [.status])
    #expect(handler.peers.withLock { $0.map(\.user) } == [geteuid()])
    await server.stop()
    #expect(SocketFile.Identity(path) == nil)
  }

  @Test func `says how far it is before it answers`() async throws {
    let handler = TestHandler { _, progress in
      progress(HubProgress(.searching, "Press the button."))
      progress(HubProgress(.found, "Found it."))
      return .released(2)
    }
    let server = try server(handler)
    let steps = Locked<[HubProgress.Stage]>([])

    let answer = try await ask(.enroll(.init(patient: .alias("bed-2")))) { step in
      steps.withLock { $0.append(step.stage) }
    }

    #expect(answer == .released(2))
    #expect(steps.withLock { $0 } == [.searching, .found])
    await server.stop()
  }

  @Test func `takes several requests on one connection, whole or in pieces`() async throws {
    let server = try server()
    let client = try RawClient(path)

    client.send("{\"request\":\"resume\"}\n{\"request\":")
    #expect(await client.line() == "{\"answer\":\"resumed\"}")
    client.send("\"resume\"}\n")
    #expect(await client.line() == "{\"answer\":\"resumed\"}")
    await server.stop()
  }

  @Test func `answers a program that has sent all that it wants to send`() async throws {
    let (asked, asking) = AsyncStream.makeStream(of: Void.self)
    let (goOn, going) = AsyncStream.makeStream(of: Void.self)
    let server = try server(
      TestHandler { _, _ in
        asking.yield()
        for await _ in goOn { break }
        return Task.isCancelled ? .stopping : .resumed
      })
    let client = try RawClient(path)

    client.send("{\"request\":\"resume\"}\n")
    client.endSending()
    for await _ in asked { break }
    going.yield()
    #expect(await client.line() == "{\"answer\":\"resumed\"}")
    #expect(await client.line() == nil)
    await server.stop()
  }

  @Test func `cancels a request whose program has gone`() async throws {
    let (asked, asking) = AsyncStream.makeStream(of: Void.self)
    let (cancelled, cancelling) = AsyncStream.makeStream(of: Void.self)
    let server = try server(
      TestHandler { _, _ in
        await withTaskCancellationHandler {
          asking.yield()
          let (never, _) = AsyncStream.makeStream(of: Void.self)
          for await _ in never {}
          return .resumed
        } onCancel: {
          cancelling.yield()
        }
      })
    let path = path
    let request = Task { try await HubControlClient(socket: path).send(.status) }
    for await _ in asked { break }

    request.cancel()

    for await _ in cancelled { break }
    let error = await #expect(throws: HubControlError.self) { try await request.value }
    #expect(error?.code == .disconnected)
    await server.stop()
  }

  @Test func `lets what is being carried out end when it stops`() async throws {
    let (asked, asking) = AsyncStream.makeStream(of: Void.self)
    let server = try server(
      TestHandler { _, _ in
        asking.yield()
        let (never, _) = AsyncStream.makeStream(of: Void.self)
        for await _ in never {}
        return .failed(HubFault(.failed, "interrupted"))
      })
    let (idle, busy) = (try RawClient(path), try RawClient(path))
    busy.send("{\"request\":\"status\"}\n")
    for await _ in asked { break }

    await server.stop()

    #expect(try await busy.failure() == "failed")
    #expect(await busy.line() == nil)
    #expect(try await idle.failure() == "stopping")
    let error = await #expect(throws: HubControlError.self) { try await ask(.status) }
    #expect(error?.code == .noHub)
  }

  @Test func `answers who has just connected when it stops`() async throws {
    for _ in 0..<200 {
      let server = try server()
      let client = try RawClient(path)
      await server.stop()
      #expect(try await client.failure() == "stopping")
    }
  }

  @Test(arguments: [
    ("", "before its answer"), ("{\"answer\":\"resumed\"}", "after 20 bytes"),
    ("{\"answer\":\"progress\",\"stage\":\"found\",\"message\":\"a\"}\n", "before its answer"),
  ])
  func `takes no answer for one that is missing or cut`(_ sent: String, _ place: String)
    async throws
  {
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    try #require(try SocketFile.bind(listener, to: path, mode: 0o660))
    try #require(listen(listener, 1) == 0)
    let hub = Thread {
      let connection = accept(listener, nil, nil)
      var request = [UInt8](repeating: 0, count: 4096)
      _ = unsafe recv(connection, &request, request.count, 0)
      _ = unsafe send(connection, Array(sent.utf8), sent.utf8.count, Int32(MSG_NOSIGNAL))
      close(connection)
      close(listener)
    }
    hub.start()

    let error = await #expect(throws: HubControlError.self) { try await ask(.status) }

    #expect(error?.code == .disconnected)
    #expect(error?.message.contains(place) == true, "\(error?.message ?? "")")
  }

  // MARK: - Limits

  @Test func `explains a malformed request, and takes the next one`() async throws {
    let handler = TestHandler()
    let server = try server(handler)
    let client = try RawClient(path)

    client.send("hello\n")
    #expect(try await client.failure() == "malformed")
    client.send("{\"request\":\"resume\"}\n")
    #expect(await client.line() == "{\"answer\":\"resumed\"}")
    #expect(handler.requests.withLock { $0 } == [.resume])
    await server.stop()
  }

  @Test func `ends with a request that is too large, with and without an end`() async throws {
    let handler = TestHandler()
    let server = try server(handler) { $0.requestBytes = 64 }
    for end in ["", "\n"] {
      let client = try RawClient(path)
      client.send(String(repeating: "x", count: 64) + end)
      #expect(try await client.failure() == "too_large")
      #expect(await client.line() == nil)
    }
    #expect(handler.requests.withLock { $0 } == [])
    await server.stop()
  }

  @Test func `takes only so many connections at once`() async throws {
    let server = try server { $0.connections = 1 }
    var first: RawClient? = try RawClient(path)
    first?.send("{\"request\":\"resume\"}\n")
    #expect(await first?.line() != nil)

    let error = await #expect(throws: HubControlError.self) { try await ask(.status) }
    #expect(error?.code == .busy)

    first = nil
    var answer: HubAnswer?
    // The server learns of the end a little later.
    while answer == nil {
      await Task.yield()
      answer = try? await ask(.status)
    }
    #expect(answer == .resumed)
    await server.stop()
  }

  @Test func `drops a program that asks nothing, even one that trickles bytes`() async throws {
    let clock = ManualClock()
    let server = try server(clock: MonotonicClock(clock)) { $0.idleTime = .seconds(30) }
    let client = try RawClient(path)
    client.send("{\"requ")

    #expect(await clock.sleepBegins { $0 == .seconds(30) } != nil)
    clock.advance(by: .seconds(30))

    #expect(try await client.failure() == "idle")
    #expect(await client.line() == nil)
    await server.stop()
  }

  // MARK: - Access

  @Test func `refuses a user who is not allowed, and takes one who is`() async throws {
    let own = UInt32(geteuid())
    let handler = TestHandler()
    let server = try server(handler, users: [own + 1: .operate], always: [])

    let error = await #expect(throws: HubControlError.self) { try await ask(.status) }
    #expect(error?.code == .notAllowed)
    #expect(error?.message.contains("uids") == true)
    #expect(handler.requests.withLock { $0 } == [])

    server.allow([own: .operate])
    #expect(try await ask(.status) == .resumed)
    await server.stop()
  }

  @Test(
    arguments: [
      (.look, [.status]), (.assign, [.status, .forget(UUID(), patient: nil)]),
      (.operate, [.status, .forget(UUID(), patient: nil), .pause(seconds: nil)]),
    ] as [(HubRole, [HubRequest])])
  func `lets a user ask what the role allows`(role: HubRole, allowed: [HubRequest]) async throws {
    let handler = TestHandler()
    let server = try server(handler, users: [UInt32(geteuid()): role], always: [])
    for request in allowed { #expect(try await ask(request) == .resumed) }
    let others: [HubRequest] = [.forget(UUID(), patient: nil), .stop].filter { $0.role > role }
    for request in others {
      let error = await #expect(throws: HubControlError.self) { try await ask(request) }
      #expect(error?.code == .notAllowed)
      #expect(error?.message.contains("\"\(request.role.member)\"") == true)
    }
    #expect(handler.requests.withLock { $0 } == allowed)
    await server.stop()
  }

  @Test func `lets no user take all connections`() async throws {
    let server = try server(users: [UInt32(geteuid()): .look], always: []) {
      ($0.connections, $0.connectionsPerUser) = (8, 2)
    }
    let idle = [try RawClient(path), try RawClient(path)]
    let error = await #expect(throws: HubControlError.self) { try await ask(.status) }
    #expect(error?.code == .busy)
    withExtendedLifetime(idle) {}
    await server.stop()
  }

  @Test func `keeps connections for those who may always ask`() {
    let limits = HubControlServer.Limits()
    let others = [1, 1, 1, 1, 2, 2, 2, 2].map { UInt32($0) }
    #expect(!limits.haveRoom(for: 1, beside: [1, 1, 1, 1], always: [0]))
    #expect(!limits.haveRoom(for: 3, beside: others, always: [0]))
    #expect(limits.haveRoom(for: 0, beside: others, always: [0]))
    #expect(!limits.haveRoom(for: 0, beside: .init(repeating: 0, count: 8), always: [0]))
    #expect(limits.haveRoom(for: 3, beside: .init(repeating: 0, count: 8), always: [0]))
  }

  @Test func `is open to its owner and group only`() async throws {
    let server = try server()

    var facts = stat()
    #expect(unsafe lstat(path, &facts) == 0)
    #expect(facts.st_mode & 0o7777 == 0o660)
    await server.stop()
  }

  @Test(arguments: [0o777, 0o770, 0o1777])
  func `is not opened where others could put another in its place`(_ mode: Int) throws {
    try folder.setMode(mode)

    let error = #expect(throws: HubControlError.self) { try server() }
    #expect(error?.code == .unsafeFolder)
    #expect(error?.message.contains("chmod go-w") == true)
  }

  @Test func `replaces that of an ended hub and leaves that of a running one`() async throws {
    let left = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    try #require(try SocketFile.bind(left, to: path, mode: 0o660))
    close(left)

    let first = try server()
    let error = #expect(throws: HubControlError.self) { try server() }
    #expect(error?.code == .inUse)
    #expect(try await ask(.status) == .resumed)
    await first.stop()
  }

  @Test func `is explained where there is none`() async throws {
    let missing = await #expect(throws: HubControlError.self) { try await ask(.status) }
    #expect(missing?.code == .noHub)
    #expect(missing?.message.hasPrefix("no hub runs here: \(path) does not exist") == true)

    let left = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    try #require(try SocketFile.bind(left, to: path, mode: 0o660))
    close(left)
    let ended = await #expect(throws: HubControlError.self) { try await ask(.status) }
    #expect(ended?.code == .noHub)
    #expect(ended?.message.contains("has ended") == true)
  }
}
