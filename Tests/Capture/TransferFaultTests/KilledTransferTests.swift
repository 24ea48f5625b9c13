// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioCore
import TestSupport
import Testing

/// A folder with a session, and processes that read a meter into it.
final class TransferScene: Sendable {
  static let records = 60
  /// All that the meter keeps: three of its model's own, and those measured.
  static let readings = 64
  /// What the meter keeps beside them: a control solution and a failed test.
  static let rejected = 2

  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  init() async throws {
    try await session().start(SantorioUser(userID: "u", organizationID: "o", accessToken: "token"))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func session() throws -> SantorioSession {
    let endpoint = try #require(URL(string: "http://127.0.0.1:9"))
    return SantorioSession(.init(directory: folder, endpoint: endpoint))
  }

  /// The identifiers of the records in the queue.
  func stored() async throws -> [String] {
    try await session().pendingRecords().filter { $0.kind != .rejected }.map(\.logID)
  }

  /// How many rejected readings are stored.
  func storedRejected() async throws -> Int {
    try await session().pendingRecords().count { $0.kind == .rejected }
  }

  /// Reads the meter; with `end`, the process ends itself there.
  func read(endingAt end: [String] = []) async throws -> [String] {
    let lines = Locked<[String]>([])
    let child = try ChildProcess(
      "TransferChild", [folder.path, "\(Self.records)"] + end
    ) { line in
      lines.withLock { $0.append(line) }
    }
    _ = await child.status()
    return lines.withLock { $0 }
  }
}

extension [String] {
  /// What stands behind a word at the beginning of a line.
  func values(of kind: String) -> [String] {
    filter { $0.hasPrefix(kind + " ") }.map { String($0.dropFirst(kind.count + 1)) }
  }
}

@Suite(.timeLimit(.minutes(30))) struct `A memory transfer that is killed` {
  private static let isLong = ProcessInfo.processInfo.environment["SANTORIO_FAULTS"] == "long"
  /// How many of the places are tried, unless all are.
  private static let sample = cases(few: 8, many: 24)

  private func check(endingAt end: [String]) async throws {
    let scene = try await TransferScene()
    let first = try await scene.read(endingAt: end).values(of: "READ")
    let committed = try await scene.stored()

    let second = try await scene.read()

    let stored = try await scene.stored()
    let place = "\(end.joined(separator: " ")), after \(committed.count) records"
    // What was reported was on disk, and nothing is lost or twice.
    #expect(Set(first).isSubset(of: committed), "\(place)")
    #expect(stored.count == TransferScene.readings, "\(place)")
    #expect(Set(stored).count == stored.count, "\(place)")
    #expect(try await scene.storedRejected() == TransferScene.rejected, "\(place)")
    // Nothing of what was committed is transferred again.
    let again = second.values(of: "READ")
    #expect(again.count == TransferScene.readings - committed.count, "\(place)")
    #expect(Set(again).isDisjoint(with: committed), "\(place)")
  }

  @Test func `resumes behind its last commit, wherever the radio stood`() async throws {
    let whole = try await TransferScene().read()
    let steps = try #require(whole.values(of: "STEPS").first.flatMap { Int($0) })
    #expect(whole.values(of: "READ").count == TransferScene.readings)
    let count = Self.isLong ? steps : Self.sample
    for number in 0..<count {
      try await check(endingAt: ["radio", "\(number * steps / count)"])
    }
  }

  @Test func `resumes behind its last commit, wherever the disk stood`() async throws {
    let count = Self.isLong ? 600 : Self.sample
    for number in 0..<count {
      try await check(endingAt: ["disk", "\(1 + number * 600 / count)", "\(number)"])
    }
  }
}
