// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCore
import Testing

@testable import IngestServer
@testable import santorio

@Suite(.timeLimit(.minutes(15))) struct `A correction of a reading` {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  @Test func `survives another reading of the device and a late upload`()
    async throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let server = try IngestServer(
      configuration: .init(
        storagePath: folder.appendingPathComponent("records.sqlite").path, port: 0))
    defer { server.stop() }
    let account = try server.createUser(organization: "clinic", uid: "bed-2")
    let user = SantorioUser(
      userID: account.id, organizationID: account.organization, accessToken: account.token)
    let client = try IngestClient(
      endpoint: try #require(URL(string: "http://127.0.0.1:\(server.port)")), user: user)
    let readBack = ReadBack(server: server, user: user)

    try await read("gateway", for: account, to: server)
    let sent = try await readBack.records()
    let first = try #require(sent.first { $0.kind != .rejected })
    let place = try #require(
      first.metrics.firstIndex { $0.type == .systolic }, "\(first.metrics)")
    var corrected = first
    corrected.metrics[place].value = 118
    corrected.userNotes = [UserNote(type: "message", value: "read off the display")]
    let correction = try await client.update(corrected, ifRevision: 1)
    #expect(correction.outcome == .revised)
    #expect(correction.revision == 2)

    // The same gateway, and one that took its place and knows nothing of what was read.
    try await read("gateway", for: account, to: server)
    try await read("another gateway", for: account, to: server)
    // An upload whose answer was lost long ago.
    let late = try await client.post(first)

    #expect(late.outcome == .duplicate)
    let expected = sent.map { $0.logID == first.logID ? corrected : $0 }
    func readings(_ records: [HealthRecord]) -> Set<HealthRecord> {
      Set(records.filter { $0.kind != .rejected })
    }
    #expect(readings(try await readBack.records()) == readings(expected))
    // A correction of what another user has corrected meanwhile is refused.
    let refusal = await #expect(throws: IngestClientError.self) {
      try await client.update(first, ifRevision: 1)
    }
    #expect(refusal?.code == .revisionMismatch)
    let kept = try await readBack.records()
    #expect(kept.count == sent.count)
    #expect(readings(kept) == readings(expected))
  }

  /// Reads a cuff to the end of its memory, and uploads.
  private func read(
    _ gateway: String, for account: IngestUser, to server: IngestServer
  ) async throws {
    let run = try await CommandProcess(
      [
        "read", "--once", "--radio", "simulated:20", "--data",
        folder.appendingPathComponent(gateway).path, "--server", "http://127.0.0.1:\(server.port)",
        "--organization", account.organization, "--user", account.id, "2",
      ], environment: ["SANTORIO_TOKEN": account.token])
    #expect(run.status == 0, "\(run.error)")
  }
}
