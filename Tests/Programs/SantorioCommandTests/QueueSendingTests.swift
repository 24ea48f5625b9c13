// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import HealthRecords
import IngestServer
import SantorioCore
import Testing

@testable import santorio

/// The command that sends a queue, when the server gives results for some records only.
@Suite(.timeLimit(.minutes(15))) final class `Queue send command` {
  private let queue = QueueFixture()
  private let records = FileManager.default.temporaryDirectory
    .appendingPathComponent(UUID().uuidString)
  private let server: IngestServer
  private let user: SantorioUser

  init() throws {
    try FileManager.default.createDirectory(at: records, withIntermediateDirectories: true)
    server = try IngestServer(
      configuration: .init(
        storagePath: records.appendingPathComponent("records.sqlite").path, port: 0))
    let account = try server.createUser(organization: "clinic", uid: "bed-2")
    user = SantorioUser(
      userID: account.id, organizationID: account.organization, accessToken: account.token)
  }

  deinit {
    server.stop()
    for folder in [records, queue.folder] { try? FileManager.default.removeItem(at: folder) }
  }

  private func stored() async throws -> [String] {
    try await ReadBack(server: server, user: user).records().map(\.logID)
  }

  @Test func `Records without a result are sent again by the same command`() async throws {
    let logIDs = ["a", "b", "c", "d"]
    let session = try queue.session()
    try await session.start(user)
    try await session.submit(logIDs.map { queue.record($0) })
    let results = ["a", "b"].map { #"{"log_id":"\#($0)","status":"created","id":"1"}"# }
    let half = LineFault.http(200, #"{"results":[\#(results.joined(separator: ","))]}"#)
    let line = try #require(
      FaultProxy(to: server.port) { request, _ in
        request.logIDs == logIDs ? .answerAfter(half) : .none
      })

    let run = try await queue.run(["send", "--server", "http://127.0.0.1:\(line.port)"])

    #expect(run.status == 0, "\(run.error)")
    #expect(run.output == "4 records and 0 images sent, 0 and 0 refused; 0 and 0 wait\n")
    #expect(try await stored() == logIDs)
    #expect(line.requestCount >= 2)
  }

  @Test func `The command says when records are due that wait for longer than it does`()
    async throws
  {
    // The next attempt is in minutes by the clock of the command.
    let session = try queue.session(now: { Date().addingTimeInterval(200) })
    try await session.start(user)
    try await session.submit([queue.record("a"), queue.record("later")])
    let events = session.events
    session.resume()
    for await event in events { if case .recordSubmitted = event { break } }
    await session.suspend()

    let run = try await queue.run(["send", "--server", "http://127.0.0.1:\(server.port)"])

    #expect(run.status == 1)
    #expect(run.output == "0 records and 0 images sent, 0 and 0 refused; 1 and 0 wait\n")
    let reason =
      /the server has given no result for 1 records and 0 images; they are due again in \d+ seconds/
    #expect(run.error.contains(reason), "\(run.error)")
  }

  @Test func `The command says that an image waits for its record`() async throws {
    let session = try queue.session()
    try await session.start(user)
    try await session.submit(queue.record("a"), image: Data([0xff, 0xd8, 0xff, 1]))
    #expect(try await session.holdAgain(["a"], inSession: nil) == ["a"])

    let run = try await queue.run(["send", "--server", "http://127.0.0.1:\(server.port)"])

    #expect(run.status == 1)
    #expect(run.output == "0 records and 0 images sent, 0 and 0 refused; 0 and 1 wait\n")
    #expect(
      run.error.contains("santorio: 1 images wait until the server has their records\n"),
      "\(run.error)")
  }
}
