// SPDX-License-Identifier: Apache-2.0

import SantorioSQLite

/// How far a record file has come: tells whether another file has all that it has.
struct StoragePosition: Hashable, Sendable {
  /// Unique to each file that was ever made.
  let generation: [UInt8]
  /// The highest number given to a record.
  let newestRow: Int64

  init(of database: SQLiteDatabase) throws(SQLiteError) {
    generation = try database.prepare("SELECT generation FROM seal").first { $0.blob(0) } ?? []
    newestRow = try database.integer("SELECT max(seq) FROM sqlite_sequence WHERE name = 'q'")
  }

  /// Whether a file at this position has everything that it had at an earlier position.
  func contains(_ earlier: StoragePosition) -> Bool {
    generation == earlier.generation && newestRow >= earlier.newestRow
  }
}
