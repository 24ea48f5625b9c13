// SPDX-License-Identifier: Apache-2.0

import Glibc
import SantorioSQLite

/// The tables of a storage file and their version.
enum StorageSchema {
  static var version: Int64 { Int64(steps.count) }
  /// Marks the file as ours: «SNTR».
  static let applicationID: Int64 = 0x534e_5452

  /// Makes the file, readable by its owner only, unless it is there; SQLite gives its companions
  /// the same mode.
  static func createFile(_ path: String) throws(IngestError) {
    let descriptor = unsafe open(path, O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw IngestError(
        .unavailable, "cannot open \(path); its folder must exist and be writable",
        cause: unsafe String(cString: strerror(errno)))
    }
    close(descriptor)
  }

  /// Brings the file to this version, step by step from an empty one; refuses a file of a newer
  /// version or of another program.
  static func prepare(_ connection: SQLiteConnection) throws(IngestError) {
    let path = connection.database.path
    let found: Int64
    do throws(SQLiteError) {
      found = try connection.database.transaction { () throws(SQLiteError) in
        let found = try version(of: connection)
        guard (0..<version).contains(found) else { return found }
        for step in steps.dropFirst(Int(found)) { try connection.database.execute(step) }
        try connection.database.execute("PRAGMA user_version = \(version)")
        return version
      }
    } catch {
      throw error.isCorrupt ? foreign(path) : IngestError(error)
    }
    guard found > 0 else { throw foreign(path) }
    guard found == version else {
      throw IngestError(
        .newerStorage,
        "\(path) has version \(found), this server knows \(version); use a newer server")
    }
  }

  /// The version of a file: 0 when it is empty, -1 when another program made it.
  private static func version(of connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
    let database = connection.database
    guard try database.integer("SELECT count(*) FROM sqlite_schema") > 0 else { return 0 }
    guard try database.integer("PRAGMA application_id") == applicationID else { return -1 }
    return max(1, try database.integer("PRAGMA user_version"))
  }

  static func foreign(_ path: String) -> IngestError {
    IngestError(
      .foreignStorage, "\(path) was not made by this server; choose another file")
  }
}
