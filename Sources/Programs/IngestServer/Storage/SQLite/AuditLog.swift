// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials
import Glibc
import SantorioSQLite

/// The audit log of a storage, read while the server may be writing it.
package final class AuditLog {
  /// A line for display.
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

  /// The result of a check of the log.
  package enum ChainCheck: Hashable, Sendable {
    /// All lines are intact; the hash is that of the last one.
    case sound(lines: Int64, hash: String)
    /// The first line that is not intact, and why.
    case broken(line: Int64, String)
  }

  private let connection: SQLiteConnection

  /// Opens the log of a storage.
  ///
  /// - Parameter path: The storage file.
  /// - Throws: ``IngestError`` when the storage does not exist or cannot be read.
  package init(storage path: String) throws(IngestError) {
    guard unsafe access(path, F_OK) == 0 else {
      throw IngestError(.unavailable, "no storage at \(path); name the folder of a server")
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

  /// Checks whether each line is intact.
  ///
  /// - Parameter noted: A line's number and hash from an earlier check, if any. Only with it can
  ///   the check detect a log that was truncated or completely rewritten.
  /// - Returns: The result.
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
    // One transaction for both queries: the server may be writing.
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
        fault = .broken(line: count, "the line or an earlier one was changed")
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

  /// The last lines, oldest first.
  ///
  /// - Parameters:
  ///   - count: The largest number of lines.
  ///   - user: The identifier of a user, to return only lines about that user.
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
