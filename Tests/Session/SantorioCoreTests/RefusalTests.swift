// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import TestSupport
import Testing

@testable import SantorioCore

/// Who may end a session, and what becomes of it then.
@Suite(.timeLimit(.minutes(15))) struct `Refused session` {
  private static let here = localURL()
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func session(
    grace: Duration = .zero, _ answer: @escaping ScriptedTransport.Answer
  ) throws -> SantorioSession {
    var configuration = SantorioSession.Configuration(directory: folder.url, endpoint: Self.here)
    configuration.transport = ScriptedTransport(answer)
    configuration.notificationCenter = NotificationCenter()
    configuration.random = { _ in 0 }
    configuration.retryTriggers = []
    configuration.refusalGrace = grace
    return SantorioSession(configuration)
  }

  @Test(arguments: ["BadRequest", "InvalidAuthenticationToken", "", "404"])
  func `does not follow from the errors of another API`(code: String) {
    let body = Array(#"{"error":{"code":"\#(code)","message":"no"}}"#.utf8)
    #expect(RecordFailure(status: 400, ingest: body) == nil)
    let own = Array(#"{"error":{"code":"unknown_token","message":"no"}}"#.utf8)
    #expect(RecordFailure(status: 401, ingest: own)?.code == "unknown_token")
  }

  @Test func `belongs to one server however its address is written`() throws {
    func place(_ text: String) throws -> String {
      Outbox.place(of: try #require(URL(string: text)))
    }
    for other in ["https://host/", "HTTPS://Host:443", "https://host:443//"] {
      #expect(try place(other) == place("https://host"), "\(other)")
    }
    for other in ["http://host", "https://host:8443", "https://host/api", "https://other"] {
      #expect(try place(other) != place("https://host"), "\(other)")
    }
  }

  // MARK: - Whose word it is

  @Test(arguments: [302, 401, 403, 404])
  func `does not follow from the refusal of a proxy`(status: Int) async throws {
    let session = try session { request, number in
      number < 3
        ? .success(TransportResponse(status, "<html>blocked</html>"))
        : ScriptedTransport.stored(request)
    }

    try await session.start(alice)
    try await session.submit(reading("a"))
    let delivered = await session.runUntilDelivered(1)

    #expect(delivered == [.recordSubmitted(reading("a"), serverID: "s-a")])
    #expect(try await session.user() == alice)
  }

  @Test func `is reported as not caused by the server when a proxy refuses`() async throws {
    let (folder, clock) = (folder, ManualClock())
    var configuration = SantorioSession.Configuration(directory: folder.url, endpoint: Self.here)
    configuration.transport = ScriptedTransport { _, _ in
      .success(TransportResponse(403, "<html>blocked</html>"))
    }
    configuration.clock = clock
    configuration.random = { $0.upperBound }
    configuration.retryTriggers = []
    let session = SantorioSession(configuration)
    try await session.start(alice)
    session.resume()

    _ = await clock.sleepBegins { $0 == .seconds(1) }

    guard case .waiting(let error) = session.uploadState else {
      Issue.record("\(session.uploadState)")
      return
    }
    await session.suspend()
    #expect(error.code == .foreignAnswer)
    #expect(error.status == 403)
    #expect("\(error)".contains("did not come from the server"))
  }

  @Test func `ends at once only when nothing waits in it`() async throws {
    let isKnown = Locked(true)
    let session = try session { request, _ in
      isKnown.withLock { $0 }
        ? ScriptedTransport.stored(request) : .success(TransportResponse(401))
    }
    try await session.start(alice)
    try await session.submit(reading("a"))
    isKnown.withLock { $0 = false }

    await #expect { try await session.start(alice) } throws: {
      ($0 as? SessionError)?.code == .credentialsRefused
    }
    #expect(try await session.pendingRecords() == [reading("a")])
    #expect(try await session.user() == alice)

    // A user that the server does not know replaces no session.
    await #expect { try await session.start(bob) } throws: {
      ($0 as? SessionError)?.code == .credentialsRefused
    }
    #expect(try await session.user() == alice)
    #expect(try await session.pendingRecords() == [reading("a")])
  }

  // MARK: - Its archive

  private func refused(
    _ outbox: Outbox, _ user: SantorioUser = alice, by server: URL = here
  ) async throws -> EndedSession {
    let id = try #require(try await outbox.session()).id
    return try #require(
      try await outbox.endRefusedSession(id, token: user.accessToken, by: server))
  }

  @Test func `puts its records back, in order, when its user starts again`()
    async throws
  {
    let isKnown = Locked(true)
    let session = try session { request, _ in
      isKnown.withLock { $0 }
        ? ScriptedTransport.stored(request) : .success(TransportResponse(401))
    }
    try await session.start(alice)
    try await session.submit([reading("a"), reading("b"), reading("c")])
    isKnown.withLock { $0 = false }
    let ended = await session.runUntilDelivered(1)
    guard case .sessionEnded(let left) = ended[0] else {
      Issue.record("\(ended)")
      return
    }
    #expect(left.unsentRecords.map(\.logID) == ["a", "b", "c"])

    isKnown.withLock { $0 = true }
    try await session.start(alice)
    try await session.submit([reading("d")])
    let delivered = await session.runUntilDelivered(4)

    let sent = ["a", "b", "c", "d"].map { logID in
      SessionEvent.recordSubmitted(reading(logID), serverID: "s-\(logID)")
    }
    #expect(delivered == sent)
    #expect(try await session.archives() == [])
    let archive = try #require(left.archive)
    #expect(!FileManager.default.fileExists(atPath: archive.path))
  }

  @Test func `keeps its archive for another user, and for another server`() async throws {
    let outbox = try await folder.openOutbox()
    _ = try await outbox.begin(alice, at: Self.here)
    try await outbox.submit([reading("a")])
    let ended = try await refused(outbox)

    _ = try await outbox.begin(bob, at: Self.here)
    #expect(try await outbox.count() == 0)
    _ = try await outbox.begin(alice, at: localURL(port: 10))
    #expect(try await outbox.count() == 0)
    #expect(try await outbox.archives() == [ended])

    _ = try await outbox.begin(bob, at: Self.here)
    _ = try await outbox.begin(alice, at: Self.here)
    #expect(try await outbox.pending() == [reading("a")])
  }

  @Test func `keeps the archives of sessions that the app ended`() async throws {
    let outbox = try await folder.openOutbox()
    _ = try await outbox.begin(alice, at: Self.here)
    try await outbox.submit([reading("a")])
    let ended = try #require(try await outbox.endSession())

    _ = try await outbox.begin(alice, at: Self.here)

    #expect(try await outbox.count() == 0)
    #expect(try await outbox.archives() == [ended])
  }

  @Test func `returns held records as held, with the last content of each`() async throws {
    let outbox = try await folder.openOutbox()
    _ = try await outbox.begin(alice, at: Self.here)
    try await outbox.submit([reading("a", systolic: 1)])
    _ = try await refused(outbox)
    _ = try await outbox.begin(bob, at: Self.here)
    _ = try await outbox.begin(alice, at: Self.here)
    try await outbox.submit([reading("a", systolic: 2), reading("b")])
    try await outbox.hold([reading("c")])
    _ = try await refused(outbox)

    _ = try await outbox.begin(alice, at: Self.here)

    #expect(try await outbox.pending() == [reading("a", systolic: 2), reading("b")])
    #expect(try await outbox.held() == [reading("c")])
  }

  @Test func `puts a damaged line of its archive into the quarantine`() async throws {
    let outbox = try await folder.openOutbox()
    _ = try await outbox.begin(alice, at: Self.here)
    try await outbox.submit([reading("a"), reading("b")])
    let archive = try #require(try await refused(outbox).archive)
    var text = try String(contentsOf: archive, encoding: .utf8)
    func name(_ logID: String) throws -> String {
      Data(try folder.seal().name(of: logID)).base64EncodedString()
    }
    text = text.replacingOccurrences(of: try name("a"), with: try name("x")) + "rest"
    try Data(text.utf8).write(to: archive)

    _ = try await outbox.begin(alice, at: Self.here)

    #expect(try await outbox.pending() == [reading("b")])
    #expect(try await outbox.quarantine().map(\.logID) == ["x", ""])
    #expect(
      try await outbox.events(after: 0, count: 9).map(\.event).suffix(2)
        == [.recordDamaged(logID: "x"), .recordDamaged(logID: "")])
  }

  @Test func `gives back the images of its records`() async throws {
    let outbox = try await folder.openOutbox()
    _ = try await outbox.begin(alice, at: Self.here)
    let bytes: [UInt8] = [1, 2, 3]
    let media = RecordMedia(of: bytes, contentType: "image/png")
    try await outbox.submit(
      [reading("a")],
      images: [
        ImageItem(
          logID: "a", digest: media.sha256, contentType: media.contentType, bytes: bytes)
      ])
    _ = try await refused(outbox)
    #expect(try await outbox.imageCount() == 0)

    let session = try await outbox.begin(alice, at: Self.here)
    #expect(try await outbox.imageCount() == 1)
    let rows = try await outbox.claim(session.id, count: 9, bytes: 1 << 20)
    try await outbox.settle([(rows[0], .stored(serverID: nil))], session: session.id)

    #expect(try await outbox.claimImage(session.id)?.bytes == bytes)
  }
}
