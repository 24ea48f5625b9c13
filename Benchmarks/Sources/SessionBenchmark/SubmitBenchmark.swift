// SPDX-License-Identifier: Apache-2.0

import BenchmarkReport
import CInsertBaseline
import Foundation
import HealthRecords
import SantorioCore

/// What `SantorioSession.submit` takes beside the same inserts by SQLite's C interface.
struct SubmitBenchmark {
  private static let rounds = 50
  private static let limit = 1.3
  private static let longest = Int(INSERT_BASELINE_LONGEST)
  /// What encryption adds to a stored record, and to its name.
  private static let sealOverhead = 29

  let user: SantorioUser
  let endpoint: URL

  func run(_ report: inout Report) async throws {
    report.heading("Submitting")
    report.head([
      "records a call", "a row a statement, records/s", "CPU µs", "as many rows as ours, records/s",
      "CPU µs", "Session.submit, records/s", "CPU µs", "ratio to the first", "to the second",
    ])
    var ratios: [(single: Double, long: Double)] = []
    for (size, calls) in [(1, 200), (10, 150), (100, 100)] {
      ratios.append(try await compare(size, calls, report))
    }
    let (single, long) = (ratios.map(\.single).max() ?? 0, ratios.map(\.long).max() ?? 0)
    report.line("\nbeside as many rows a statement as ours: at most \(long.rounded(2)) times")
    report.gate(
      "submitting takes at most \(Self.limit) times the inserts, a row a statement",
      single <= Self.limit)
    try await compareWaiting(report)
  }

  /// Prints what calls take whose thread waits, beside those that await.
  private func compareWaiting(_ report: Report) async throws {
    report.head([
      "records a call", "submit, records/s", "submitAndWait, records/s", "ratio",
      "longest of 100 calls, ms",
    ])
    for (size, calls) in [(1, 200), (10, 150)] {
      let batches = (0..<calls).map { call in (0..<size).map { sample(call * size + $0) } }
      var (awaiting, waiting, longest) = ([Cost](), [Cost](), [Double]())
      for _ in 0..<Self.rounds {
        awaiting.append(try await submit(batches))
        let (cost, times) = try await submitAndWait(batches)
        waiting.append(cost)
        longest.append(times.sorted()[times.count * 99 / 100] * 1000)
      }
      let count = Double(size * calls)
      report.row([
        "\(size)", (count / median(awaiting).wall).rounded(0),
        (count / median(waiting).wall).rounded(0),
        median(zip(waiting, awaiting).map { $0.wall / $1.wall }).rounded(2),
        median(longest).rounded(2),
      ])
    }
  }

  /// The ratios of our time to that of one row a statement, and of as many as ours.
  private func compare(
    _ size: Int, _ calls: Int, _ report: Report
  ) async throws -> (single: Double, long: Double) {
    let count = Double(size * calls)
    let batches = (0..<calls).map { call in (0..<size).map { sample(call * size + $0) } }
    let rows = try batches.map { try Rows($0, overhead: Self.sealOverhead) }
    var (single, long, ours) = ([Cost](), [Cost](), [Cost]())
    for _ in 0..<Self.rounds {
      single.append(try await insert(rows, by: 1))
      ours.append(try await submit(batches))
      long.append(try await insert(rows, by: Self.longest))
    }
    // Round by round: a disk may be fast for some seconds and slow for the next.
    func ratio(to alone: [Cost]) -> Double { median(zip(ours, alone).map { $0.wall / $1.wall }) }
    let ratios = (single: ratio(to: single), long: ratio(to: long))
    let costs = [single, long, ours].map(median).flatMap { cost in
      [(count / cost.wall).rounded(0), (cost.cpu / count * 1e6).rounded(1)]
    }
    report.row(["\(size)"] + costs + [ratios.single.rounded(2), ratios.long.rounded(2)])
    return ratios
  }

  /// The rows of one transaction, as the C function wants them.
  private struct Rows {
    var ids: [CChar] = []
    var idLengths: [Int32] = []
    var bodies: [UInt8] = []
    var bodyLengths: [Int32] = []

    init(_ records: [HealthRecord], overhead: Int) throws {
      for record in records {
        let padding = [UInt8](repeating: 7, count: overhead)
        let (name, body) = (record.logID.utf8 + padding, try record.informJSON() + padding)
        ids += name.map { CChar(bitPattern: $0) }
        idLengths.append(Int32(name.count))
        bodies += body
        bodyLengths.append(Int32(body.count))
      }
    }
  }

  private struct InsertFailed: Error { let code: Int32 }

  private func insert(_ rows: [Rows], by longest: Int) async throws -> Cost {
    let folder = try TemporaryFolder()
    guard let baseline = insert_baseline_open(folder.url.path + "/baseline.sqlite") else {
      throw InsertFailed(code: 14)
    }
    defer { insert_baseline_close(baseline) }
    return try await Cost.of {
      for row in rows {
        let code = insert_baseline_insert(
          baseline, longest, row.idLengths.count, row.ids, row.idLengths, row.bodies,
          row.bodyLengths)
        guard code == 0 else { throw InsertFailed(code: code) }
      }
    }
  }

  private func submit(_ batches: [[HealthRecord]]) async throws -> Cost {
    let folder = try TemporaryFolder()
    let session = SantorioSession(.init(directory: folder.url, endpoint: endpoint))
    try await session.start(user)
    return try await Cost.of {
      for batch in batches { try await session.submit(batch) }
      // What the session puts off until it has answered counts as well.
      await session.suspend()
    }
  }

  /// The cost of all calls, and the seconds that each took.
  private func submitAndWait(_ batches: [[HealthRecord]]) async throws -> (Cost, [Double]) {
    let folder = try TemporaryFolder()
    let session = SantorioSession(.init(directory: folder.url, endpoint: endpoint))
    try await session.start(user)
    var times: [Double] = []
    let cost = try await Cost.of {
      for batch in batches {
        let start = ContinuousClock.now
        try session.submitAndWait(batch)
        times.append((ContinuousClock.now - start) / .seconds(1))
      }
      await session.suspend()
    }
    return (cost, times)
  }
}
