// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioSQLite
import SessionTesting
import TestSupport
import Testing

@testable import SantorioCore

/// Uploads that the system performs, and that outlive the app's process.
@Suite(.timeLimit(.minutes(15))) struct `Background upload` {
  let folder: TemporaryFolder
  let clock = ManualClock()
  let server = StoringServer()
  let daemon: TransferDaemon

  init() throws {
    folder = try TemporaryFolder()
    daemon = TransferDaemon(isAutomatic: false) { [server] in server.answer($0) }
  }

  private func configuration(
    _ transport: any HTTPTransport, to destination: (any RecordDestination)? = nil
  ) -> SantorioSession.Configuration {
    var made = SantorioCoreTests.configuration(folder, transport, clock: clock)
    if let destination { made.destination = destination }
    made.maximumBatchRecords = 10
    made.compressesBodies = false
    return made
  }

  /// A launch of the app, with a user who is known.
  private func launch(
    _ transport: (any HTTPTransport)? = nil, to destination: (any RecordDestination)? = nil
  ) async throws -> SantorioSession {
    let session = SantorioSession(
      configuration(transport ?? daemon.launch(), to: destination))
    if try await session.user() == nil { try await session.start(alice) }
    return session
  }

  private func ids(_ count: Int) -> [String] { (0..<count).map { "r\($0)" } }

  private func submit(_ count: Int, to session: SantorioSession) async throws {
    try await session.submit(ids(count).map { reading($0) })
  }

  /// Waits until the session has begun all uploads that it may, and knows all answers.
  private func untilRest(_ session: SantorioSession) async {
    await session.rests.next { session.uploading.call(.answer) }
  }

  /// A launch that begins to send some records, and ends.
  private func begin(_ count: Int) async throws {
    let session = try await launch()
    try await submit(count, to: session)
    session.resume()
    await untilRest(session)
    await session.suspend()
  }

  private func bodies() throws -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path("uploads"))
    return (names ?? []).sorted()
  }

  // MARK: - Under way

  @Test func `begins several uploads at once, each with rows of its own`() async throws {
    let session = try await launch()
    try await submit(100, to: session)

    session.resume()
    await untilRest(session)

    #expect(daemon.waiting == 4)
    #expect(session.uploadState == .uploading)
    await daemon.perform()
    #expect(server.batches.map(\.count) == [10, 10, 10, 10])
    #expect(server.batches.flatMap(\.self) == ids(40))
    await session.suspend()
  }

  @Test func `begins the next upload when one is settled, until all are sent once`() async throws {
    let session = try await launch()
    try await submit(95, to: session)
    let events = session.events

    session.resume()
    while try await session.pendingCount() > 0 {
      await untilRest(session)
      await daemon.perform()
    }

    #expect(await events.first(95).count == 95)
    #expect(server.batches.flatMap(\.self).sorted() == ids(95).sorted())
    await untilRest(session)
    #expect(session.uploadState == .idle)
    #expect(try bodies() == [])
    await session.suspend()
  }

  @Test func `keeps bodies in files that only the owner can read, until they are settled`()
    async throws
  {
    let session = try await launch()
    try await submit(15, to: session)
    session.resume()
    await untilRest(session)

    let names = try bodies()
    #expect(names.count == 2)
    for name in names {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: folder.path("uploads/" + name))
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
    #expect(
      try FileManager.default.attributesOfItem(atPath: folder.path("uploads"))[.posixPermissions]
        as? Int == 0o700)
    await daemon.perform()
    await untilRest(session)
    #expect(try bodies() == [])
    await session.suspend()
  }

  @Test func `does not send a correction before the upload that has the record`() async throws {
    let session = try await launch()
    try await session.submit(reading("a"))
    session.resume()
    await untilRest(session)

    try await session.submit(reading("a", systolic: 131))
    await untilRest(session)
    #expect(daemon.waiting == 1)
    await daemon.perform()
    await untilRest(session)
    #expect(daemon.waiting == 1)
    await daemon.perform()
    await untilRest(session)

    #expect(server.values(of: "a") == [118.625, 131])
    #expect(try await session.pendingCount() == 0)
    await session.suspend()
  }

  @Test func `makes one upload at a time while the server fails`() async throws {
    let session = try await launch()
    try await submit(100, to: session)
    server.failure = TransportResponse(503)
    session.resume()
    await untilRest(session)
    await daemon.perform()
    await untilRest(session)
    #expect(session.uploadState != .uploading)

    for _ in 0..<3 {
      clock.advance(by: .seconds(600))
      await untilRest(session)
      #expect(daemon.waiting == 1)
      await daemon.perform()
      await untilRest(session)
    }

    server.failure = nil
    var most = 0
    while try await session.pendingCount() > 0 {
      clock.advance(by: .seconds(600))
      await untilRest(session)
      most = max(most, daemon.waiting)
      await daemon.perform()
      await untilRest(session)
    }
    #expect(most == 4)
    #expect(Set(server.batches.flatMap(\.self)) == Set(ids(100)))
    await session.suspend()
  }

  @Test func `sends the image of a record once the record is settled`() async throws {
    let session = try await launch()
    try await session.submit(
      reading("a"), image: Data([0xff, 0xd8, 0xff, 0xe0, 1]))
    let events = session.events
    session.resume()
    await untilRest(session)
    #expect(daemon.waiting == 1)

    await daemon.perform()
    await untilRest(session)
    #expect(daemon.waiting == 1)
    #expect(try await session.pendingImageCount() == 1)
    await daemon.perform()

    let told = await events.first(2)
    guard case .imageSubmitted(_, "a") = told.last else {
      Issue.record("\(told)")
      return
    }
    #expect(try await session.pendingImageCount() == 0)
    await session.suspend()
  }

  // MARK: - Launches

  @Test func `is settled by the next launch, and nothing is sent twice`() async throws {
    do {
      let session = try await launch()
      try await submit(35, to: session)
      session.resume()
      await untilRest(session)
      await session.suspend()
    }
    await daemon.perform()
    #expect(daemon.count == 4)

    let session = try await launch()
    let events = session.events
    session.resume()
    await untilRest(session)
    daemon.deliver()
    #expect(await events.first(35).count == 35)

    #expect(daemon.count == 4)
    #expect(try await session.pendingCount() == 0)
    await session.suspend()
  }

  @Test func `is sent again when the answer was lost with the process, and stored once`()
    async throws
  {
    do {
      let session = try await launch()
      try await submit(5, to: session)
      session.resume()
      await untilRest(session)
      // Suspended: the report comes to the transport, and is not settled before the process ends.
      await session.suspend()
      await daemon.perform()
    }
    let session = try await launch()
    session.resume()
    await untilRest(session)
    await daemon.perform()
    await untilRest(session)

    #expect(daemon.count == 2)
    #expect(server.batches == [ids(5), ids(5)])
    #expect(try await session.pendingCount() == 0)
    await session.suspend()
  }

  @Test func `is begun again after the user has closed the app`() async throws {
    do {
      let session = try await launch()
      try await submit(5, to: session)
      session.resume()
      await untilRest(session)
      await session.suspend()
    }
    daemon.forceQuit()

    let session = try await launch()
    session.resume()
    await untilRest(session)
    daemon.deliver()
    await untilRest(session)
    #expect(daemon.waiting == 1)
    await daemon.perform()
    await untilRest(session)

    #expect(server.batches == [ids(5)])
    #expect(try await session.pendingCount() == 0)
    await session.suspend()
  }

  @Test func `gives its rows to a transport of another kind`() async throws {
    do {
      let session = try await launch()
      try await submit(5, to: session)
      session.resume()
      await untilRest(session)
      await session.suspend()
    }
    let plain = ScriptedTransport { [server] request, _ in server.answer(request) }

    let session = try await launch(plain)
    _ = await session.runUntilDelivered(5)

    #expect(server.batches == [ids(5)])
    #expect(try await session.pendingCount() == 0)
  }

  @Test func `is ended, with its file, when it belongs to nothing any more`() async throws {
    let transport = daemon.launch()
    try FileManager.default.createDirectory(
      atPath: folder.path("uploads"), withIntermediateDirectories: false)
    let stray = folder.url.appendingPathComponent("uploads/stray")
    try Data("{}".utf8).write(to: stray)
    try await transport.start(TransportRequest(url: localURL()), body: stray, as: "stray")

    let session = try await launch(transport)
    session.resume()
    await untilRest(session)

    #expect(daemon.waiting == 0)
    #expect(try bodies() == [])
    await session.suspend()
  }

  // MARK: - Sessions and credentials

  @Test func `is cancelled with the end of the session, and its records are archived`()
    async throws
  {
    let session = try await launch()
    try await submit(15, to: session)
    session.resume()
    await untilRest(session)
    #expect(daemon.waiting == 2)

    let ended = try await session.end()

    #expect(ended.unsentRecords.count == 15)
    #expect(daemon.waiting == 0)
    #expect(try bodies() == [])
    try await session.start(bob)
    await untilRest(session)
    #expect(daemon.waiting == 0)
    await session.suspend()
  }

  @Test func `is cancelled when another user's session begins`() async throws {
    let session = try await launch()
    try await submit(5, to: session)
    session.resume()
    await untilRest(session)

    try await session.start(bob)
    await untilRest(session)

    #expect(daemon.waiting == 0)
    #expect(server.batches == [])
    await session.suspend()
  }

  @Test func `says nothing of a new token when the old one is refused`() async throws {
    let session = try await launch()
    try await submit(5, to: session)
    session.resume()
    await untilRest(session)
    var renewed = alice
    renewed.accessToken = "a-newer-token"
    try await session.start(renewed)

    server.refusedToken = alice.accessToken
    await daemon.perform()
    await untilRest(session)
    await daemon.perform()
    await untilRest(session)

    #expect(server.batches == [ids(5)])
    #expect(try await session.user() == renewed)
    #expect(try await session.pendingCount() == 0)
    await session.suspend()
  }

  @Test func `is settled later when the token cannot be read now`() async throws {
    let session = try await launch()
    try await submit(5, to: session)
    session.resume()
    await untilRest(session)
    let token = folder.path("session-1.token")
    try FileManager.default.moveItem(atPath: token, toPath: token + ".away")
    await daemon.perform()
    await untilRest(session)
    #expect(try await session.pendingCount() == 5)

    try FileManager.default.moveItem(atPath: token + ".away", toPath: token)
    session.processQueue()
    await untilRest(session)

    #expect(try await session.pendingCount() == 0)
    #expect(server.batches == [ids(5)])
    await session.suspend()
  }

  // MARK: - Rows that have changed

  @Test func `leaves records in the queue whose results cannot be told apart`() async throws {
    let fhir = FHIRServer(localURL(), subject: .reference("Patient/1"))
    let session = try await launch(to: fhir)
    try await session.submit([reading("a"), reading("b")])
    session.resume()
    await untilRest(session)
    try await session.submit(reading("b", systolic: 131))

    await daemon.perform()
    await untilRest(session)

    #expect(try await session.pendingCount() == 2)
    #expect(daemon.waiting == 1)
    await session.suspend()
  }

  @Test func `is begun again after the key of the records was changed`() async throws {
    do {
      let session = try await launch()
      try await submit(5, to: session)
      session.resume()
      await untilRest(session)
      await session.suspend()
    }
    try SantorioSession.changeKey(configuration(daemon.launch()))

    let session = try await launch()
    session.resume()
    await untilRest(session)
    #expect(daemon.waiting == 1)
    await daemon.perform()
    await untilRest(session)

    #expect(server.batches == [ids(5)])
    #expect(try await session.pendingCount() == 0)
    await session.suspend()
  }

  // MARK: - The system's events

  @Test func `is settled and continued before the system's events are handled`() async throws {
    try await begin(100)
    while await daemon.performOne() {}
    // The app is launched for the events; nobody calls resume().
    let session = try await launch()
    daemon.deliver()

    #expect(await session.handleEvents(of: "uploads"))

    #expect(try await session.pendingCount() == 60)
    #expect(daemon.waiting == 4)
    #expect(session.uploadState == .stopped)
    #expect(try SQLiteDatabase(path: folder.path("outbox.sqlite")).integer("SELECT 1") == 1)
    #expect(await !session.handleEvents(of: "another"))
  }

  @Test @MainActor func `calls the system's handler on the main thread, after that`()
    async throws
  {
    try await begin(20)
    while await daemon.performOne() {}
    let session = try await launch()
    daemon.deliver()

    await withCheckedContinuation { continuation in
      _ = session.handleEvents(of: "uploads") {
        dispatchPrecondition(condition: .onQueue(.main))
        continuation.resume()
      }
    }

    #expect(try await session.pendingCount() == 0)
    #expect(!session.handleEvents(of: "another") {})
  }

  @Test func `sends all in one wake after the other, without the app`() async throws {
    try await begin(200)
    var wakes = 0
    let session = try await launch()
    while daemon.waiting > 0 {
      while await daemon.performOne() {}
      daemon.deliver()
      await session.handleEvents(of: "uploads")
      wakes += 1
    }

    #expect(wakes == 5)
    #expect(server.batches.flatMap(\.self).sorted() == ids(200).sorted())
    #expect(try await session.pendingCount() == 0)
  }

  // MARK: - Draining

  @Test func `is what a drain hands the rest to`() async throws {
    let session = try await launch()
    try await submit(25, to: session)

    #expect(try await session.drain() == .handedOver)
    #expect(session.uploadState == .stopped)
    #expect(daemon.waiting == 3)

    while await daemon.performOne() {}
    daemon.deliver()
    #expect(try await session.drain() == .empty)
  }
}

