// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import TestSupport
import Testing

@testable import SantorioCore

@Suite(.timeLimit(.minutes(15))) struct `Deletions and the real server` {
  private let server: LiveServer
  private let folder: TemporaryFolder
  private let session: SantorioSession

  init() async throws {
    server = try LiveServer()
    folder = try TemporaryFolder()
    var made = SantorioSession.Configuration(directory: folder.url, endpoint: server.url)
    made.notificationCenter = NotificationCenter()
    session = SantorioSession(made)
    try await session.start(server.alice)
  }

  /// The `log_id`s that the server shows.
  private func shown() throws -> [String] {
    try SQLiteDatabase(path: server.folder.path("store.sqlite"))
      .prepare(
        """
        SELECT body FROM record JOIN revision ON revision.arrival = record.arrival
        WHERE withdrawn = 0
        """
      )
      .all { $0.blob(0) }
      .map { try JSONReader(parsing: $0).member("log_id").string() }.sorted()
  }

  @Test func `agree whatever was sent before`() async throws {
    try await session.submit([reading("a"), reading("b")])
    _ = await session.runUntilDelivered(2)
    #expect(try shown() == ["a", "b"])

    // One that the server has, one that is sent again at once, one that it never had.
    try await session.submit(deletions: [deletion("a"), deletion("c")])
    try await session.submit([reading("a"), reading("c")])
    #expect(await session.runUntilDelivered(2).count == 2)
    #expect(try shown() == ["b"])

    // Read again later, and then changed.
    try await session.submit([reading("a"), reading("c")])
    _ = await session.runUntilDelivered(2)
    #expect(try shown() == ["b"])
    try await session.submit([changed("a", after: 60), changed("c", after: 60)])
    _ = await session.runUntilDelivered(2)
    #expect(try shown() == ["a", "b", "c"])
  }
}
