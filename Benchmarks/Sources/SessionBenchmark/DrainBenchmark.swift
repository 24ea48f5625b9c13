// SPDX-License-Identifier: Apache-2.0

import BenchmarkReport
import Foundation
import HealthRecords
import SantorioCore

/// How fast a full queue reaches the server, in batches and record by record.
struct DrainBenchmark {
  private static let rounds = 5
  private static let limit = 10.0

  let server: ServerChild

  func run(_ report: inout Report) async throws {
    report.heading("Draining to a server on this machine")
    report.head(["records a request", "records/s", "CPU µs a record (client)"])
    var (single, batch) = ([Cost](), [Cost]())
    let (few, many) = (1000, 20_000)
    for _ in 0..<Self.rounds {
      single.append(try await drain(few, batchRecords: 1))
      batch.append(try await drain(many, batchRecords: 100))
    }
    let (one, hundred) = (median(single), median(batch))
    let rates = (Double(few) / one.wall, Double(many) / hundred.wall)
    report.row(["1", rates.0.rounded(0), (one.cpu / Double(few) * 1e6).rounded(1)])
    report.row(["100", rates.1.rounded(0), (hundred.cpu / Double(many) * 1e6).rounded(1)])
    let factor = rates.1 / rates.0
    report.line("\nfactor \(factor.rounded(1))")
    report.gate(
      "draining in batches is at least \(Int(Self.limit)) times as fast", factor >= Self.limit)
  }

  private func drain(_ count: Int, batchRecords: Int) async throws -> Cost {
    let folder = try TemporaryFolder()
    let user = try await server.makeUser()
    try await fill(folder.url, count, user, server.endpoint)
    return try await drainFolder(
      folder.url, count, server.endpoint, batchRecords: batchRecords)
  }
}

/// Puts records into the queue of a folder, in calls of 1000.
func fill(
  _ folder: URL, _ count: Int, _ user: SantorioUser, _ endpoint: URL,
  progress: (Int) -> Void = { _ in }
) async throws {
  var configuration = SantorioSession.Configuration(directory: folder, endpoint: endpoint)
  configuration.maximumBytes = 4 << 30
  let session = SantorioSession(configuration)
  try await session.start(user)
  for start in stride(from: 0, to: count, by: 1000) {
    try await session.submit((start..<min(start + 1000, count)).map(sample))
    progress(min(start + 1000, count))
  }
}

/// Sends what waits in a folder, until each of `count` records was told to be submitted.
func drainFolder(
  _ folder: URL, _ count: Int, _ endpoint: URL, batchRecords: Int = 100,
  progress: @escaping @Sendable (Int) -> Void = { _ in }
) async throws -> Cost {
  try await Cost.of {
    var configuration = SantorioSession.Configuration(directory: folder, endpoint: endpoint)
    configuration.maximumBatchRecords = batchRecords
    configuration.maximumBytes = 4 << 30
    let session = SantorioSession(configuration)
    let events = session.events
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await session.run() }
      group.addTask {
        var submitted = 0
        for await event in events {
          guard case .recordSubmitted = event else { continue }
          submitted += 1
          progress(submitted)
          if submitted == count { return }
        }
      }
      try await group.next()
      group.cancelAll()
    }
  }
}
