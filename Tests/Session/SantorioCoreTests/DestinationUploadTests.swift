// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCompression
import SantorioConcurrency
import SantorioSQLite
import TestSupport
import Testing

@testable import SantorioCore

/// Whole sessions with destinations of different kinds.
@Suite(.timeLimit(.minutes(15))) struct `Upload to a destination` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func configuration(
    _ destination: any RecordDestination, _ transport: any HTTPTransport
  ) -> SantorioSession.Configuration {
    var configuration = SantorioSession.Configuration(
      directory: folder.url, destination: destination)
    configuration.transport = transport
    configuration.random = { _ in 0 }
    configuration.notificationCenter = NotificationCenter()
    configuration.retryTriggers = []
    return configuration
  }

  /// Submits, sends, and waits for an event a record.
  private func upload(
    _ records: [HealthRecord], _ configuration: SantorioSession.Configuration,
    as user: SantorioUser = alice
  ) async throws -> (session: SantorioSession, delivered: [SessionEvent]) {
    let session = SantorioSession(configuration)
    try await session.start(user)
    try await session.submit(records)
    let events = session.events
    session.resume()
    var delivered: [SessionEvent] = []
    for await event in events {
      delivered.append(event)
      if delivered.count == records.count { break }
    }
    await session.suspend()
    return (session, delivered)
  }

  private func logIDs(_ events: [SessionEvent]) -> [String] {
    events.map { event in
      switch event {
      case .recordSubmitted(let record, let id): "\(record.logID) \(id ?? "-")"
      case .recordFailed(let record, let failure): "\(record.logID) failed \(failure.code)"
      default: "\(event)"
      }
    }
  }

  // MARK: - Destinations

  @Test func `quarantines records that it cannot represent, and sends the others`() async throws {
    let transport = ScriptedTransport { _, number in
      .success(TransportResponse(201, #"{"id":"s\#(number)"}"#))
    }
    var glucose = reading("b")
    glucose.kind = .cgm

    let (session, delivered) = try await upload(
      [reading("a"), glucose, reading("c")],
      configuration(InformConnect(localURL()), transport))

    #expect(logIDs(delivered) == ["a s0", "b failed not_convertible", "c s1"])
    #expect(transport.sent.count == 2)
    let quarantined = try await session.quarantinedRecords()
    #expect(quarantined.map(\.logID) == ["b"])
    #expect(
      quarantined.first?.failure
        == RecordFailure(
          status: nil, code: "not_convertible",
          message: "invalid_value: Inform Connect has no known route for records of this kind",
          path: "type"))
    #expect("\(delivered[1])" == "record failed: the destination cannot represent the record")
  }

  @Test func `sends to a FHIR server, and sends again what was not stored completely`() async throws
  {
    let transport = ScriptedTransport { request, number in
      let json = try? JSONReader(parsing: request.body ?? [])
      let count = (try? json?.member("entry").elements().count) ?? 0
      let entries = (0..<count).map { index in
        number == 0 && index == 1
          ? #"{"response":{"status":"503 Busy"}}"#
          : #"{"response":{"status":"201 Created","location":"Observation/\#(number)-\#(index)"}}"#
      }
      return .success(
        TransportResponse(
          200,
          """
          {"resourceType":"Bundle","type":"batch-response","entry":[\
          \(entries.joined(separator: ","))]}
          """))
    }

    let (session, delivered) = try await upload(
      [reading("a"), reading("b")],
      configuration(FHIRServer(localURL()), transport))

    #expect(logIDs(delivered) == ["a Observation/0-0", "b Observation/1-0"])
    #expect(
      transport.sent.map(\.url.absoluteString) == ["http://127.0.0.1:9", "http://127.0.0.1:9"])
    #expect(try await session.pendingCount() == 0)
  }

  @Test func `validates with the Legacy API, then sends one record a request`() async throws {
    let transport = ScriptedTransport { request, number in
      request.method == "GET"
        ? .success(TransportResponse(200, #"{"me":{"_id":"alice"}}"#))
        : .success(
          TransportResponse(
            201, #"{"code":201,"message":"Ok","biometrics":{"_id":"l\#(number)"}}"#))
    }

    let (_, delivered) = try await upload(
      [reading("a"), reading("b")], configuration(LegacyV1(localURL()), transport))

    #expect(logIDs(delivered) == ["a l1", "b l2"])
    #expect(
      transport.sent.map { "\($0.method) \($0.url.absoluteString)" } == [
        "GET http://127.0.0.1:9/v1/me.json?access_token=token-of-alice",
        "POST http://127.0.0.1:9/v1/organizations/acme/users/alice/biometrics.json",
        "POST http://127.0.0.1:9/v1/organizations/acme/users/alice/biometrics.json",
      ])
  }

  @Test func `refuses an address where nothing can be sent`() async throws {
    for destination in [
      InformConnect(folder.url), LegacyV1(folder.url), FHIRServer(folder.url),
      IngestAPI(folder.url),
    ] as [any RecordDestination] {
      await #expect {
        try await SantorioSession(
          SantorioSession.Configuration(directory: folder.url, destination: destination)
        ).open()
      } throws: {
        ($0 as? SessionError)?.code == .invalidEndpoint
      }
    }
  }

  // MARK: - Compressed bodies

  @Test(arguments: [(1024, false), (1025, true)])
  func `compresses bodies of more than 1,024 bytes`(count: Int, isCompressed: Bool) {
    var request = TransportRequest(method: "POST", url: folder.url)
    request.body = [UInt8](repeating: 0x20, count: count)

    #expect((request.packed() != nil) == isCompressed)
  }

  @Test func `compresses large bodies and no small ones`() async throws {
    let transport = ScriptedTransport { request, _ in ScriptedTransport.stored(request) }
    let ids = (0..<20).map { "r\($0)" }

    let (session, _) = try await upload(
      ids.map { reading($0) }, configuration(IngestAPI(localURL()), transport))
    #expect(transport.batches == [ids])
    let request = try #require(transport.sent.last)
    #expect(request.headers.last == TransportHeader("Content-Encoding", "gzip"))
    #expect(request.body?.prefix(2) == [0x1f, 0x8b])
    let plain = try Gzip.expand(request.body ?? [], limit: 1 << 20)
    #expect(plain.count > 4 * (request.body?.count ?? 0))
    #expect(plain.last == UInt8(ascii: "\n"))

    try await session.submit(reading("small"))
    let events = session.events
    session.resume()
    for await _ in events { break }
    await session.suspend()
    #expect(transport.sent.last?.isPacked == false)
  }

  @Test func `sends plain bodies when so configured`() async throws {
    let transport = ScriptedTransport { request, _ in ScriptedTransport.stored(request) }
    var configuration = configuration(IngestAPI(localURL()), transport)
    configuration.compressesBodies = false

    _ = try await upload((0..<20).map { reading("r\($0)") }, configuration)

    #expect(transport.sent.allSatisfy { !$0.isPacked })
  }

  @Test func `continues with plain bodies when the server cannot decompress`() async throws {
    let transport = ScriptedTransport { request, _ in
      request.isPacked
        ? .success(TransportResponse(415)) : ScriptedTransport.stored(request)
    }
    let ids = (0..<20).map { "r\($0)" }
    var configuration = configuration(IngestAPI(localURL()), transport)
    configuration.maximumBatchRecords = 10

    let (_, delivered) = try await upload(ids.map { reading($0) }, configuration)

    #expect(logIDs(delivered) == ids.map { "\($0) s-\($0)" })
    #expect(transport.sent.map(\.isPacked) == [false, true, false, false])
    #expect(
      transport.batches == [Array(ids.prefix(10)), Array(ids.prefix(10)), Array(ids.suffix(10))])
  }

  @Test func `halves compressed batches that are too large for the server`() async throws {
    let transport = ScriptedTransport { request, _ in
      ScriptedTransport.plainBody(request).count > 4000
        ? .success(TransportResponse(413)) : ScriptedTransport.stored(request)
    }
    let ids = (0..<40).map { "r\($0)" }

    let (session, delivered) = try await upload(
      ids.map { reading($0) }, configuration(IngestAPI(localURL()), transport))

    #expect(logIDs(delivered) == ids.map { "\($0) s-\($0)" })
    #expect(transport.batches.prefix(3).map(\.count) == [40, 20, 10])
    #expect(transport.sent.dropFirst().prefix(3).map(\.isPacked) == [true, true, true])
    #expect(try await session.pendingCount() == 0)
  }
}
