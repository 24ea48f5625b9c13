// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import IngestServer
import SantorioCore
import SantorioSQLite
import TestSupport

/// The real server with a user, Alice of "acme", on a port of its own.
final class LiveServer: Sendable {
  static let adminToken = "the-administrator"

  let folder: TemporaryFolder
  let server: IngestServer
  let alice: SantorioUser

  init(in folder: TemporaryFolder? = nil, port: UInt16 = 0) throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    server = try IngestServer(
      configuration: .init(
        storagePath: folder.path("store.sqlite"), port: port, adminToken: Self.adminToken))
    alice = try SantorioUser(server.createUser(organization: "acme", uid: "alice"))
  }

  deinit { server.stop() }

  var url: URL { localURL(port: server.port) }

  /// The identifiers that the server keeps, in order; one for each row.
  func stored() throws -> [String] {
    try SQLiteDatabase(path: folder.path("store.sqlite"))
      .prepare("SELECT body FROM record JOIN revision ON revision.arrival = record.arrival")
      .all { $0.blob(0) }
      .map { try JSONReader(parsing: $0).member("log_id").string() }.sorted()
  }
}

extension SantorioUser {
  init(_ user: IngestUser) {
    self.init(userID: user.id, organizationID: user.organization, accessToken: user.token)
  }
}
