// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@testable import IngestServer

/// A page on a ward's wall is open for weeks: a reading must cost it the same after thousands as at first,
/// and leave nothing in memory.
///
/// An aged page is compared with one that was opened later; both get the same readings.
/// `Scripts/check endurance` sets `SANTORIO_ENDURANCE_PROGRAMS`, without which the test takes too long.
@Suite(
  .enabled(
    if: ProcessInfo.processInfo.environment["SANTORIO_ENDURANCE_PROGRAMS"] != nil,
    "part of Scripts/check endurance"), .serialized)
struct `Live page open for weeks` {
  private static let (patients, portion, portions, turn, turns) = (4, 100, 80, 5, 5)

  private let test: TestServer
  private let users: [IngestUser]
  private let start = Date().addingTimeInterval(-20 * 86_400)

  init() throws {
    test = try TestServer()
    let server = test.server
    users = try (0..<Self.patients).map {
      try server.createUser(organization: "acme", uid: "bed-\($0)")
    }
  }

  @Test func `A reading costs as much after thousands as at first`() throws {
    var count = 0
    let aged = try open()
    // The page keeps a thousand records of each patient.
    for _ in 0..<Self.portions * 3 / 4 { try post(&count, to: [aged]) }
    let first = try aged.usage()
    for _ in 0..<Self.portions { try post(&count, to: [aged]) }
    let fresh = try open()
    for _ in 0..<Self.turn { try post(&count, to: [aged, fresh]) }

    var (agedCost, freshCost) = (Double.infinity, Double.infinity)
    for _ in 0..<Self.turns {
      let before = (try aged.usage().busySeconds, try fresh.usage().busySeconds)
      for _ in 0..<Self.turn { try post(&count, to: [aged, fresh]) }
      agedCost = min(agedCost, try aged.usage().busySeconds - before.0)
      freshCost = min(freshCost, try fresh.usage().busySeconds - before.1)
    }

    let last = try aged.usage()
    print(
      "page: after \(count) readings \(agedCost / freshCost) of the cost, heap "
        + "\(first.heapBytes) then \(last.heapBytes) bytes, nodes \(first.nodes) then \(last.nodes)"
    )
    #expect(agedCost / freshCost <= 1.2)
    #expect(Double(last.heapBytes) <= 1.2 * Double(first.heapBytes))
    #expect(Double(last.nodes) <= 1.2 * Double(first.nodes))
  }

  private func open() throws -> Browser {
    let browser = try Browser()
    try browser.open("http://127.0.0.1:\(test.server.port)/#token=\(TestServer.adminToken)")
    return browser
  }

  /// Stores readings and waits until the pages show the last of them.
  private func post(_ count: inout Int, to pages: [Browser]) throws {
    var lines = [String](repeating: "", count: Self.patients)
    for number in count..<count + Self.portion {
      let record = record(number)
      lines[number % Self.patients] +=
        String(decoding: try record.informJSON(), as: UTF8.self) + "\n"
    }
    count += Self.portion
    for (user, lines) in zip(users, lines) {
      let reply = try test.client.request(
        "POST", TestServer.path(user) + "/records:batch", token: user.token,
        type: "application/x-ndjson", body: lines)
      #expect(reply.status == 200)
    }
    // The totals come after the readings.
    let total = "document.querySelector('[data-total=records]').textContent.replaceAll(',', '')"
    for page in pages {
      _ = try page.value(of: "true", when: "waiting.size === 0 && \(total) === '\(count)'")
    }
  }

  private func record(_ number: Int) -> HealthRecord {
    let time = start.addingTimeInterval(Double(number))
    return HealthRecord(
      logID: "r\(number)", time: RecordTime(start: time, origin: .device, received: time),
      source: RecordSource(
        type: .bluetooth, device: SourceDevice(id: "1", manufacturer: "Beurer", model: "BM54")),
      metrics: [
        Metric(.systolic, Double(110 + number % 40)), Metric(.diastolic, Double(60 + number % 30)),
        Metric(.pulse, Double(50 + number % 50)),
      ])
  }
}
