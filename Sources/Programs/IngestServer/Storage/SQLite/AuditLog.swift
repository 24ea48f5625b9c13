// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials
import Glibc
import SantorioSQLite

/// The audit log of a storage, read beside the server that writes it.
package final class AuditLog {
  /// A line, for a person.
  package struct Line: Hashable, Sendable {
    package let number: Int64
    package let date: Date
    package let actor: String
    package let address: String
    package let action: String
    package let organization: String
    package let user: String
    /// A JSON object.
    package let detail: String
  }

  /// What a check of the log has found.
  package enum ChainCheck: Hashable, Sendable {
    /// All lines are as they were written; the hash is that of the last one.
    case sound(lines: Int64, hash: String)
    /// The first line that is not, and why.
    case broken(line: Int64, String)
  }

  private let connection: SQLiteConnection

  /// Opens the log of a storage.
  ///
  /// - Parameter path: The storage's file.
  /// - Throws: ``IngestError`` when there is no storage, or it cannot be read.
  package init(storage path: String) throws(IngestError) {
    guard unsafe access(path, F_OK) == 0 else {
      throw IngestError(.unavailable, "there is no storage at \(path); name a server's folder")
    }
    do throws(SQLiteError) {
      connection = try SQLiteConnection(path: path)
      try connection.database.execute("PRAGMA query_only = ON")
      guard try connection.database.integer("PRAGMA application_id") == StorageSchema.applicationID
      else { throw SQLiteError.damaged("another program's file") }
    } catch {
      throw error.isCorrupt ? StorageSchema.foreign(path) : IngestError(error)
    }
  }

  /// Looks at each line whether it is as it was written.
  ///
  /// - Parameter noted: A line's number and hash as an earlier check gave them, if there is one:
  ///   only with it a log is found out that was cut short or written anew as a whole.
  /// - Returns: What was found.
  /// - Throws: ``IngestError`` when the storage cannot be read.
  package func verify(
    noted: (line: Int64, hash: String)? = nil
  ) throws(IngestError) -> ChainCheck {
    do throws(SQLiteError) {
      return try check(noted)
    } catch {
      throw IngestError(error)
    }
  }

  private func check(
    _ noted: (line: Int64, hash: String)?
  ) throws(SQLiteError) -> ChainCheck {
    // One look for both: the server may be writing.
    try connection.database.execute("BEGIN")
    defer { try? connection.database.execute("COMMIT") }
    var (count, hash): (Int64, [UInt8]) = (0, AuditChain.beginning)
    var fault: ChainCheck?
    try connection.scan("SELECT \(AuditLine.columns) FROM audit ORDER BY number") { row in
      let line = AuditLine(row)
      hash = line.hash(after: hash)
      count += 1
      if line.number != count {
        fault = .broken(line: count, "the line is missing")
      } else if row.blob(8) != hash {
        fault = .broken(line: count, "the line, or one before it, is not as it was written")
      } else if line.number == noted?.line, Hexadecimal.text(hash) != noted?.hash {
        fault = .broken(line: count, "the line does not have the hash that was noted")
      }
      return fault == nil
    }
    if let fault { return fault }
    let given =
      try connection.rows("SELECT seq FROM sqlite_sequence WHERE name = 'audit'") {
        $0.integer(0)
      }.first ?? 0
    guard max(given, noted?.line ?? 0) <= count else {
      return .broken(line: count + 1, "the line is missing")
    }
    return .sound(lines: count, hash: Hexadecimal.text(hash))
  }

  /// The last lines, the oldest first.
  ///
  /// - Parameters:
  ///   - count: The most lines.
  ///   - user: A user's identifier, to whose lines it is limited.
  /// - Returns: The lines.
  /// - Throws: ``IngestError`` when the storage cannot be read.
  package func last(_ count: Int, of user: String? = nil) throws(IngestError) -> [Line] {
    do throws(SQLiteError) {
      return try connection.rows(
        """
        SELECT \(AuditLine.columns) FROM audit WHERE ifnull(?1, user) = user
        ORDER BY number DESC LIMIT ?2
        """, SQLiteValue(user), .integer(Int64(count))
      ) { Line(AuditLine($0)) }.reversed()
    } catch {
      throw IngestError(error)
    }
  }
}

extension AuditLog.Line {
  fileprivate init(_ line: AuditLine) {
    self.init(
      number: line.number, date: line.date, actor: line.actor, address: line.address,
      action: line.note.action, organization: line.note.organization, user: line.note.user,
      detail: line.note.detail)
  }
}
