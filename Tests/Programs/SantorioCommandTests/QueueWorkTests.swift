// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCore
import Testing

@Suite(.timeLimit(.minutes(15))) struct `Queue command at work` {
  private let queue = QueueFixture()

  private func remove() { try? FileManager.default.removeItem(at: queue.folder) }

  @Test func `retries an archive of the same user and removes it`() async throws {
    defer { remove() }
    let session = try queue.session()
    try await session.start(queue.alice)
    try await session.submit([queue.record("a"), queue.record("b")])
    try await session.end()
    try await session.start(queue.alice)
    let archive = try await queue.archive()

    let run = try await queue.run(["retry", archive])

    #expect(run.status == 0, "\(run.error)")
    #expect(run.output == "2 records of \(archive) wait for the server again\n")
    #expect(try await session.pendingRecords() == [queue.record("a"), queue.record("b")])
    #expect(try await session.archives().isEmpty)
  }

  @Test func `requires --any-user for another user's archive`() async throws {
    defer { remove() }
    let session = try queue.session()
    try await session.start(.default)
    try await session.submit(queue.record("a"))
    try await session.start(queue.alice)
    let archive = try await queue.archive()

    let refused = try await queue.run(["retry", archive])
    #expect(refused.status == 1)
    #expect(
      refused.error == """
        santorio: \(archive) holds records of user default of organisation default, and the session is \
        that of user u1 of organisation o1; with --any-user they are sent as the session user's.

        """)
    #expect(try await session.pendingCount() == 0)

    #expect(try await queue.run(["retry", archive, "--any-user"]).status == 0)
    #expect(try await session.pendingRecords() == [queue.record("a")])
    #expect(try await session.archives().isEmpty)
  }

  @Test func `retries the images of an archive, even another user's`() async throws {
    defer { remove() }
    let session = try queue.session()
    try await session.start(.default)
    let photo = Data([0xff, 0xd8, 0xff, 1])
    try await session.submit(queue.record("a"), image: photo)
    try await session.start(queue.alice)
    #expect(try await session.pendingImageCount() == 0)

    let run = try await queue.run(["retry", try await queue.archive(), "--any-user"])

    #expect(run.status == 0, "\(run.error)")
    #expect(try await session.pendingImageCount() == 1)
    let media = try #require(try await session.pendingRecords().first?.media.first)
    #expect(try await session.image(media) == photo)
    #expect(try await session.archives().isEmpty)
  }

  @Test func `changes the key, and keeps the records`() async throws {
    defer { remove() }
    try await {
      let session = try queue.session()
      try await session.start(queue.alice)
      try await session.submit(queue.record("a"))
    }()
    let path = queue.folder.appendingPathComponent("outbox-key.token")
    let key = try Data(contentsOf: path)

    let run = try await queue.run(["rekey"])

    #expect(run.status == 0, "\(run.error)")
    #expect(run.output.hasPrefix("the key was changed"))
    #expect(try Data(contentsOf: path) != key)
    let session = try queue.session()
    #expect(try await session.pendingRecords() == [queue.record("a")])
    let again = try await queue.run(["rekey"])
    #expect(again.status == 1)
    #expect(again.error.contains("folder_in_use"), "\(again.error)")
    #expect(try await session.pendingCount() == 1)
  }

  @Test func `requires a session to retry an archive`() async throws {
    defer { remove() }
    let session = try queue.session()
    try await session.start(queue.alice)
    try await session.submit(queue.record("a"))
    try await session.end()

    let run = try await queue.run(["retry", try await queue.archive(), "--any-user"])

    #expect(run.status == 1)
    #expect(
      run.error.contains("there is no session; start one with \"santorio read"), "\(run.error)")
    #expect(try await session.archives().count == 1)
  }

  @Test func `quarantines unreadable records of an archive`() async throws {
    defer { remove() }
    let session = try queue.session()
    try await session.start(queue.alice)
    try await session.submit(queue.record("a"))
    let file = try #require(try await session.end().archive)
    try await session.start(queue.alice)
    var lines = try Data(contentsOf: file)
    lines += Data("b\tAAAA\n".utf8)
    try lines.write(to: file)

    let run = try await queue.run(["retry", file.lastPathComponent])

    #expect(run.status == 1)
    #expect(
      run.error.contains("1 records of \(file.lastPathComponent) cannot be read"), "\(run.error)")
    #expect(try await session.pendingRecords() == [queue.record("a")])
    #expect(try await session.quarantinedRecords().map(\.failure) == [nil])
    #expect(try await session.quarantinedRecords().map(\.userID) == ["u1"])
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func `holds an archive's records that the user had not approved`() async throws {
    defer { remove() }
    let session = try queue.session()
    try await session.start(queue.alice)
    try await session.submit(queue.record("a"))
    try await session.hold([queue.record("held")])
    try await session.end()
    try await session.start(queue.alice)
    let archive = try await queue.archive()
    let list = try await queue.run(["list", "archives"]).output
    #expect(list == "\(archive)  1 records of u1, 1 more held, ended\n")

    let run = try await queue.run(["retry", archive])

    #expect(run.status == 0, "\(run.error)")
    #expect(run.output.contains("1 records of \(archive) are held"), "\(run.output)")
    #expect(try await session.pendingRecords() == [queue.record("a")])
    #expect(try await session.heldRecords() == [queue.record("held")])
  }

  @Test func `does not replace a record by older content`() async throws {
    defer { remove() }
    let session = try queue.session()
    try await session.start(queue.alice)
    try await session.submit(queue.record("a"))
    try await session.end()
    try await session.start(queue.alice)
    var newer = queue.record("a")
    newer.metrics = [Metric(.systolic, 131)]
    try await session.submit(newer)

    #expect(try await queue.run(["retry", try await queue.archive()]).status == 0)

    #expect(try await session.pendingRecords() == [newer])
    #expect(try await session.archives().isEmpty)
  }

  @Test func `names unknown record numbers`() async throws {
    defer { remove() }
    let session = try queue.session()
    try await session.start(queue.alice)
    try await session.submit(queue.record("bad"))
    await queue.upload(session, untilRefused: 1)

    let retried = try await queue.run(["retry", "1", "7"])
    #expect(retried.status == 1)
    #expect(retried.output == "1 records and 0 images wait for the server again\n")
    #expect(retried.error.hasPrefix("santorio: there is no record 7 in the quarantine\n"))
    let discarded = try await queue.run(["discard", "8"])
    #expect(discarded.status == 1)
    #expect(discarded.output == "0 records removed\n")
    #expect(discarded.error.hasPrefix("santorio: there is no record 8 in the quarantine\n"))
  }

  @Test func `lists refused images and removes one by its digest's first digits`()
    async throws
  {
    defer { remove() }
    let session = try queue.session()
    try await session.start(queue.alice)
    try await session.submit(queue.record("a"), image: Data([0xff, 0xd8, 0xff, 1]))
    try await session.submit(queue.record("b"), image: Data([0xff, 0xd8, 0xff, 2]))
    await queue.upload(session, untilRefused: 2)
    let lines = try await queue.run(["list", "quarantine"]).output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].wholeMatch(of: /image:[0-9a-f]{12}  a  422 .*/) != nil, "\(lines)")
    let name = try #require(lines[0].split(separator: " ").first.map(String.init))

    #expect(try await queue.run(["discard", name]).output == "1 images removed\n")

    #expect(try await session.quarantinedImages().map(\.logID) == ["b"])
    let again = try await queue.run(["discard", name])
    #expect(again.status == 1)
    #expect(again.error.contains("there is no such image"), "\(again.error)")
  }

  @Test func `removes control characters from a server's messages`() async throws {
    defer { remove() }
    let session = try queue.session(message: #"\u001b[2J\n\u202eevil"#)
    try await session.start(queue.alice)
    try await session.submit(queue.record("bad"))
    await queue.upload(session, untilRefused: 1)

    let list = try await queue.run(["list", "quarantine"]).output

    #expect(list.hasSuffix("  bad  odd ·[2J··evil at metrics[0].unit\n"), "\(list)")
  }

  @Test func `reports a replaced damaged file and its name`() async throws {
    defer { remove() }
    try FileManager.default.createDirectory(at: queue.folder, withIntermediateDirectories: true)
    try Data("no database at all".utf8)
      .write(to: queue.folder.appendingPathComponent("outbox.sqlite"))

    let first = try await queue.run([])
    #expect(first.status == 0, "\(first.error)")
    let messages =
      /was replaced; 0 records were recovered, .* kept as (outbox\.sqlite\.bad\.\d+)\n/
    let file = try #require(try messages.firstMatch(in: first.error)?.1)
    #expect(first.output.hasSuffix("damaged     \(file)\n"))
    let second = try await queue.run([])
    #expect(!second.error.contains("was replaced"))
    #expect(second.output == first.output)
  }

  @Test func `sets a queue aside whose key does not exist any more`() async throws {
    defer { remove() }
    let session = try queue.session()
    try await session.start(queue.alice)
    try await session.submit([queue.record("a"), queue.record("b")])
    await session.suspend()
    let needless = try await queue.run(["set-aside"])
    #expect(needless.status == 1 && needless.error.contains("the queue's key exists"))
    try FileManager.default.removeItem(at: queue.folder.appendingPathComponent("outbox-key.token"))

    let status = try await queue.run([])
    let run = try await queue.run(["set-aside"])
    let after = try await queue.run([])

    #expect(status.status == 1)
    #expect(status.error.contains("the key of the records does not exist"), "\(status.error)")
    #expect(status.error.contains("santorio queue set-aside"))
    #expect(run.status == 0, "\(run.error)")
    #expect(run.output.contains(/^2 records in set-aside-\d+, which need their key\n$/))
    #expect(after.output.contains(/set aside   2 records in set-aside-\d+/), "\(after.output)")
    #expect(after.output.contains("session     none"))
  }

  @Test(.enabled(if: geteuid() != 0, "nothing is forbidden to root"))
  func `reports a folder of another user`() async throws {
    defer { remove() }
    _ = try queue.session()
    defer {
      try? FileManager.default.setAttributes(
        [.posixPermissions: 0o700], ofItemAtPath: queue.folder.path)
    }
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: queue.folder.path)

    let run = try await queue.run([])

    #expect(run.status == 1)
    #expect(run.error.contains("Permission denied. Run the command as the folder's owner"))
  }

  @Test func `shows the status of a session whose token is lost`() async throws {
    defer { remove() }
    let session = try queue.session()
    try await session.start(queue.alice)
    try FileManager.default.removeItem(
      at: queue.folder.appendingPathComponent("session-1.token"))

    let run = try await queue.run([])

    #expect(run.status == 0, "\(run.error)")
    #expect(run.output.hasPrefix("session     of user u1, organisation o1\n"))
  }
}
