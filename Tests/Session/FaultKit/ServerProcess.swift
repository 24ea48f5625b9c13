// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import HealthRecords
import IngestServer
package import SantorioCore
import SantorioSQLite
import TestSupport

/// The real server in a process of its own, with a user, Alice of "acme".
package final class ServerProcess: @unchecked Sendable {
  // Started and killed by one task.
  private static let adminToken = "the-administrator"

  private let folder: TemporaryFolder
  private var child: ChildProcess?
  package let alice: SantorioUser
  package private(set) var port: UInt16 = 0

  /// Starts a server with an empty storage.
  package init() async throws {
    folder = try TemporaryFolder()
    let storage = folder.path("store.sqlite")
    let server = try IngestServer(
      configuration: .init(storagePath: storage, adminToken: Self.adminToken))
    let user = try server.createUser(organization: "acme", uid: "alice")
    server.stop()
    alice = SantorioUser(
      userID: user.id, organizationID: user.organization, accessToken: user.token)
    try await start()
  }

  package var url: URL { Self.url(port: port) }

  package static func url(port: UInt16) -> URL {
    URL(string: "http://127.0.0.1:\(port)") ?? URL(fileURLWithPath: "/")
  }

  /// The user's words for a child's standard input.
  package var userLine: String { "\(alice.userID) \(alice.organizationID) \(alice.accessToken)" }

  /// Returns when the server listens; a restarted one on the port it had.
  package func start() async throws {
    let lines = AsyncStream<String>.makeStream()
    let child = try ChildProcess(
      "IngestServerChild", [folder.path("store.sqlite"), Self.adminToken, "\(port)"]
    ) { lines.continuation.yield($0) }
    self.child = child
    // One that cannot start says nothing and ends.
    Task {
      _ = await child.status()
      lines.continuation.finish()
    }
    for await line in lines.stream {
      guard let found = UInt16(line.dropFirst("listening ".count)) else { continue }
      port = found
      return
    }
    throw NotStarted()
  }

  private struct NotStarted: Error {}

  package func kill() {
    child?.kill()
    child = nil
  }

  /// Starts another server on the same storage and waits for its end.
  ///
  /// - Returns: Its status, or the number of the signal that ended it.
  package func startRival() async throws -> Int32? {
    let rival = try ChildProcess(
      "IngestServerChild", [folder.path("store.sqlite"), Self.adminToken, "0"]
    ) { _ in }
    return await rival.status()
  }

  /// What the server keeps.
  package func store() throws -> ServerStore { try ServerStore(path: folder.path("store.sqlite")) }
}

/// What a server keeps, read behind its back.
package struct ServerStore: Sendable {
  /// The current content of each record.
  package let current: [String: HealthRecord]
  /// The identifiers of the records that were deleted at their source.
  package let hidden: Set<String>
  /// The identifiers that are stored.
  package let stored: Set<String>
  /// Records whose content is not that of ``reading(_:)``.
  package let altered: Set<String>
  /// Records that the server has taken more than once, or in more than one form.
  package let repeated: Int

  init(path: String) throws {
    let database = try SQLiteDatabase(path: path)
    var (stored, altered, rows) = (Set<String>(), Set<String>(), 0)
    try database.prepare("SELECT body FROM revision WHERE NOT tombstone").query { row in
      rows += 1
      let record = try? HealthRecord(informJSON: row.blob(0))
      let logID = record?.logID ?? "unreadable"
      stored.insert(logID)
      if record != reading(logID) { altered.insert(logID) }
    }
    let contents = try database.prepare(
      """
      SELECT body FROM record JOIN revision ON revision.arrival = record.arrival WHERE withdrawn = 0
      """
    ).all { try? HealthRecord(informJSON: $0.blob(0)) }.compactMap(\.self)
    hidden = Set(
      try database.prepare(
        """
        SELECT body FROM record JOIN revision ON revision.arrival = record.arrival
        WHERE withdrawn > 0
        """
      ).all { (try? RecordDeletion(json: $0.blob(0)).logID) ?? "unreadable" })
    current = Dictionary(contents.map { ($0.logID, $0) }) { $1 }
    self.stored = stored
    self.altered = altered
    repeated = rows - stored.count
  }
}
