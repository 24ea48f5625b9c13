// SPDX-License-Identifier: Apache-2.0

import SantorioSQLite

/// Copies one table of a damaged file, row by row, so that its size does not matter.
struct OutboxTableCopy {
  private let table: String
  private let columns: [String]
  private let damaged: SQLiteDatabase
  private let seal: RowSeal
  private let insertion: SQLiteStatement
  private let sameRow: SQLiteStatement
  /// After how many rows the progress is noted.
  private static let rowsPerNote = 1000

  /// - Parameters:
  ///   - table: The table's name.
  ///   - columns: Its columns in their order.
  ///   - damaged: The damaged file.
  ///   - file: The file that the rows go to.
  /// - Throws: `SQLiteError` also when the damaged file has no such table, or one of other columns.
  init(
    _ table: String, _ columns: [String], from damaged: SQLiteDatabase, into file: OutboxFile
  ) throws(SQLiteError) {
    guard try damaged.prepare("SELECT * FROM \(table)").columnCount == columns.count else {
      throw SQLiteError.damaged("the table \(table) has other columns")
    }
    self.table = table
    self.columns = columns
    self.damaged = damaged
    seal = file.seal
    let names = columns.joined(separator: ", ")
    let values = columns.map { _ in "?" }.joined(separator: ", ")
    insertion = try file.database.prepare(
      "INSERT OR IGNORE INTO \(table)(\(names)) VALUES(\(values))")
    let condition = columns.map { "\($0) IS ?" }.joined(separator: " AND ")
    sameRow = try file.database.prepare("SELECT 1 FROM \(table) WHERE \(condition)")
  }

  /// Copies all sound rows.
  ///
  /// SQLite stops at a damaged page, but finds the rows after it by their numbers. Nothing says
  /// how many numbers the page held, so the search for the next readable row grows in steps and
  /// may skip some. That is why each gap is then read from its end backwards: without that, the
  /// rows between two damaged pages that were skipped would be lost.
  ///
  /// - Parameters:
  ///   - start: The number of the row up to which all were copied before.
  ///   - note: Called now and then with the number of the row up to which all are copied.
  /// - Throws: `SQLiteError` when the new file cannot be written; what cannot be read is left out.
  func run(
    from start: Int64, noting note: (Int64) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    var start = start
    while let gap = try copy(upwardsFrom: start, noting: note) {
      let end = readableNumber(after: gap)
      _ = try copy("rowid > ? AND rowid < ? ORDER BY rowid DESC", gap, end ?? .max)
      guard let end else { break }
      start = end
    }
  }

