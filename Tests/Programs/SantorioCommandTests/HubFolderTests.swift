// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCore
import Testing

/// Commands for one patient that are given the folder of a hub.
@Suite(.timeLimit(.minutes(15))) final class `Commands for one patient in a hub's folder` {
  private let queue = QueueFixture()
  private var folder: URL { queue.folder }

  init() throws {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent(".hub"), withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Starts a session with one waiting record.
  private func fill(_ directory: URL) async throws {
    let url = try #require(URL(string: "http://127.0.0.1:9"))
    let session = SantorioSession(
      SantorioSession.Configuration(directory: directory, endpoint: url))
    try await session.start(.default)
    try await session.submit(queue.record("a"))
  }

  @Test(arguments: [
    ["queue"], ["queue", "list"], ["queue", "send", "--server", "http://127.0.0.1:9"], ["devices"],
    ["read", "--once", "--radio", "simulated:20", "bm54"],
    ["pair", "bm54", "--radio", "simulated:20"],
  ])
  func `The command names the folder of a patient, and makes no session`(
    words: [String]
  ) async throws {
    let run = try await CommandProcess(words + ["--data", folder.path])
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(run.error.contains("is the folder of a hub"), "\(run.error)")
    #expect(run.error.contains("--data \(folder.path)/ALIAS"), "\(run.error)")
    #expect(run.error.contains("\"santorio hub status\""), "\(run.error)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [".hub"])
  }

  @Test func `The queue of one of the hub's patients is shown`() async throws {
    let patient = folder.appendingPathComponent("bed-1", isDirectory: true)
    try await fill(patient)
    let run = try await CommandProcess(["queue", "--data", patient.path])
    #expect(run.status == 0, "\(run.error)")
    #expect(run.output.contains("pending     1 records"))
  }

  @Test func `A session that was in the folder before the hub is shown`() async throws {
    try await fill(folder)
    let run = try await queue.run([])
    #expect(run.status == 0, "\(run.error)")
    #expect(run.output.contains("pending     1 records"))
  }
}
