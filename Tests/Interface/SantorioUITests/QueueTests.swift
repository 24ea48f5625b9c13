// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import TestSupport
import Testing

@testable import SantorioCore
@testable import SantorioUI

/// A server that stores all readings, or refuses them, or is not there.
private final class Server: HTTPTransport, RecordDestination {
  enum Mood: Sendable {
    case stores
    case refuses
    case silent
  }

  let endpoint = URL(string: "https://server.test") ?? URL(fileURLWithPath: "/")
  let maximumBatchRecords = 10
  let mood: Locked<Mood>

  init(_ mood: Mood) { self.mood = Locked(mood) }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    if mood.withLock({ if case .silent = $0 { true } else { false } }) {
      throw TransportError(.unreachable, "nobody answers")
    }
    return TransportResponse(status: 200)
  }

  func validation(of user: SantorioUser) -> TransportRequest? { nil }

  func submission(of records: [OutgoingRecord], of user: SantorioUser) -> TransportRequest {
    TransportRequest(method: "POST", url: endpoint)
  }

  func results(
    in response: TransportResponse, on records: [OutgoingRecord]
  ) -> [DeliveryResult?] {
    mood.withLock { mood in
      records.map { _ in
        if case .refuses = mood {
          return .rejected(RecordFailure(code: "invalid", message: "no", status: 422))
        }
        return .stored(serverID: nil)
      }
    }
  }

  func failure(in response: TransportResponse) -> RecordFailure? { nil }
}