  /// - Returns: The number after which the damage starts; nil at the table's end.
  private func copy(
    upwardsFrom start: Int64, noting note: (Int64) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> Int64? {
    let (isWhole, last) = try copy(
      "rowid >= ? AND rowid <= ? ORDER BY rowid", start, .max, noting: note)
    return isWhole ? nil : max(last ?? 0, start)
  }

  /// - Returns: Whether all rows that meet the condition could be read, and the highest number
  ///   among them.
  private func copy(
    _ condition: String, _ values: Int64...,
    noting note: (Int64) throws(SQLiteError) -> Void = { _ in }
  ) throws(SQLiteError) -> (isWhole: Bool, last: Int64?) {
    var failure: SQLiteError?
    var last: Int64?
    var count = 0
    do throws(SQLiteError) {
      // By position, since the damage may have changed a name.
      try damaged.prepare("SELECT rowid, * FROM \(table) NOT INDEXED WHERE \(condition)")
        .scan(values.map(SQLiteValue.integer)) { row in
          // A higher number is damaged: it must not end the search for the rows between.
          if row.integer(0) <= OutboxRecovery.highestNumber {
            last = max(last ?? 0, row.integer(0))
          }
          do throws(SQLiteError) {
            try take((1...columns.count).map { row.value(Int32($0)) })
            count += 1
            if count.isMultiple(of: Self.rowsPerNote), let last { try note(last) }
          } catch {
            failure = error
          }
          return failure == nil
        }
    } catch {
      return (false, last)
    }
    if let failure { throw failure }
    return (true, last)
  }

  /// The number of a row beyond a gap, found in growing steps; nil when there is none.
  private func readableNumber(after gap: Int64) -> Int64? {
    var step: Int64 = 1
    while gap < OutboxRecovery.highestNumber, step < OutboxRecovery.highestNumber {
      do throws(SQLiteError) {
        return try damaged.prepare(
          "SELECT rowid FROM \(table) NOT INDEXED WHERE rowid >= ? ORDER BY rowid LIMIT 1"
        ).first(.integer(gap + step)) { $0.integer(0) }
      } catch {
        step *= 2
      }
    }
    return nil
  }

  private func take(_ row: [SQLiteValue]) throws(SQLiteError) {
    guard isSound(row), try !insert(row), try !isKnown(row) else { return }
    // The damage has given it the number of another row. A session is identified by its number; a
    // record is not, and gets the next free one.
    guard table != "session" else { return }
    _ = try insert([.null] + row.dropFirst())
  }

  /// Whether a row was copied before: from the other end, or before a kill, some are read again.
  private func isKnown(_ row: [SQLiteValue]) throws(SQLiteError) -> Bool {
    var isKnown = false
    try sameRow.scan(row) { _ in
      isKnown = true
      return false
    }
    return isKnown
  }

  /// Inserts a row; false when the table has one of the same key, or refuses damaged values.
  private func insert(_ row: [SQLiteValue]) throws(SQLiteError) -> Bool {
    do throws(SQLiteError) {
      return try insertion.run(row) == 1
    } catch {
      guard error.isRefusal else { throw error }
      return false
    }
  }

  // MARK: - Soundness

  private func isSound(_ row: [SQLiteValue]) -> Bool {
    func value(_ column: String) -> SQLiteValue {
      columns.firstIndex(of: column).map { row[$0] } ?? .null
    }
    switch table {
    case "session": return isSoundSession(value)
    case "q", "ev":
      guard let logID = logID(value("log_id")) else { return false }
      guard case .blob(let bytes) = value("body") else { return table == "ev" }
      let place = table == "q" ? SealedPlace.queued(logID) : SealedPlace.event(logID)
      return seal.open(bytes, as: place) != nil
    case "state": return isSoundState(value)
    case "transfer": return isSoundTransfer(value)
    default: return logID(value("log_id")) != nil
    }
  }

  private func logID(_ value: SQLiteValue) -> String? {
    guard case .blob(let name) = value else { return nil }
    return seal.logID(of: name)
  }

  private func isSoundTransfer(_ value: (String) -> SQLiteValue) -> Bool {
    guard case .text(let id) = value("id"), case .blob(let content) = value("content") else {
      return false
    }
    return seal.open(content, as: SealedPlace.transfer(id)) != nil
  }

  private func isSoundState(_ value: (String) -> SQLiteValue) -> Bool {
    guard case .text(let source) = value("source"), case .text(let key) = value("key"),
      case .blob(let device) = value("device"),
      let name = StateName(source: source, sealedDevice: device, key: key, seal)
    else { return false }
    return ["value", "settled", "reached"].allSatisfy { column in
      guard case .blob(let bytes) = value(column) else { return value(column) == .null }
      return seal.open(bytes, as: SealedPlace.state(name)) != nil
    }
  }

  /// A current session must be intact; of one that has ended only its name is left.
  private func isSoundSession(_ value: (String) -> SQLiteValue) -> Bool {
    guard value("ended") == .null else { return true }
    guard case .integer(let id) = value("id"), case .blob(let owner) = value("owner"),
      case .blob(let name) = value("name"), case .integer(let offline) = value("offline"),
      case .blob(let digest) = value("digest")
    else { return false }
    let row = StoredSession.Row(
      id: id, owner: owner, name: name, isOffline: offline != 0, digest: digest)
    return row.session(by: seal) != nil
  }
}
