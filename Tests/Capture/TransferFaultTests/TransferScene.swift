// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioCore
import Testing

/// A folder with a session, and processes that read devices into it.
final class TransferScene: Sendable {
  static let records = 60
  /// All that the meter keeps: three of its model's own, and those measured.
  static let readings = 64
  /// What the meter keeps beside them: a control solution and a failed test.
  static let rejected = 2

  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent(UUID().uuidString)
  private let isPassive: Bool

  /// Starts a session in a new folder.
  ///
  /// - Parameter isPassive: Whether three devices are read passively, and not the meter alone.
  /// - Throws: What keeps the session from being started.
  init(isPassive: Bool = false) async throws {
    self.isPassive = isPassive
    try await session().start(SantorioUser(userID: "u", organizationID: "o", accessToken: "token"))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func session() throws -> SantorioSession {
    let endpoint = try #require(URL(string: "http://127.0.0.1:9"))
    return SantorioSession(
      .init(directory: folder.appendingPathComponent("session"), endpoint: endpoint))
  }

  /// The records in the queue.
  func pending() async throws -> [HealthRecord] { try await session().pendingRecords() }

  /// The identifiers of the readings in the queue.
  func stored() async throws -> [String] {
    try await pending().filter { $0.kind != .rejected }.map(\.logID)
  }

  /// How many rejected readings are stored.
  func storedRejected() async throws -> Int {
    try await pending().count { $0.kind == .rejected }
  }

  /// What the world beside the folder has noted; see `TransferChild`.
  func noted() -> [String] {
    let file = folder.appendingPathComponent("world")
    return ((try? String(contentsOf: file, encoding: .utf8)) ?? "")
      .split(separator: "\n").map(String.init)
  }

  /// Reads the devices; with `end`, the process ends itself there.
  func read(endingAt end: [String] = []) async throws -> [String] {
    let lines = Locked<[String]>([])
    let form = isPassive ? ["passively"] : []
    let child = try ChildProcess(
      "TransferChild", [folder.path, "\(Self.records)"] + form + end
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

/// Whether all or many places are tried at which a process may end.
let isLongForm = ProcessInfo.processInfo.environment["SANTORIO_FAULTS"] == "long"
