// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import SantorioJSON

/// How far the file of a session's records has come.
struct StoragePosition: Hashable, Sendable {
  /// Another one for each file that was ever made, and for each older copy that was put back.
  let generation: [UInt8]
  /// The highest number that a record was given.
  let newestRow: Int64

  init(of database: SQLiteDatabase) throws(SQLiteError) {
    generation = try database.prepare("SELECT generation FROM seal").first { $0.blob(0) } ?? []
    newestRow = try database.integer("SELECT max(seq) FROM sqlite_sequence WHERE name = 'q'")
  }

  private init(generation: [UInt8], newestRow: Int64) {
    self.generation = generation
    self.newestRow = newestRow
  }

  /// Whether a file that has come so far has all that it had at an earlier position.
  func contains(_ earlier: StoragePosition) -> Bool {
    generation == earlier.generation && newestRow >= earlier.newestRow
  }

  /// A note beside the file of how far it had come when something vouched for its records.
  ///
  /// An older copy that is put back, or a log that is lost, shows by it, and gets another
  /// generation before it takes a record: after that nobody could tell.
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

    /// Notes how far the file has come by now, by whichever process.
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

    /// Gives a file another generation that has lost records, inside the transaction under way.
    func check(_ database: SQLiteDatabase) throws(SQLiteError) {
      guard let noted = position else { return }
      let now = try StoragePosition(of: database)
      guard now.generation == noted.generation, now.newestRow < noted.newestRow else { return }
      try database.execute("UPDATE seal SET generation = randomblob(16)")
      Session.log("the file of the records is an older one; devices are asked again")
    }
  }
}
