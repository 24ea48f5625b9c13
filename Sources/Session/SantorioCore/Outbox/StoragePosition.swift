// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import SantorioJSON

/// The checkpoint of a session's record file.
struct StoragePosition: Hashable, Sendable {
  /// Unique to each file that was ever made, and to each older copy that was put back.
  let generation: [UInt8]
  /// The highest number given to a record.
  let newestRow: Int64

  init(of database: SQLiteDatabase) throws(SQLiteError) {
    generation = try database.prepare("SELECT generation FROM seal").first { $0.blob(0) } ?? []
    newestRow = try database.integer("SELECT max(seq) FROM sqlite_sequence WHERE name = 'q'")
  }

  private init(generation: [UInt8], newestRow: Int64) {
    self.generation = generation
    self.newestRow = newestRow
  }

  /// Whether a file at this position has everything that it had at an earlier position.
  func contains(_ earlier: StoragePosition) -> Bool {
    generation == earlier.generation && newestRow >= earlier.newestRow
  }

  /// A checkpoint beside the file, saved when something vouched for its records.
  ///
  /// It reveals an older copy that was put back, or a lost log; such a file gets another generation
  /// before it accepts a record, because afterwards the loss could not be detected.
  struct Note {
    private let path: String
    private let file: PlainFile

    /// - Parameter path: The path of the records' file.
    init(path: String) {
      self.path = path
      file = PlainFile(URL(fileURLWithPath: path + ".position"))
    }

    private var position: StoragePosition? {
      guard let bytes = try? file.read(), let json = try? JSONReader(parsing: bytes),
        let generation = try? json.member("generation").string(),
        let newest = try? json.member("newest_row").integer()
      else { return nil }
      return StoragePosition(
        generation: Array(Data(base64Encoded: generation) ?? Data()), newestRow: Int64(newest))
    }

    /// Saves the current position, to which any process may have contributed.
    func write() throws(SessionError) {
      guard unsafe access(path, F_OK) == 0 else { return }
      let now: StoragePosition
      do {
        now = try StoragePosition(of: SQLiteDatabase(path: path))
      } catch {
        throw SessionError(any: error)
      }
      if let noted = position, noted.contains(now) { return }
      var json = JSONWriter()
      json.object { json in
        json.optional("generation", Data(now.generation).base64EncodedString())
        json.optional("newest_row", Int(now.newestRow))
      }
      try file.write(json.bytes)
    }

    /// Gives a file that has lost records another generation, inside the current transaction.
    func check(_ database: SQLiteDatabase) throws(SQLiteError) {
      guard let noted = position else { return }
      let now = try StoragePosition(of: database)
      guard now.generation == noted.generation, now.newestRow < noted.newestRow else { return }
      try database.execute("UPDATE seal SET generation = randomblob(16)")
      Session.log("the record file is an older copy; devices are read again")
    }
  }
}
