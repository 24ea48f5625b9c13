// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import TestSupport
import Testing

@testable import SantorioCore

/// Marked values in every place, and all texts that the session makes of them.
@Suite(.timeLimit(.minutes(15))) struct `Texts of the session` {
  let folder: TemporaryFolder
  private let user = SantorioUser(
    userID: "canary-user", organizationID: "canary-organization", accessToken: "canary-token",
    marketplaceToken: "canary-marketplace")

  init() throws { folder = try TemporaryFolder() }

  private func record(_ logID: String, _ value: Double = 4711.25) -> HealthRecord {
    let time = Date(timeIntervalSince1970: 1_772_600_767)
    var record = HealthRecord(
      logID: "canary-\(logID)", time: RecordTime(start: time, origin: .device, received: time),
      source: RecordSource(
        type: .bluetooth, device: SourceDevice(manufacturer: "canary-manufacturer")),
      metrics: [Metric(.systolic, value)],
      tags: [RecordTag(name: "canary-tag", value: "canary-finding")],
      userNotes: [UserNote(type: "message", value: "canary-note")])
    record.extras = ["canary-name": ["canary-list": [4711.25, "canary-text"]]]
    return record
  }

  /// Everything that could end up in a log: described, debugged, and dumped.
  private func texts(_ value: some Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return ["\(value)", String(reflecting: value), dumped]
  }

  private func error(_ body: () async throws -> Void) async -> [String] {
    do {
      try await body()
      return []
    } catch {
      return ["\(error)", String(reflecting: error), error.localizedDescription]
    }
  }

  private func session(_ answer: @escaping ScriptedTransport.Answer) throws -> SantorioSession {
    var configuration = SantorioSession.Configuration(
      directory: folder.url, endpoint: localURL())
    configuration.transport = ScriptedTransport(answer)
    configuration.notificationCenter = NotificationCenter()
    configuration.random = { _ in 0 }
    configuration.refusalGrace = .zero
    return SantorioSession(configuration)
  }

  @Test func `hold no values, names or tokens`() async throws {
    let rejection = #"""
      {"results":[{"log_id":"canary-a","status":"rejected",
       "error":{"code":"canary","message":"4711.25 canary","path":"canary"}}]}
      """#
    let refusal = #"{"error":{"code":"canary","message":"canary"}}"#
    let session = try session { request, number in
      request.method == "GET"
        ? .success(TransportResponse(number == 0 ? 200 : 401))
        : .success(TransportResponse(number == 1 ? 200 : 401, number == 1 ? rejection : refusal))
    }
    var texts: [String] = []
    try await session.start(user)
    try await session.submit(record("a"))
    texts += await error { try await session.submit(record("b", .infinity)) }
    var deep = record("b")
    deep.extras["canary"] = (0..<17).reduce("canary") { value, _ in ["canary": value] }
    texts += await error { try await session.submit(deep) }
    texts += await error {
      try await session.start(
        SantorioUser(
          userID: "canary/user", organizationID: "canary", accessToken: "canary token"))
    }
    texts += await error {
      try await session.start(
        SantorioUser(
          userID: "canary", organizationID: "canary", accessToken: "canary",
          marketplaceToken: "canary token"))
    }
    let events = session.events
    let running = Task { try await session.run() }

    var delivered: [SessionEvent] = []
    for await event in events {
      delivered.append(event)
      if delivered.count == 1 { try await session.submit(record("c")) }
      if delivered.count == 2 { break }
    }
    running.cancel()
    _ = await running.result
    texts += await error { try await session.submit(record("d")) }
    texts += delivered.flatMap { self.texts($0) }
    texts += try await session.quarantinedRecords().flatMap { self.texts($0) }
    texts += self.texts(user) + self.texts(session.uploadState)
    texts += requestTexts()

    #expect(delivered.count == 2)
    #expect(texts.count > 20)
    for text in texts {
      #expect(!text.contains("canary"), "\(text)")
      #expect(!text.contains("4711"), "\(text)")
    }
  }

  private func requestTexts() -> [String] {
    let request = TransportRequest(
      url: localURL().appendingPathComponent("canary"),
      headers: [TransportHeader("Authorization", "canary")], body: Array("canary".utf8))
    let response = TransportResponse(200, "canary", ["X": "canary"])
    let receipt = RecordReceipt(
      logID: "canary", outcome: .created, serverID: "canary", revision: 4711)
    return texts(request) + texts(response) + texts(request.headers[0]) + texts(receipt)
      + texts(DeliveryResult.stored(serverID: "canary"))
      + texts(FHIRServer(localURL(), subject: .reference("Patient/canary")))
  }

  @Test func `of records, alone and in other values, hold nothing of a person`() throws {
    let record = record("a")
    let ended = EndedSession(
      userID: "canary-user", organizationID: "canary-organization", reason: .ended,
      unsentRecords: [record], heldRecords: [record], archive: nil)
    let failure = RecordFailure(code: "canary", message: "canary 4711.25", path: "canary")
    let deletion = RecordDeletion(of: "canary-a", noticed: record.time.start)
    let events: [SessionEvent] = [
      .recordSubmitted(record, serverID: "canary"), .recordFailed(record, failure),
      .recordDamaged(logID: "canary-a"), .sessionEnded(ended), .deletionDelivered(deletion),
      .deletionFailed(deletion, failure),
    ]

    let found =
      texts(record) + texts(deletion) + texts([record]) + texts(Optional(record))
      + texts(["record": record])
      + texts(ended) + texts(events) + texts(Result<HealthRecord, SessionError>.success(record))

    for text in found {
      #expect(!text.contains("canary"), "\(text)")
      #expect(!text.contains("4711"), "\(text)")
      #expect(!text.contains("2026"), "\(text)")
    }
  }

  @Test func `of storage errors hold no values`() async throws {
    let session = try session { _, _ in .failure(TransportError(.unreachable, "")) }
    try await session.start(user)
    let database = try SQLiteDatabase(path: folder.path("outbox.sqlite"))
    try database.execute(
      "CREATE TRIGGER bad BEFORE INSERT ON q BEGIN SELECT raise(ABORT, 'refused'); END")

    let texts = await error { try await session.submit(record("a")) }

    #expect(texts.count == 3)
    for text in texts { #expect(!text.contains("canary") && !text.contains("4711"), "\(text)") }
  }
}