@Suite(.timeLimit(.minutes(15))) @MainActor struct `The queue on a screen` {
  private let folder: TemporaryFolder
  private let server = Server(.refuses)
  private let session: SantorioSession
  private let units = UnitPreferences(locale: Locale(identifier: "en_US"))

  init() async throws {
    folder = try TemporaryFolder()
    var configuration = SantorioSession.Configuration(
      directory: folder.url.appendingPathComponent("session"), destination: server)
    configuration.transport = server
    configuration.notificationCenter = NotificationCenter()
    session = SantorioSession(configuration)
    try await session.start(Stage.user)
  }

  private func model() -> QueueModel { QueueModel(session, units: units) }

  private func record(_ logID: String, at date: Date = Stage.now) -> HealthRecord {
    .sample(
      logID, [Metric(.systolic, 120)],
      time: RecordTime(start: date, origin: .device, received: Stage.now))
  }

  @Test func `shows what waits and since when`() async throws {
    let model = model()
    await model.load()
    #expect(model.state == QueueModel.State())
    try await session.submit([record("a"), record("b", at: Stage.now - 3600)])
    try await session.hold([record("c")])
    await model.load()
    #expect(model.state.waitingCount == 2)
    #expect(model.state.heldCount == 1)
    #expect(model.state.oldest == Stage.now - 3600)
    #expect(model.state.upload == Problem(.uploadStopped))
  }

  @Test func `says what happens to it`() async throws {
    server.mood.withLock { $0 = .silent }
    try await session.submit(record("a"))
    let model = model()
    let following = Task { await model.follow() }
    let running = Task { try await session.run() }
    while model.state.upload != Problem(.noServer, .tryAgain) { await Task.yield() }
    server.mood.withLock { $0 = .stores }
    model.uploadNow()
    while model.state.upload != Problem(.uploadIdle) { await Task.yield() }
    #expect(model.state.waitingCount == 0 && model.state.oldest == nil)
    running.cancel()
    _ = await running.result
    following.cancel()
    await following.value
  }

  @Test func `shows what was refused, and sends it again`() async throws {
    try await session.submit(record("a"))
    try await session.drain()
    let model = model()
    await model.load()
    let refused = try #require(model.state.refused.first)
    #expect(model.state.refused.count == 1 && model.state.waitingCount == 0)
    #expect(refused.values.map(\.text) == [Phrase(english: "120 mmHg")])
    #expect(refused.reason == Phrase(.quarantineRefused, .verbatim("422")))
    var german = UnitPreferences(locale: Locale(identifier: "de_DE"))
    german.chosenPressure = .kilopascals
    await model.show(in: german)
    #expect(
      model.state.refused.first?.values.map(\.text) == [Phrase(english: "16,0 kPa")])
    server.mood.withLock { $0 = .stores }
    await model.retry(refused.id)
    #expect(model.state.refused.isEmpty && model.state.waitingCount == 1)
    try await session.drain()
    await model.load()
    #expect(model.state.waitingCount == 0 && model.state.refused.isEmpty)
  }

  @Test func `sends all again that was refused`() async throws {
    try await session.submit([record("a"), record("b")])
    try await session.drain()
    let model = model()
    await model.load()
    #expect(model.state.refused.count == 2)
    await model.retry()
    #expect(model.state.refused.isEmpty && model.state.waitingCount == 2)
  }

  @Test func `deletes what was refused only when that was confirmed`() async throws {
    try await session.submit(record("a"))
    try await session.drain()
    let model = model()
    await model.load()
    let refused = try #require(model.state.refused.first)
    model.ask(.discard(refused.id))
    #expect(model.state.question?.text == Phrase(.confirmDiscard))
    model.keep()
    await model.confirmDeletion()
    #expect(try await session.quarantinedCount() == 1)
    model.ask(.discard(refused.id))
    await model.confirmDeletion()
    #expect(model.state.question == nil && model.state.refused.isEmpty)
    #expect(try await session.quarantinedCount() == 0)
    // It is gone, and nobody else's.
    model.ask(.discard(refused.id))
    #expect(model.state.question == nil && model.state.problem == Problem(.notFound))
  }

  @Test func `returns or deletes what is kept of earlier sessions`() async throws {
    for ending in [true, false] {
      try await session.submit(record("a"))
      _ = try await session.end()
      try await session.start(Stage.user)
      let model = model()
      await model.load()
      let archive = try #require(model.state.archives.first)
      #expect(archive.content == Phrase(.archiveContent, .count(1), .text(.archiveEnded)))
      if ending {
        await model.returnArchive(archive.id)
        #expect(model.state.waitingCount == 1)
        server.mood.withLock { $0 = .stores }
        try await session.drain()
      } else {
        model.ask(.removeArchive(archive.id))
        #expect(model.state.question?.text == Phrase(.confirmRemoveArchive))
        await model.confirmDeletion()
      }
      await model.load()
      #expect(model.state.archives.isEmpty && model.state.waitingCount == 0)
    }
  }

  @Test func `does not give a person's readings to another one`() async throws {
    try await session.submit(record("a"))
    _ = try await session.end()
    try await session.start(
      SantorioUser(userID: "another", organizationID: "o", accessToken: "token"))
    let model = model()
    await model.load()
    let archive = try #require(model.state.archives.first)
    await model.returnArchive(archive.id)
    #expect(model.state.problem == Problem(.notYours, .signIn))
    #expect(model.state.waitingCount == 0 && model.state.archives.count == 1)
    model.ask(.removeArchive(archive.id))
    await model.confirmDeletion()
    #expect(!archive.isOwn)
    #expect(try await session.archives().count == 1)
  }

  @Test func `neither shows nor deletes what was refused of another person`() async throws {
    try await session.submit(record("a"))
    try await session.drain()
    _ = try await session.end()
    try await session.start(
      SantorioUser(userID: "another", organizationID: "o", accessToken: "token"))
    let model = model()
    await model.load()
    let refused = try #require(model.state.refused.first)
    #expect(refused.values.isEmpty && !refused.isOwn && refused.note == Phrase(.notYours))
    model.ask(.discard(refused.id))
    #expect(model.state.problem == Problem(.notYours, .signIn))
    await model.confirmDeletion()
    #expect(try await session.quarantinedCount() == 1)
  }

  @Test func `deletes nothing that was asked about for another person`() async throws {
    try await session.submit(record("a"))
    try await session.drain()
    let model = model()
    await model.load()
    model.ask(.discard(try #require(model.state.refused.first).id))
    _ = try await session.end()
    try await session.start(
      SantorioUser(userID: "another", organizationID: "o", accessToken: "token"))
    await model.confirmDeletion()
    #expect(try await session.quarantinedCount() == 1)
    while model.state.refused.first?.values.isEmpty == false { await Task.yield() }
  }

  @Test func `counts only readings that wait for a decision`() async throws {
    var rejected = record("rejected")
    rejected.kind = .rejected
    try await session.hold([record("a"), record("b"), rejected])
    try await session.declineHeld([record("b")])
    let model = model()
    await model.load()
    #expect(model.state.heldCount == 1)
  }

  @Test func `says why a reading was refused`() {
    #expect(Phrase(RecordFailure?.none) == Phrase(.quarantineDamaged))
    #expect(
      Phrase(RecordFailure(code: RecordFailure.duplicate, message: ""))
        == Phrase(.quarantineDuplicate))
    #expect(
      Phrase(RecordFailure(code: RecordFailure.notConvertible, message: ""))
        == Phrase(.quarantineNotConvertible))
    #expect(
      Phrase(RecordFailure(code: "odd", message: ""))
        == Phrase(.quarantineRefused, .verbatim("odd")))
  }
}
