// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

private let environment = ProcessInfo.processInfo.environment

/// `SANTORIO_FAULTS` is `short` or `long`, and `SANTORIO_SEED` chooses another run.
///
/// It is not among all other tests: it lasts two minutes of everybody's time at least.
@Suite(
  .enabled(if: environment["SANTORIO_FAULTS"] != nil), .serialized, .timeLimit(.minutes(120)))
struct `A hub whose devices are in another process` {
  private static let isLong = environment["SANTORIO_FAULTS"] == "long"
  private static let seed = environment["SANTORIO_SEED"].flatMap { UInt64($0) }

  @Test func `has each measurement at its person once, held, or accounted for`() async throws {
    let seed = Self.seed ?? (Self.isLong ? UInt64.random(in: 0..<1_000_000) : 7)
    let isTold = Self.isLong || Self.seed != nil
    let begin = Date()
    var soak = try WardSoak(seed: seed, Self.isLong ? .long : .short) { line in
      guard isTold else { return }
      let seconds = Int(Date().timeIntervalSince(begin))
      FileHandle.standardError.write(Data("\(seconds) s: \(line)\n".utf8))
    }
    defer { soak.processes.end() }
    try await soak.run()
    let fates = try await soak.fates()
    let report = report(seed, soak.happenings, fates)
    if isTold { print(report) }
    #expect(!fates.contains { $0.fate.isFault }, "seed \(seed): \(report)")
    #expect(fates.count { $0.fate == .stored } > fates.count / 2, "\(soak.processes.lastLog)")
  }

  private func report(
    _ seed: UInt64, _ happenings: [String: Int], _ fates: [(fate: WardFate, line: String)]
  ) -> String {
    let counts = Dictionary(grouping: fates, by: \.fate).mapValues(\.count)
    let events = happenings.sorted { $0.key < $1.key }.map { "\($0.value)  \($0.key)" }
    let table = WardFate.allCases.map { "\(counts[$0] ?? 0)  \($0.rawValue)" }
    let faults = fates.filter(\.fate.isFault).map { "\($0.fate.rawValue): \($0.line)" }
    return (["seed \(seed)"] + events + [""] + table + faults).joined(separator: "\n")
  }
}
