// SPDX-License-Identifier: Apache-2.0

import SantorioSQLite
import Testing

@testable import SantorioCore

@Suite struct `Batches of the outbox` {
  private let seal = RowSeal(key: Array(0..<32))

  private func items(_ count: Int) -> [RawItem] { (0..<count).map { item("r\($0)", "\($0)") } }

  private func opened(_ rows: SQLiteRows, by seal: RowSeal) -> [String?] {
    (0..<rows.count).map { row in
      seal.logID(of: rows.name(row))
        .flatMap { seal.open(rows.bytes(row), as: SealedPlace.queued($0)) }
        .map { String(decoding: $0, as: UTF8.self) }
    }
  }

  @Test(arguments: [
    (0, []), (1, [1]), (15, [15]), (16, [16]), (17, [16, 1]), (48, [16, 16, 16]),
  ])
  func `hold as many items as one statement inserts`(count: Int, sizes: [Int]) throws {
    let rows = try OutboxBatch.batches(of: items(count)).map { try $0.rows(sealedBy: seal) }

    #expect(rows.map(\.count) == sizes)
    #expect(rows.flatMap { opened($0, by: seal) } == (0..<count).map { "\($0)" })
  }

  @Test func `are encrypted once for all callers`() async throws {
    let batch = OutboxBatch.batches(of: items(16))[0]

    let all = try await withThrowingTaskGroup(of: [[UInt8]].self) { group in
      for _ in 0..<8 {
        group.addTask { [seal] in
          let rows = try batch.rows(sealedBy: seal)
          return (0..<rows.count).map { rows.bytes($0) }
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }

    // A row that is encrypted again has another nonce.
    #expect(all.count == 1)
  }

  @Test func `are encrypted again for a file of another key`() throws {
    let other = RowSeal(key: [UInt8](repeating: 9, count: 32))
    let batch = OutboxBatch.batches(of: items(3))[0]
    #expect(opened(try batch.rows(sealedBy: seal), by: seal) == ["0", "1", "2"])

    let rows = try batch.rows(sealedBy: other)

    #expect(opened(rows, by: other) == ["0", "1", "2"])
    #expect(opened(rows, by: seal) == [nil, nil, nil])
  }
}
