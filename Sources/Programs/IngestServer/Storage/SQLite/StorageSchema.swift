// SPDX-License-Identifier: Apache-2.0

import Glibc
import SantorioSQLite

/// The tables of a storage file and their version.
enum StorageSchema {
  static let version: Int64 = 1
  /// Marks the file as that of a server: `SNTS`.
  static let applicationID: Int64 = 0x534e_5453

  /// Creates the file, accessible to its owner only, unless it exists.
  ///
  /// SQLite gives the same mode to its companion files.
  static func createFile(_ path: String) throws(IngestError) {
    let descriptor = unsafe open(path, O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw IngestError(
        .unavailable, "cannot open \(path); its folder must exist and be writable",
        cause: unsafe String(cString: strerror(errno)))
    }
    close(descriptor)
  }

  /// Creates the tables of an empty file; refuses files of a newer version or another program.
  static func prepare(_ connection: SQLiteConnection) throws(IngestError) {
    let path = connection.database.path
    let found: Int64
    do throws(SQLiteError) {
      found = try connection.database.transaction { () throws(SQLiteError) in
        let found = try version(of: connection)
        guard found == 0 else { return found }
        try make(connection)
        return version
      }
    } catch {
      throw error.isCorrupt ? foreign(path) : IngestError(error)
    }
    guard found > 0 else { throw foreign(path) }
    guard found == version else {
      throw IngestError(
        .newerStorage,
        "\(path) has version \(found), but this server supports \(version); use a newer server")
    }
  }

  private static func make(_ connection: SQLiteConnection) throws(SQLiteError) {
    try connection.database.execute(tables)
    try connection.run(
      "INSERT INTO state VALUES (1, 0, 0, 0, 0, 0, 0, 0, ?)", .blob(randomKey()))
    try connection.database.execute("PRAGMA user_version = \(version)")
  }

  /// A key from the system's random number generator.
  static func randomKey() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<KeyedName.keySize).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// The version of a file: 0 when it is empty, -1 when another program created it.
  private static func version(of connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
    let database = connection.database
    guard try database.integer("SELECT count(*) FROM sqlite_schema") > 0 else { return 0 }
    guard try database.integer("PRAGMA application_id") == applicationID else { return -1 }
    return max(1, try database.integer("PRAGMA user_version"))
  }

  static func foreign(_ path: String) -> IngestError {
    IngestError(
      .foreignStorage, "\(path) was not created by this server; choose another file")
  }
}
