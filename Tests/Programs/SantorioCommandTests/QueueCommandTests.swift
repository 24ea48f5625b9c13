// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCore
import Testing

/// A server that takes some records and refuses others.
private struct PickyServer: Transport {
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    guard request.method == "POST" else { return TransportResponse(status: 200) }
    let lines = request.body?.split(separator: UInt8(ascii: "\n")) ?? []
    let results = lines.compactMap { try? HealthRecord(informJSON: $0).logID }.map { logID in
      logID.hasPrefix("bad")
        ? #"{"log_id":"\#(logID)","status":"rejected","error":{"code":"odd","message":"no such unit","path":"metrics[0].unit"}}"#
        : #"{"log_id":"\#(logID)","status":"created","id":"7"}"#
    }
    return TransportResponse(
      status: 200, body: Array(#"{"results":[\#(results.joined(separator: ","))]}"#.utf8))
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Queue command` {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  private func record(_ logID: String) -> HealthRecord {
    let time = Date(timeIntervalSince1970: 1_772_600_767)
    return HealthRecord(
      logID: logID, time: RecordTime(start: time, origin: .device, received: time),
      source: RecordSource(type: .bluetooth, device: SourceDevice(model: "M1")),
      metrics: [Metric(.systolic, 127)])
  }

  private func session() throws -> Session {
    let url = try #require(URL(string: "http://127.0.0.1:9"))
    var configuration = Session.Configuration(directory: folder, endpoint: url)
    configuration.transport = PickyServer()
    configuration.notificationCenter = NotificationCenter()
    return try Session(configuration)
  }

  /// A session with two refused records, one pending, one held, and an archive of another user.
  private func fill() async throws {
    let session = try session()
    try await session.start(.default)
    try await session.submit(record("left-behind"))
    try await session.start(User(userID: "u1", organizationID: "o1", accessToken: "t1"))
    try await session.submit([record("bad-1"), record("bad-2")])
    let events = session.events
    session.resume()
    var count = 0
    for await event in events {
      if case .recordFailed = event { count += 1 }
      if count == 2 { break }
    }
    await session.suspend()
    try await session.submit(record("good"))
    try await session.hold([record("held")])
  }

  private func run(_ words: String...) async throws -> CommandProcess {
    try await CommandProcess(["queue"] + words + ["--data", folder.path])
  }

  @Test func `shows, exports, retries and discards what a session keeps`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await fill()

    let status = try await run()
    #expect(
      status.output == """
        session     of user u1, organisation o1
        pending     1 records, 0 images
        held        1 records
        quarantine  2 records, 0 images
        archives    1

        """, "\(status.error)")
    let list = try await run("list", "quarantine").output.split(separator: "\n")
    #expect(list.count == 2)
    #expect(
      list[0].hasPrefix("1  ") && list[0].hasSuffix("bad-1  odd no such unit at metrics[0].unit"))
    #expect(
      list[1].hasPrefix("2  ") && list[1].hasSuffix("bad-2  odd no such unit at metrics[0].unit"))
    #expect(try await run("list").output.hasSuffix("systolic blood pressure 127 mmHg\n"))
    #expect(try await run("list", "archives").output.contains("1 records of default, replaced"))

    for (part, logID) in [("pending", "good"), ("held", "held"), ("archives", "left-behind")] {
      let line = try await run("export", part).output.split(separator: "\n")
      #expect(try line.map { try HealthRecord(informJSON: $0.utf8) } == [record(logID)])
    }
    let refused = try await run("export", "quarantine").output.split(separator: "\n")
    #expect(
      try refused.map { try HealthRecord(informJSON: $0.utf8) } == [
        record("bad-1"), record("bad-2"),
      ])

    #expect(try await run("retry", "1").output.hasPrefix("1 records and 0 images wait"))
    #expect(try await run("discard", "2").output == "1 records removed\n")
    let archive = try #require(
      try await run("list", "archives").output.split(separator: " ").first.map(String.init))
    #expect(try await run("remove", archive).output == "\(archive) removed\n")
    #expect(
      try await run("status").output.split(separator: "\n").suffix(4) == [
        "pending     2 records, 0 images", "held        1 records",
        "quarantine  0 records, 0 images", "archives    0",
      ])
  }

  @Test func `works beside the process that has the session open`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let session = try session()
    try await session.start(User(userID: "u1", organizationID: "o1", accessToken: "t1"))
    try await session.submit(record("good"))

    #expect(try await run().output.contains("pending     1 records"))
    try await session.submit(record("good-2"))
    #expect(try await run("export").output.split(separator: "\n").count == 2)
  }

  @Test(arguments: [
    ([], "needs --data FOLDER"), (["--data", "/nowhere"], "no folder of a session"),
    (["frobnicate", "--data", "FOLDER"], "nothing to do with a queue"),
    (["list", "everything", "--data", "FOLDER"], "pending, held, quarantine, archives"),
    (["retry", "x", "--data", "FOLDER"], "no number of a record"),
    (["discard", "--data", "FOLDER"], "needs the numbers"),
    (["remove", "--data", "FOLDER"], "needs the name"),
    (["remove", "archive-9", "--data", "FOLDER"], "no archive"),
  ])
  func `says what is wrong with a call, and makes nothing`(words: [String], message: String)
    async throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    if words.contains("FOLDER") { _ = try session() }

    let run = try await CommandProcess(
      ["queue"] + words.map { $0 == "FOLDER" ? folder.path : $0 })

    #expect(run.status == 64)
    #expect(run.error.contains(message), "\(run.error)")
    #expect(FileManager.default.fileExists(atPath: folder.path) == words.contains("FOLDER"))
  }
}
