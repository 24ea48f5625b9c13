// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioSQLite
import TestSupport
import Testing

@testable import SantorioCore

/// A queue whose key does not exist any more.
@Suite(.timeLimit(.minutes(15))) struct `Queue without its key` {
  let folder: TemporaryFolder
  let clock = ManualClock()

  init() throws { folder = try TemporaryFolder() }

  private func made(startsAnew: Bool = true, in directory: URL? = nil) -> SantorioSession {
    let transport = ScriptedTransport { request, _ in ScriptedTransport.stored(request) }
    var configuration = configuration(folder, transport, clock: clock)
    configuration.directory = directory ?? folder.url
    configuration.credentials = CredentialFiles(folder: directory ?? folder.url)
    configuration.startsAnewWithoutKey = startsAnew
    return SantorioSession(configuration)
  }

  private var key: String { folder.path("outbox-key.token") }

  /// A queue with two waiting records and one held back, and an archive of another user's session.
  private func fill() async throws {
    let session = made()
    try await session.start(bob)
    try await session.submit(reading("of-bob"))
    try await session.start(alice)
    try await session.submit([reading("a"), reading("b")])
    try await session.hold([reading("held")])
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  /// Loses the key, and returns what it was.
  private func loseKey() throws -> Data {
    let text = try Data(contentsOf: URL(fileURLWithPath: key))
    try FileManager.default.removeItem(atPath: key)
    return text
  }

  @Test func `is set aside, with an event, and the folder begins anew`() async throws {
    try await fill()
    _ = try loseKey()
    let session = made()

    #expect(try await session.user() == nil)
    try await session.start(alice)
    try await session.submit(reading("c"))
    let events = await session.runUntilDelivered(2)

    let queue = try #require(try await session.setAsideQueues().first)
    #expect(events.first == .queueSetAside(queue))
    #expect(queue.records == 3)
    #expect(queue.folder.deletingLastPathComponent().path == folder.url.path)
    #expect(events.last == .recordSubmitted(reading("c"), serverID: "s-c"))
    #expect(try await session.archives() == [])
    #expect(try names().filter { $0.hasPrefix("set-aside-") }.count == 1)
  }

  @Test func `has everything again for a session on it, once the key is there`() async throws {
    try await fill()
    let text = try loseKey()
    var aside: URL?
    do {
      let session = made()
      try await session.open()
      aside = try await session.setAsideQueues().first?.folder
    }
    let folder = try #require(aside)
    try text.write(to: folder.appendingPathComponent("outbox-key.token"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600],
      ofItemAtPath: folder.appendingPathComponent("outbox-key.token").path)

    let session = made(startsAnew: false, in: folder)

    #expect(try await session.user()?.userID == "alice")
    #expect(try await session.pendingRecords() == [reading("a"), reading("b")])
    #expect(try await session.heldRecords() == [reading("held")])
    #expect(try await session.archives().flatMap(\.unsentRecords) == [reading("of-bob")])
  }

  @Test func `is left as it is where an operator can bring the key back`() async throws {
    try await fill()
    let text = try loseKey()

    await #expect { try await made(startsAnew: false).open() } throws: {
      ($0 as? SessionError)?.code == .credentialsMissing
    }

    try text.write(to: URL(fileURLWithPath: key))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    #expect(try await made(startsAnew: false).pendingCount() == 2)
  }

  @Test func `is not set aside while the key cannot be read`() async throws {
    try await fill()
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)

    await #expect { try await made().open() } throws: {
      ($0 as? SessionError)?.code == .credentialsExposed
    }
    #expect(try names().filter { $0.hasPrefix("set-aside-") } == [])
  }

  @Test func `leaves other files of the folder where they are`() async throws {
    try await fill()
    try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.path("notes.txt")))
    _ = try loseKey()

    try await made().open()

    #expect(try names().contains("notes.txt"))
  }

  /// How many of the files had been moved when the process was killed.
  @Test(arguments: [1, 2, 4, 100]) func `is set aside whole although a kill interrupts it`(
    count: Int
  ) async throws {
    try await fill()
    _ = try loseKey()
    let part = folder.path("set-aside-1772600000000.part")
    try FileManager.default.createDirectory(atPath: part, withIntermediateDirectories: false)
    let moved =
      try ["outbox.sqlite"] + names().filter { $0.hasPrefix("archive-") }
      + ["outbox.sqlite.session", "session-2.token"]
    for name in moved.prefix(count) {
      try FileManager.default.moveItem(atPath: folder.path(name), toPath: part + "/" + name)
    }

    let session = made()
    let events = await session.runUntilDelivered(1)

    let queue = try #require(try await session.setAsideQueues().first)
    #expect(events == [.queueSetAside(queue)])
    #expect(queue.records == 3)
    #expect(queue.folder.lastPathComponent == "set-aside-1772600000000")
    #expect(try await session.archives() == [])
    let kept = try FileManager.default.contentsOfDirectory(atPath: queue.folder.path)
    #expect(Set(moved).isSubset(of: kept))
  }

  @Test func `is reported although a kill came before the report`() async throws {
    try await fill()
    _ = try loseKey()
    try await made().open()
    let name = try #require(try names().first { $0.hasPrefix("set-aside-") })
    try FileManager.default.moveItem(
      atPath: folder.path(name), toPath: folder.path(name + ".part"))
    try SQLiteDatabase(path: folder.path("outbox.sqlite")).execute("DELETE FROM ev")

    let events = await made().runUntilDelivered(1)

    guard case .queueSetAside(let queue) = events.first else { throw CancellationError() }
    #expect(queue.folder.lastPathComponent == name && queue.records == 3)
  }
}
