// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import Testing

@testable import SantorioCore
import SantorioConcurrency

/// A line to a real server that breaks before requests arrive and after they were carried out.
private final class FaultyLine: Transport {
  private let line = CurlTransport()
  private let random: Locked<SplitMix>
  private let faults = Locked(0)

  init(seed: UInt64) { random = Locked(SplitMix(state: seed)) }

  /// How many requests went wrong.
  var faultCount: Int { faults.withLock { $0 } }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let draw = random.withLock { Int.random(in: 0..<100, using: &$0) }
    if draw < 50 { faults.withLock { $0 += 1 } }
    switch draw {
    case 0..<8: throw TransportError(.unreachable, "before")
    case 8..<14: return TransportResponse(503, "", ["Retry-After": "0"])
    case 14..<20: return TransportResponse(429)
    case 20..<26 where ScriptedTransport.logIDs(request).count > 1: return TransportResponse(413)
    default: break
    }
    let response = try await line.send(request)
    switch draw {
    case 26..<34: throw TransportError(.incomplete, "after")
    case 34..<40: return TransportResponse(502, "<html>bad gateway</html>")
    case 40..<45:
      return TransportResponse(
        status: 200, headers: response.headers, body: Array(response.body.dropLast(9)))
    case 45..<50: throw TransportError(.timedOut, "after")
    default: return response
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Faulty line` {
  @Test(arguments: [1, 2, 3, 20_261_121] as [UInt64])
  func `brings every record to the server once and tells of it once`(seed: UInt64) async throws {
    let (server, folder, line) = (try LiveServer(), try TemporaryFolder(), FaultyLine(seed: seed))
    var configuration = Session.Configuration(directory: folder.url, endpoint: server.url)
    configuration.transport = line
    configuration.maximumBatchRecords = 9
    configuration.random = { _ in 0 }
    configuration.notificationCenter = NotificationCenter()
    let session = try Session(configuration)
    try await session.start(server.alice)
    let events = session.events
    session.resume()

    for index in 0..<300 { try await session.submit(reading("r\(index)")) }
    var told: [SessionEvent] = []
    for await event in events {
      told.append(event)
      if told.count == 300 { break }
    }
    await session.suspend()

    let expected = Set((0..<300).map { "r\($0)" })
    let submitted = told.compactMap { event -> String? in
      guard case .recordSubmitted(let record, .some) = event else { return nil }
      return record.logID
    }
    #expect(submitted.count == 300)
    #expect(expected.subtracting(submitted) == [])
    #expect(try Set(server.stored()) == expected)
    #expect(try await session.pendingCount() == 0)
    #expect(try await session.quarantinedRecords().isEmpty)
    #expect(line.faultCount > 10)
    let revisions = try SQLiteDatabase(path: server.folder.path("store.sqlite"))
      .integer("SELECT count(*) FROM revision")
    #expect(revisions == 300)
  }
}
