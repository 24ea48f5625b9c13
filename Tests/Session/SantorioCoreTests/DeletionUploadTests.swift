// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import TestSupport
import Testing

@testable import SantorioCore

/// Deletions on their way to servers of different kinds.
@Suite(.timeLimit(.minutes(15))) struct `Upload of deletions` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func session(
    _ destination: any RecordDestination, _ transport: any HTTPTransport
  ) async throws -> SantorioSession {
    var configuration = SantorioSession.Configuration(
      directory: folder.url, destination: destination)
    configuration.transport = transport
    configuration.random = { _ in 0 }
    configuration.notificationCenter = NotificationCenter()
    configuration.retryTriggers = []
    let session = SantorioSession(configuration)
    try await session.start(alice)
    return session
  }

  private func lines(_ request: TransportRequest) -> [String] {
    ScriptedTransport.plainBody(request).split(separator: UInt8(ascii: "\n"))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  // MARK: - The ingest API

  private static func answer(_ request: TransportRequest) -> TransportResponse {
    guard request.method == "POST" else { return TransportResponse(200) }
    let results = ScriptedTransport.plainBody(request).split(separator: UInt8(ascii: "\n")).map {
      let json = try? JSONReader(parsing: Array($0))
      let name = (try? json?.member("log_id").string()) ?? "-"
      let status = json.map(RecordDeletion.isMeant) == true ? "deleted" : "created"
      return #"{"log_id":"\#(name)","status":"\#(status)","id":"s-\#(name)","revision":1}"#
    }
    return TransportResponse(200, #"{"results":[\#(results.joined(separator: ","))]}"#)
  }

  @Test func `goes with records in one batch, and is posted as a notification`() async throws {
    let transport = ScriptedTransport { request, _ in .success(Self.answer(request)) }
    let session = try await session(IngestAPI(localURL()), transport)
    let posted = AsyncStream<SessionEvent>.makeStream()
    let observer = session.notificationCenter.addObserver(
      forName: SantorioSession.deletionDeliveredNotification, object: session, queue: nil
    ) { notification in
      if let event = SessionEvent(notification) { posted.continuation.yield(event) }
    }
    defer { session.notificationCenter.removeObserver(observer) }
    try await session.submit([reading("a"), reading("b"), reading("c")])
    try await session.submit(deletions: [deletion("b"), deletion("d")])
    #expect(try await session.pendingDeletions().map(\.logID) == ["b", "d"])
    #expect(try await session.pendingCount() == 4)

    let delivered = await session.runUntilDelivered(4)

    let known = RecordDeletion(of: reading("b"), noticed: noticed)
    #expect(
      delivered == [
        .recordSubmitted(reading("a"), serverID: "s-a"), .deletionDelivered(known),
        .recordSubmitted(reading("c"), serverID: "s-c"), .deletionDelivered(deletion("d")),
      ])
    let sent = try #require(transport.sent.last)
    #expect(
      try lines(sent)
        == [
          reading("a").informJSON(), known.json(), reading("c").informJSON(), deletion("d").json(),
        ].map { String(decoding: $0, as: UTF8.self) })
    var iterator = posted.stream.makeAsyncIterator()
    #expect(await iterator.next() == .deletionDelivered(known))
    #expect(try await session.pendingCount() == 0)
  }

  @Test func `names a record that is at hand`() async throws {
    let transport = ScriptedTransport { request, _ in .success(Self.answer(request)) }
    let session = try await session(IngestAPI(localURL()), transport)
    try await session.submit(deletionOf: reading("a"), reason: .byUser)
    let waiting = try #require(try await session.pendingDeletions().first)
    #expect(waiting.logID == "a")
    #expect(waiting.reason == .byUser)
    #expect(waiting.metrics == [.systolic])
  }

  @Test func `is refused when it names no record`() async throws {
    let transport = ScriptedTransport { request, _ in .success(Self.answer(request)) }
    let session = try await session(IngestAPI(localURL()), transport)
    await #expect {
      try await session.submit(deletions: [deletion("a"), deletion("a b")])
    } throws: {
      let error = $0 as? SessionError
      return error?.code == .invalidRecord && error?.description.contains("at log_id") == true
    }
    #expect(try await session.pendingCount() == 0)
  }

  @Test func `waits while the server fails, and goes out once it does not`() async throws {
    let transport = ScriptedTransport { request, number in
      number < 3 ? .success(TransportResponse(503, "busy")) : .success(Self.answer(request))
    }
    let session = try await session(IngestAPI(localURL()), transport)
    try await session.submit(deletions: [deletion("a")])
    #expect(await session.runUntilDelivered(1) == [.deletionDelivered(deletion("a"))])
  }

  // MARK: - FHIR

  private static func bundle(_ request: TransportRequest, failing index: Int? = nil)
    -> TransportResponse
  {
    let json = try? JSONReader(parsing: ScriptedTransport.plainBody(request))
    let count = (try? json?.member("entry").elements().count) ?? 0
    let entries = (0..<count).map { place in
      place == index
        ? #"{"response":{"status":"412 Precondition Failed"}}"#
        : #"{"response":{"status":"200 OK","location":"Observation/\#(place)"}}"#
    }
    return TransportResponse(
      200,
      #"{"resourceType":"Bundle","type":"batch-response","entry":[\#(entries.joined(separator: ","))]}"#
    )
  }

  @Test func `replaces Observations on a FHIR server, among records`() async throws {
    let transport = ScriptedTransport { request, _ in .success(Self.bundle(request)) }
    let session = try await session(FHIRServer(localURL()), transport)
    var first = deletion("a")
    first.metrics = [.bodyWeight, .bmi]
    try await session.submit(deletions: [first])
    try await session.submit([reading("b")])

    let delivered = await session.runUntilDelivered(2)

    #expect(
      delivered == [
        .deletionDelivered(first), .recordSubmitted(reading("b"), serverID: "Observation/0"),
      ])
    let entries = try JSONReader(parsing: ScriptedTransport.plainBody(transport.sent[0]))
      .member("entry").elements()
    #expect(
      try entries.map { try $0.member("request").member("method").string() } == [
        "POST", "PUT", "PUT",
      ])
  }

  @Test func `fails on a FHIR server that does not know which Observation is meant`() async throws {
    let transport = ScriptedTransport { request, _ in .success(Self.bundle(request, failing: 1)) }
    let session = try await session(FHIRServer(localURL()), transport)
    var first = deletion("a")
    first.metrics = [.bodyWeight]
    try await session.submit([reading("b")])
    try await session.submit(deletions: [first, deletion("c")])

    // One names no Observation, and is never sent; of the other the server has several.
    let delivered = await session.runUntilDelivered(3)

    let failures = delivered.compactMap { event -> String? in
      guard case .deletionFailed(let deletion, let failure) = event else { return nil }
      return "\(deletion.logID) \(failure.code)"
    }
    #expect(Set(failures) == ["c not_convertible", "a refused"])
    #expect(delivered.contains(.recordSubmitted(reading("b"), serverID: "Observation/0")))
    #expect(try await session.quarantinedRecords().compactMap(\.deletion).count == 2)
  }

  // MARK: - Servers without deletions

  @Test func `ends in the quarantine where the server has no deletions, and blocks nothing`()
    async throws
  {
    let destinations: [any RecordDestination] = [
      InformConnect(localURL()), LegacyV1(localURL()), FHIRServer(localURL(), profile: .ehr),
    ]
    for destination in destinations {
      #expect(!destination.acceptsDeletions)
      let request = UploadRequest(
        try await rows([deletion("a")], [reading("b")]), of: alice, to: destination)
      guard case .unfit(let rows, let results) = request else {
        Issue.record("a deletion was sent to \(destination)")
        continue
      }
      #expect(rows.map(\.logID) == ["a"])
      #expect(results == [.rejected(.deletionUnsupported)])
    }

    let transport = ScriptedTransport { _, number in
      .success(TransportResponse(201, #"{"id":"s\#(number)"}"#))
    }
    let session = try await session(InformConnect(localURL()), transport)
    try await session.submit(deletions: [deletion("a")])
    try await session.submit([reading("b")])
    let delivered = await session.runUntilDelivered(2)

    #expect(
      delivered == [
        .deletionFailed(deletion("a"), .deletionUnsupported),
        .recordSubmitted(reading("b"), serverID: "s0"),
      ])
    #expect(
      "\(delivered[0])"
        == "deletion failed: the destination cannot be told of a deletion; delete the record there")
    let kept = try await session.quarantinedRecords()
    #expect(kept.map(\.deletion) == [deletion("a")])
    #expect(kept.map { $0.failure?.code } == ["deletion_unsupported"])
    #expect(transport.sent.count == 1)
  }

  private func rows(
    _ deletions: [RecordDeletion], _ records: [HealthRecord]
  ) async throws -> [OutboxRow] {
    let folder = try TemporaryFolder()
    let outbox = try await folder.openOutbox()
    let session = try await outbox.begin(alice).id
    try await outbox.submit(records, deletions: deletions)
    return try await outbox.claim(session, count: 9, bytes: 1 << 20)
  }
}
