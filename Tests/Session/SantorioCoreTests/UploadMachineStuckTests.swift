// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SantorioCore

/// A queue of rows, named by their places, that a machine sends to a server that may fail.
private struct Dialogue {
  var machine: UploadMachine
  var queue: [OutboxRow]
  var batches: [[Int64]] = []
  var stored: [Int64] = []
  var postponed: [Int64] = []
  var waits = 0

  init(_ count: Int, maximumBatch: Int = 100, maximumBytes: Int = .max, bytes: Int = 100) {
    machine = UploadMachine(
      destination: IngestAPI(localURL()), maximumBatch: maximumBatch,
      maximumBytes: maximumBytes, random: { $0.upperBound })
    queue = (0..<count).map { Self.row($0, bytes: bytes) }
  }

  static func row(_ place: Int, bytes: Int) -> OutboxRow {
    OutboxRow(
      sequence: Int64(place), logID: "r\(place)", body: [UInt8](repeating: 0, count: bytes),
      attempts: 0, sum: 0)
  }

  /// Claims as the outbox does, sends, and carries out what the machine says.
  mutating func step(_ status: ([Int64]) -> Int, headers: [String: String] = [:]) {
    let rows = machine.batch(of: claimed)
    let places = rows.map(\.sequence)
    batches.append(places)
    let status = status(places)
    let body = rows.map { #"{"log_id":"\#($0.logID)","status":"created"}"# }
    let answer = TransportResponse(
      status, #"{"results":[\#(body.joined(separator: ","))]}"#, status == 200 ? [:] : headers)
    let action = machine.batchAnswered(
      .success(answer), rows: rows, of: alice, now: Date(timeIntervalSince1970: 1_772_600_000))
    switch action {
    case .settle(let results):
      for (place, result) in zip(places, results) {
        if case .postponed = result { postponed.append(place) } else { stored.append(place) }
        queue.removeAll { $0.sequence == place }
      }
    case .wait: waits += 1
    default: Issue.record("\(action)")
    }
  }

  /// Steps until nothing is due, and not without end.
  mutating func drain(_ status: ([Int64]) -> Int) {
    for _ in 0..<200 where !queue.isEmpty { step(status) }
  }

  private var claimed: [OutboxRow] {
    let claim = machine.claim
    var room = claim.bytes
    return Array(
      queue.prefix(claim.count).enumerated().prefix { index, row in
        room -= row.body.count + 1
        return index == 0 || room >= 0
      }.map(\.element))
  }
}

@Suite struct `Upload machine and a server that fails` {
  @Test func `halves the batch from the third failure on`() {
    var dialogue = Dialogue(100)

    for _ in 0..<10 { dialogue.step { _ in 500 } }

    #expect(dialogue.batches.map(\.count) == [100, 100, 100, 50, 25, 12, 6, 3, 1, 1])
    #expect(dialogue.waits == 10)
  }

  @Test(arguments: [500, 502, 503, 504])
  func `postpones the one record that makes the server fail, and keeps the others in order`(
    status: Int
  ) {
    var dialogue = Dialogue(40, maximumBatch: 8)

    dialogue.drain { $0.contains(5) ? status : 200 }

    #expect(dialogue.stored == (0..<40).filter { $0 != 5 })
    #expect(dialogue.postponed == [5])
    #expect(dialogue.batches.filter { $0 == [5] }.count == 2)
  }

  @Test func `postpones ten such records in a row`() {
    var dialogue = Dialogue(100)

    dialogue.drain { $0.contains { $0 < 10 } ? 500 : 200 }

    #expect(dialogue.stored == Array(10..<100))
    #expect(dialogue.postponed.sorted() == Array(0..<10))
  }

  @Test func `postpones a record that is as large as a whole batch`() {
    var dialogue = Dialogue(5, maximumBytes: 1000)
    dialogue.queue[0] = Dialogue.row(0, bytes: 5000)

    dialogue.drain { $0.contains(0) ? 504 : 200 }

    #expect(dialogue.stored == [1, 2, 3, 4])
    #expect(dialogue.postponed == [0])
  }

  @Test func `keeps a batch within its size while it postpones records`() {
    var dialogue = Dialogue(30, maximumBytes: 1010)
    dialogue.queue[0] = Dialogue.row(0, bytes: 900)

    dialogue.drain { $0.contains(0) ? 500 : 200 }

    #expect(dialogue.stored == Array(1..<30))
    #expect(dialogue.batches.map(\.count).max() == 10)
  }

  @Test func `sends a postponed record alone when it is due again`() {
    var dialogue = Dialogue(20)
    dialogue.drain { $0.contains(0) ? 500 : 200 }
    let before = dialogue.batches.count
    dialogue.queue = [0, 20, 21].map { Dialogue.row($0, bytes: 100) }

    for _ in 0..<2 { dialogue.step { $0.contains(0) ? 500 : 200 } }
    dialogue.queue = [Dialogue.row(0, bytes: 100), Dialogue.row(22, bytes: 100)]
    for _ in 0..<2 { dialogue.step { _ in 200 } }
    dialogue.queue = [Dialogue.row(0, bytes: 100), Dialogue.row(23, bytes: 100)]
    dialogue.step { _ in 200 }

    // The server takes it at last, and it is one of many again.
    #expect(dialogue.batches.dropFirst(before) == [[0], [20, 21], [0], [22], [0, 23]])
  }

  @Test func `waits at each failure while the server is down, and postpones nothing`() {
    var dialogue = Dialogue(200)

    for _ in 0..<60 { dialogue.step { _ in 503 } }
    let failed = dialogue.batches.count
    dialogue.drain { _ in 200 }

    #expect(failed == 60)
    #expect(dialogue.waits == 60)
    #expect(dialogue.postponed == [])
    #expect(dialogue.stored.sorted() == Array(0..<200))
    // At most the suspects alone, the way back to whole batches, and those.
    #expect(dialogue.batches.count - failed <= FailingRecords.most + 7 + 2)
  }

  @Test func `waits for as long as the server asks, also after a record that made it fail`() {
    var dialogue = Dialogue(4)
    dialogue.drain { $0.contains(0) ? 500 : 200 }
    dialogue.queue = [Dialogue.row(0, bytes: 100)]
    let waits = dialogue.waits

    dialogue.step({ _ in 503 }, headers: ["Retry-After": "7"])

    #expect(dialogue.waits == waits + 1)
    #expect(dialogue.postponed == [0])
  }

  @Test func `postpones no record because of a lost connection`() {
    var dialogue = Dialogue(4)
    let lost = TransportError(.incomplete, "lost")

    for _ in 0..<20 {
      _ = dialogue.machine.batchAnswered(
        .failure(lost), rows: dialogue.queue, of: alice, now: Date())
    }

    #expect(dialogue.machine.batchLimit == 100)
    #expect(dialogue.machine.batch(of: dialogue.queue) == dialogue.queue)
  }
}