/// A server of the ingest API that remembers each content of each record.
final class StoringServer: Sendable {
  private struct State {
    var batches: [[String]] = []
    var values: [String: [Double]] = [:]
    var failure: TransportResponse?
    var refusedToken: String?
  }

  private let state = Locked(State())

  var batches: [[String]] { state.withLock { $0.batches } }

  /// The systolic pressures that were sent of a record, in their order.
  func values(of logID: String) -> [Double] { state.withLock { $0.values[logID] ?? [] } }

  /// What is answered to each request with a body.
  var failure: TransportResponse? {
    get { state.withLock { $0.failure } }
    set { state.withLock { $0.failure = newValue } }
  }

  var refusedToken: String? {
    get { state.withLock { $0.refusedToken } }
    set { state.withLock { $0.refusedToken = newValue } }
  }

  func answer(_ request: TransportRequest) -> Result<TransportResponse, TransportError> {
    state.withLock { state in
      let authorization = request.headers.first { $0.name == "Authorization" }?.value
      if let token = state.refusedToken, authorization == "Bearer \(token)" {
        return .success(TransportResponse(401))
      }
      if let failure = state.failure, request.body != nil { return .success(failure) }
      switch request.method {
      case "PUT":
        let digest = request.url.lastPathComponent
        return .success(TransportResponse(200, #"{"sha256":"\#(digest)"}"#))
      case "POST":
        state.batches.append(ScriptedTransport.logIDs(request))
        for line in (request.body ?? []).split(separator: UInt8(ascii: "\n")) {
          guard let record = try? HealthRecord(informJSON: line) else { continue }
          state.values[record.logID, default: []].append(record.metrics[0].value ?? 0)
        }
      default: break
      }
      return ScriptedTransport.stored(request)
    }
  }
}
