// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import Testing

@testable import SantorioCore

/// Marked values in every place, and all texts that the session makes of them.
@Suite(.timeLimit(.minutes(15))) struct `Texts of the session` {
  let folder: TemporaryFolder
  private let user = User(
    userID: "canary-user", organizationID: "canary-organization", accessToken: "canary-token")

  init() throws { folder = try TemporaryFolder() }

  private func record(_ logID: String, _ value: Double = 4711.25) -> HealthRecord {
    let time = Date(timeIntervalSince1970: 1_772_600_767)
    return HealthRecord(
      logID: "canary-\(logID)", time: RecordTime(start: time, origin: .device, received: time),
      source: RecordSource(
        type: .bluetooth, device: SourceDevice(manufacturer: "canary-manufacturer")),
      metrics: [Metric(.systolic, value)],
      tags: [Tag(name: "canary-tag", value: "canary-finding")],
      userNotes: [UserNote(type: "message", value: "canary-note")])
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

  private func session(_ answer: @escaping ScriptedTransport.Answer) throws -> Session {
    var configuration = Session.Configuration(
      directory: folder.url, endpoint: LiveServer.url(port: 9))
    configuration.transport = ScriptedTransport(answer)
    configuration.notificationCenter = NotificationCenter()
    configuration.random = { _ in 0 }
    configuration.refusalGrace = .zero
    return try Session(configuration)
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
    texts += await error {
      try await session.start(
        User(
          userID: "canary/user", organizationID: "canary", accessToken: "canary token"))
    }
    let events = session.events
    let running = Task { try await session.run() }

    var told: [SessionEvent] = []
    for await event in events {
      told.append(event)
      if told.count == 1 { try await session.submit(record("c")) }
      if told.count == 2 { break }
    }
    running.cancel()
    _ = await running.result
    texts += await error { try await session.submit(record("d")) }
    texts += told.flatMap { self.texts($0) }
    texts += try await session.quarantinedRecords().flatMap { self.texts($0) }
    texts += self.texts(user) + self.texts(session.uploadState)
    texts += requestTexts()

    #expect(told.count == 2)
    #expect(texts.count > 20)
    for text in texts {
      #expect(!text.contains("canary"), "\(text)")
      #expect(!text.contains("4711"), "\(text)")
    }
  }

  private func requestTexts() -> [String] {
    let request = TransportRequest(
      url: LiveServer.url(port: 9).appendingPathComponent("canary"),
      headers: [TransportHeader("Authorization", "canary")], body: Array("canary".utf8))
    let response = TransportResponse(200, "canary", ["X": "canary"])
    return texts(request) + texts(response)
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
