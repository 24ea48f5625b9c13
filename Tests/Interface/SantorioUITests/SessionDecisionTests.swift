// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioBluetooth
import SantorioBluetooth
import SantorioCore
import Testing

@testable import SantorioUI

@Suite(.timeLimit(.minutes(15))) @MainActor struct `Decisions of two sessions` {
  private func makeSession() throws -> SantorioSession {
    let place = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    return SantorioSession(
      .init(directory: place, endpoint: try #require(URL(string: "https://example.org"))))
  }

  private func record() -> HealthRecord {
    let now = Date()
    return HealthRecord(
      logID: "a", time: RecordTime(start: now, origin: .device, received: now),
      source: RecordSource(type: .bluetooth), metrics: [Metric(.systolic, 120)])
  }

  @Test func `on the same readings of a device are not one`() async throws {
    let (first, second) = (try makeSession(), try makeSession())
    let waiting = PendingDecisions.of(first)
    var number: Int?
    let operation = Task {
      await waiting.answer(for: [record()], begun: { number = $0 }, changed: { _, _ in })
    }
    while number == nil { await Task.yield() }
    PendingDecisions.of(second).settle(["a"], areSent: false)
    #expect(waiting.count == 1)
    PendingDecisions.of(first).settle(["a"], areSent: false)
    #expect(waiting.count == 0)
    guard case .declined = await operation.value else {
      Issue.record("the operation was not declined")
      return
    }
  }

  @Test func `are gone with those who know them`() throws {
    let session = try makeSession()
    weak var gone: PendingDecisions?
    do {
      let decisions = PendingDecisions.of(session)
      gone = decisions
      #expect(PendingDecisions.of(session) === decisions)
    }
    #expect(gone == nil)
  }
}
