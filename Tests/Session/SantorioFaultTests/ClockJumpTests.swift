// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import SantorioCore
import TestSupport
import Testing

extension Faults {
  @Suite(.tags(.fault), .timeLimit(.minutes(15))) struct `A clock that jumps` {
    private static let day = 86_400.0

    /// Half of what is sent is left without an answer and waits by the wall clock when it jumps.
    @Test(arguments: [30 * day, -400 * day, -1_772_600_000])
    func `keeps no record waiting`(seconds: Double) async throws {
      let (server, folder, ledger) = (try await ServerProcess(), try TemporaryFolder(), Ledger())
      let stage = Stage(limit: 60)
      let line = try #require(
        FaultProxy(to: server.port) { request, number in
          if number == 4 || number == 6 { stage.jump(by: number == 4 ? seconds : -seconds) }
          guard number < 8, let first = request.logIDs.first else { return .none }
          return .answerAfter(
            LineFault.http(200, #"{"results":[{"log_id":"\#(first)","status":"created"}]}"#))
        })
      var configuration = stage.configuration(
        folder: folder.url, server: ServerProcess.url(port: line.port))
      configuration.random = { $0.upperBound }
      let session = SantorioSession(configuration)
      try await session.start(server.alice)
      for call in 0..<8 {
        let ids = (0..<10).map { "j\(call)-\($0)" }
        try await session.submit(ids.map { reading($0) })
        for id in ids { ledger.take("ACK \(id)") }
      }

      let outcome = await stage.drain(session, folder: folder.url) { ledger.hear($0) }

      #expect(outcome == .empty)
      let entries = ledger.all
      compare(
        entries, try server.store(), "clock moved by \(seconds) s, \(stage.requestCount) requests")
      #expect(entries.acknowledged.count == 80)
      // Two of the longest waits of a row.
      #expect(stage.clock.now.offset <= .seconds(600))
    }
  }
}
