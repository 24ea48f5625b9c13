// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCore
import Testing

@Suite(.timeLimit(.minutes(15))) struct `Queue command` {
  private let queue = QueueFixture()
  private var folder: URL { queue.folder }

  private func record(_ logID: String) -> HealthRecord { queue.record(logID) }
  private func session() throws -> SantorioSession { try queue.session() }
  private func run(_ words: String...) async throws -> CommandProcess { try await queue.run(words) }

  /// A session with two refused records, one pending, one held, and an archive of another user.
  private func fill() async throws {
    let session = try session()
    try await session.start(.default)
    try await session.submit(record("left-behind"))
    try await session.start(SantorioUser(userID: "u1", organizationID: "o1", accessToken: "t1"))
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

  @Test func `shows, exports, retries and discards records`() async throws {
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

  @Test func `shows and exports deletions beside records`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let session = try session()
    try await session.start(SantorioUser(userID: "u1", organizationID: "o1", accessToken: "t1"))
    try await session.submit(record("good"))
    let deletion = RecordDeletion(
      of: "gone", noticed: Date(timeIntervalSince1970: 1_772_600_000), kind: .measurement)
    try await session.submit(deletions: [deletion])

    #expect(
      try await run("status").output.contains("pending     1 records, 0 images, 1 deletions\n"))
    let list = try await run("list").output.split(separator: "\n")
    #expect(list.count == 2)
    #expect(list.last == "2026-03-04T04:53:20Z  deletion of a measurement record, gone")
    let lines = try await run("export").output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(try RecordDeletion(json: (lines.last ?? "").utf8) == deletion)

    try await session.end()
    #expect(
      try await run("list", "archives").output.hasSuffix("1 records of u1, 1 deletions, ended\n"))
    #expect(try await run("export", "archives").output.split(separator: "\n").count == 2)
  }

  @Test func `exports data points of Open mHealth, and reports what it leaves out`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await fill()
    let session = try session()
    try await session.start(SantorioUser(userID: "u1", organizationID: "o1", accessToken: "t1"))
    var record = record("whole")
    record.metrics.append(Metric(.diastolic, 81))
    try await session.submit(record)

    let pending = try await run("export", "--to", "open-mhealth")
    #expect(pending.status == 0, "\(pending.error)")
    #expect(
      pending.output.split(separator: "\n").map { $0.split(separator: #""body":"#)[1] } == [
        #"{"systolic_blood_pressure":{"value":127,"unit":"mmHg"},"#
          + #""diastolic_blood_pressure":{"value":81,"unit":"mmHg"},"#
          + #""effective_time_frame":{"date_time":"2026-03-04T05:06:07Z"}}}"#
      ])
    #expect(
      pending.error == """
        santorio: record good: metrics[0] (systolic) is left out: the schema asks for both pressures, \
        and only this one can be said
        santorio: parts left out: 1; records that lack some: 1

        """)
    let refused = try await run("export", "quarantine", "--to", "open-mhealth")
    #expect(refused.output.isEmpty)
    #expect(refused.error.contains("santorio: record 2: metrics[0] (systolic) is left out"))
    #expect(try await run("export", "--to", "inform").output == run("export").output)
  }

  @Test func `works beside the process that has the session open`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let session = try session()
    try await session.start(SantorioUser(userID: "u1", organizationID: "o1", accessToken: "t1"))
    try await session.submit(record("good"))

    #expect(try await run().output.contains("pending     1 records"))
    try await session.submit(record("good-2"))
    #expect(try await run("export").output.split(separator: "\n").count == 2)
  }

  @Test(arguments: [
    ([], "needs --data FOLDER"), (["--data", "/nowhere"], "not the folder of a session"),
    (["frobnicate", "--data", "FOLDER"], "unknown subcommand 'frobnicate'; the subcommands are"),
    (
      ["discrad", "1", "--data", "FOLDER"], "unknown subcommand 'discrad'; did you mean 'discard'?"
    ),
    (
      ["list", "everything", "--data", "FOLDER"],
      "pending, held, older, quarantine or archives, not \"everything\"."
    ),
    (["retry", "x", "--data", "FOLDER"], "not the number of a quarantined record"),
    (["discard", "--data", "FOLDER"], "needs the numbers"),
    (["remove", "--data", "FOLDER"], "needs the name"),
    (["remove", "archive-9", "--data", "FOLDER"], "no archive"),
    (["retry", "archive-9.records", "--data", "FOLDER"], "nor the name of a suitable archive"),
    (["status", "all", "--data", "FOLDER"], "\"status\" takes options only."),
    (["status", "--any-user", "--data", "FOLDER"], "--any-user can only be used with \"retry\"."),
    (
      ["list", "--server", "http://localhost", "--data", "FOLDER"],
      "--server can only be used with \"send\"."
    ),
    (["send", "--data", "FOLDER"], "\"send\" needs --server URL"),
    (
      ["export", "--to", "csv", "--data", "FOLDER"],
      "--to takes inform or open-mhealth, not \"csv\"."
    ),
    (
      ["list", "--to", "inform", "--data", "FOLDER"],
      "--to can only be used with \"send\" and \"export\"."
    ),
    (["send", "--data", "FOLDER", "--server", "http://localhost"], "has no user to send for"),
    (["status", "--data", ""], "--data needs a value: --data FOLDER."),
  ])
  func `explains a wrong call and creates nothing`(words: [String], message: String)
    async throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    if words.contains("FOLDER") { try await session().open() }

    let run = try await CommandProcess(
      ["queue"] + words.map { $0 == "FOLDER" ? folder.path : $0 })

    #expect(run.status == 64)
    #expect(run.error.contains(message), "\(run.error)")
    #expect(FileManager.default.fileExists(atPath: folder.path) == words.contains("FOLDER"))
  }
}
