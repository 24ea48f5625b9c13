// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import TestSupport
import Testing

@testable import SantorioCore

@Suite(.timeLimit(.minutes(15))) struct `Session life cycle` {
  let folder: TemporaryFolder
  let clock = ManualClock()

  init() throws { folder = try TemporaryFolder() }

  private func open(_ transport: any HTTPTransport) async throws -> SantorioSession {
    let session = SantorioSession(configuration(folder, transport, clock: clock))
    try await session.open()
    return session
  }

  private func open(_ status: Int) async throws -> SantorioSession {
    try await open(ScriptedTransport { _, _ in .success(TransportResponse(status)) })
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
    let session = try await open(status)

    await #expect { try await session.start(alice) } throws: {
      ($0 as? SessionError)?.code == .credentialsRefused && ($0 as? SessionError)?.status == status
    }

    #expect(try await session.user() == nil)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        .filter { $0.hasSuffix(".token") } == ["outbox-key.token"])
  }

  @Test func `continues without an answer from the server`() async throws {
    let session = try await open(offline)

    try await session.start(alice)
    try await session.submit(reading("a"))

    #expect(try await session.user() == alice)
    #expect(try await session.pendingCount() == 1)
  }

  @Test func `ends later when the server refuses later, and hands out the records`() async throws {
    try await open(offline).start(alice)
    let session = try await open(401)
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
    SantorioUser(userID: "", organizationID: "acme", accessToken: "t"),
    SantorioUser(userID: "a/b", organizationID: "acme", accessToken: "t"),
    SantorioUser(userID: "..", organizationID: "acme", accessToken: "t"),
    SantorioUser(userID: "a", organizationID: "ä", accessToken: "t"),
    SantorioUser(userID: "a", organizationID: "acme", accessToken: ""),
    SantorioUser(userID: "a", organizationID: "acme", accessToken: "t\r\nHost: x"),
    SantorioUser(
      userID: String(repeating: "a", count: 129), organizationID: "acme", accessToken: "t"),
  ])
  func `refuses a user whose identifiers or token cannot be part of a request`(user: SantorioUser)
    async throws
  {
    let session = try await open(200)

    await #expect { try await session.start(user) } throws: {
      ($0 as? SessionError)?.code == .invalidUser
    }

    #expect(try await session.user() == nil)
  }

  @Test(arguments: [
    "ftp://host/", "host", "/path", "http://", "https://host/?a=b", "https://host/#part",
    "https://alice:secret@host/", "http://127.0.0.1@example.org",
  ])
  func `refuses an address that is not http or https`(address: String) async throws {
    let url = try #require(URL(string: address))

    await #expect {
      try await SantorioSession(
        SantorioSession.Configuration(directory: folder.url, endpoint: url)
      ).open()
    } throws: {
      ($0 as? SessionError)?.code == .invalidEndpoint
    }
  }

  @Test(arguments: [
    ("https://readings.example.org", true), ("http://127.0.0.1:8080", true),
    ("http://127.9.9.9", true), ("http://[::1]:8080", true), ("http://localhost", true),
    ("HTTP://LOCALHOST", true), ("http://a.localhost", true), ("http://readings.local", false),
    ("http://10.0.0.7", false), ("http://127.0.0.1.example.org", false), ("http://127.1", false),
    ("http://128.0.0.1", false), ("http://localhost.example.org", false), ("http://[::2]", false),
    ("http://127.0.0.256", false),
  ])
  func `sends over plain http to its own machine only, unless allowed`(
    address: String, isAllowed: Bool
  ) async throws {
    var configuration = SantorioSession.Configuration(
      directory: folder.url, endpoint: try #require(URL(string: address)))
    func code() async -> SessionError.Code? {
      do throws(SessionError) {
        try await SantorioSession(configuration).open()
        return nil
      } catch {
        return error.code
      }
    }

    #expect(await code() == (isAllowed ? nil : .insecureEndpoint))
    let client = try? IngestClient(endpoint: configuration.destination.endpoint, user: alice)
    #expect((client != nil) == isAllowed)
    configuration.allowsPlainHTTP = true
    #expect(await code() == nil)
  }

  // MARK: - Relaunch

  @Test func `is restored with its user and its records`() async throws {
    var session: SantorioSession? = try await open(200)
    try await session?.start(alice)
    try await session?.submit([reading("a"), reading("b", systolic: 130)])
    session = nil

    let restored = try await open(200)

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

    await #expect { try await open(200) } throws: {
      ($0 as? SessionError)?.code == .credentialsExposed
    }
  }

  @Test func `accepts records without the token, and sends them once it is available`()
    async throws
  {
    try await open(200).start(alice)
    try FileManager.default.removeItem(atPath: folder.path("session-1.token"))
    let transport = ScriptedTransport { request, _ in ScriptedTransport.stored(request) }
    let session = try await open(transport)
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

  @Test func `returns its unsent records and keeps them in an archive`() async throws {
    let session = try await open(200)
    try await session.start(alice)
    try await session.submit([reading("a"), reading("b")])

    let ended = try await session.end()

    #expect(ended.reason == .ended)
    #expect(ended.organizationID == "acme")
    #expect(ended.unsentRecords == [reading("a"), reading("b")])
    // The second copy of the session's row names the user.
    #expect(!FileManager.default.fileExists(atPath: folder.path("outbox.sqlite.session")))
    let archive = try #require(ended.archive)
    #expect(try folder.logIDs(inArchive: archive) == ["a", "b"])
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
    let session = try await open(200)
    try await session.start(alice)

    let ended = try await session.end()

    #expect(ended.archive == nil)
    #expect(ended.unsentRecords == [])
  }

  // A reading takes minutes; meanwhile the gateway may be given to another user.
  @Test func `stores nothing in the next session that was read for it`() async throws {
    let session = try await open(200)
    try await session.start(alice)
    let number = try await session.currentNumber()
    try await session.submit([reading("a")], inSession: number)

    try await session.start(bob)

    await #expect { try await session.submit([reading("b")], inSession: number) } throws: {
      ($0 as? SessionError)?.code == .sessionEnded
    }
    await #expect { try await session.hold([reading("c")], inSession: number) } throws: {
      ($0 as? SessionError)?.code == .sessionEnded
    }
    #expect(try await session.pendingCount() == 0)
    #expect(try await session.heldCount() == 0)
    try await session.submit([reading("d")], inSession: try await session.currentNumber())
    #expect(try await session.pendingRecords() == [reading("d")])
    // The same user again is the same session.
    let bobs = try await session.currentNumber()
    try await session.start(bob)
    try await session.submit([reading("e")], inSession: bobs)
  }

  @Test func `ends when another user's session starts, and sends nothing as the other`()
    async throws
  {
    let transport = ScriptedTransport { request, _ in ScriptedTransport.stored(request) }
    let session = try await open(transport)
    try await session.start(alice)
    try await session.submit(reading("of-alice"))
    let events = session.events

    try await session.start(bob)
    try await session.submit(reading("of-bob"))
    let delivered = try await running(session) {
      var iterator = events.makeAsyncIterator()
      return [await iterator.next(), await iterator.next()]
    }

    guard case .sessionEnded(let ended)? = delivered[0] else {
      Issue.record("\(delivered)")
      return
    }
    #expect(ended.reason == .replaced)
    #expect(ended.userID == "alice")
    #expect(ended.unsentRecords == [reading("of-alice")])
    #expect(delivered[1] == .recordSubmitted(reading("of-bob"), serverID: "s-of-bob"))
    #expect(transport.batches == [["of-bob"]])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        .filter { $0.hasSuffix(".token") }.sorted() == ["outbox-key.token", "session-2.token"])
  }

  @Test func `keeps its records when its user starts again with a new token`() async throws {
    let session = try await open(offline)
    try await session.start(alice)
    try await session.submit(reading("a"))
    var renewed = alice
    renewed.accessToken = "newer"

    try await session.start(renewed)

    #expect(try await session.user() == renewed)
    #expect(try await session.pendingCount() == 1)
  }

  @Test func `keeps a token that works when its user brings one that the server refuses`()
    async throws
  {
    let session = try await open(
      ScriptedTransport { request, _ in
        request.headers.contains(TransportHeader("Authorization", "Bearer mistyped"))
          ? .success(TransportResponse(401)) : ScriptedTransport.stored(request)
      })
    try await session.start(alice)
    try await session.submit(reading("a"))
    var mistyped = alice
    mistyped.accessToken = "mistyped"

    await #expect { try await session.start(mistyped) } throws: {
      let error = $0 as? SessionError
      return error?.code == .credentialsRefused && error?.message.contains("is kept") == true
    }

    #expect(try await session.user() == alice)
    let sent = SessionEvent.recordSubmitted(reading("a"), serverID: "s-a")
    #expect(await session.runUntilDelivered(1) == [sent])
  }

  @Test func `keeps damaged records out of the archive and in the quarantine`() async throws {
    let session = try await open(200)
    try await session.start(alice)
    try await session.submit([reading("a"), reading("b")])
    try SQLiteDatabase(path: folder.path("outbox.sqlite"))
      .execute("UPDATE q SET body = x'ff' WHERE log_id = \(folder.sqlName("a"))")

    let ended = try await session.end()

    #expect(ended.unsentRecords == [reading("b")])
    #expect(try await session.quarantinedRecords().map(\.logID) == ["a"])
  }

  @Test func `submits nothing of a call with a record that cannot be encoded`() async throws {
    let session = try await open(200)
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
