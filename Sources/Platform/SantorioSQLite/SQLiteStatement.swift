// SPDX-License-Identifier: Apache-2.0

#if canImport(SQLite3)
  import SQLite3
#else
  import CSQLite
#endif

/// A compiled statement, to be bound and stepped any number of times on its connection's thread.
@safe package final class SQLiteStatement {
  private let handle: OpaquePointer
  // A statement must not outlive its connection: sqlite3_close would fail.
  private let database: SQLiteDatabase

  init(_ sql: String, on database: SQLiteDatabase) throws(SQLiteError) {
    var handle: OpaquePointer?
    let code = unsafe sqlite3_prepare_v2(database.handle, sql, -1, &handle, nil)
    guard code == SQLITE_OK, let handle = unsafe handle else {
      throw database.error(code, sql: sql)
    }
    unsafe self.handle = unsafe handle
    self.database = database
  }

  deinit { unsafe sqlite3_finalize(handle) }

  private var sql: String { unsafe sqlite3_sql(handle).map { unsafe String(cString: $0) } ?? "" }

  /// How many columns a row of the statement has.
  package var columnCount: Int { unsafe Int(sqlite3_column_count(handle)) }

  /// Runs the statement to its end and returns the number of rows it changed.
  @discardableResult
  package func run(_ values: SQLiteValue...) throws(SQLiteError) -> Int {
    try run(values)
  }

  /// Runs the statement to its end and returns the number of rows it changed.
  @discardableResult
  package func run(_ values: [SQLiteValue]) throws(SQLiteError) -> Int {
    try query(values) { (_: SQLiteRow) throws(SQLiteError) in }
    return unsafe Int(sqlite3_changes(database.handle))
  }

  /// Runs the statement once with the values that `body` sets, all of them.
  ///
  /// It makes no array of the values: for work done millions of times.
  package func run(binding body: (SQLiteBindings) -> Void) throws(SQLiteError) {
    body(unsafe SQLiteBindings(statement: handle))
    let code = unsafe sqlite3_step(handle)
    unsafe sqlite3_reset(handle)
    guard code == SQLITE_DONE else { throw database.error(code, sql: sql) }
  }

  /// Runs the statement once with the values of all rows, three placeholders per row.
  ///
  /// Returns the number of rows it changed. This is the fast way for work done for every record.
  @discardableResult
  package func run(_ rows: SQLiteRows) throws(SQLiteError) -> Int {
    try run(rows, rows.rows.indices)
  }

  /// Runs the statement once with the values of one row.
  @discardableResult
  package func run(_ rows: SQLiteRows, row: Int) throws(SQLiteError) -> Int {
    try run(rows, row..<row + 1)
  }

  private func run(_ rows: SQLiteRows, _ range: Range<Int>) throws(SQLiteError) -> Int {
    let code = unsafe rows.memory.withUnsafeBytes { memory in
      for index in range {
        unsafe bind(rows.rows[index], in: memory, after: Int32(3 * (index - range.lowerBound)))
      }
      let code = unsafe sqlite3_step(handle)
      unsafe sqlite3_reset(handle)
      unsafe sqlite3_clear_bindings(handle)
      return code
    }
    guard code == SQLITE_DONE else { throw database.error(code, sql: sql) }
    return unsafe Int(sqlite3_changes(database.handle))
  }

  /// Binds a row in place, in memory that outlives the binding (a null destructor).
  private func bind(
    _ row: SQLiteRows.Row, in memory: UnsafeRawBufferPointer, after index: Int32
  ) {
    guard let start = memory.baseAddress else { return }
    unsafe sqlite3_bind_blob(
      handle, index + 1, start + row.name.lowerBound, Int32(row.name.count), nil)
    unsafe sqlite3_bind_int64(handle, index + 2, row.number)
    unsafe sqlite3_bind_blob(
      handle, index + 3, start + row.bytes.lowerBound, Int32(row.bytes.count), nil)
  }

  /// Runs the statement and hands each row to `body`; the row is valid during that call only.
  package func query(
    _ values: [SQLiteValue] = [], _ body: (SQLiteRow) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    try scan(values) { (row: SQLiteRow) throws(SQLiteError) in
      try body(row)
      return true
    }
  }

  /// Runs the statement and hands rows to `body` until there are no more or it returns false.
  package func scan(
    _ values: [SQLiteValue] = [], _ body: (SQLiteRow) throws(SQLiteError) -> Bool
  ) throws(SQLiteError) {
    defer {
      unsafe sqlite3_reset(handle)
      unsafe sqlite3_clear_bindings(handle)
    }
    try bind(values)
    while try step() {
      guard try body(unsafe SQLiteRow(statement: handle)) else { return }
    }
  }

  /// The first row mapped by `body`, or nil when there is no row.
  package func first<Result>(
    _ values: SQLiteValue..., map body: (SQLiteRow) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result? {
    defer {
      unsafe sqlite3_reset(handle)
      unsafe sqlite3_clear_bindings(handle)
    }
    try bind(values)
    return try step() ? try body(unsafe SQLiteRow(statement: handle)) : nil
  }

  /// All rows mapped by `body`.
  package func all<Result>(
    _ values: SQLiteValue..., map body: (SQLiteRow) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> [Result] {
    var results: [Result] = []
    try query(values) { (row: SQLiteRow) throws(SQLiteError) in results.append(try body(row)) }
    return results
  }

  private func step() throws(SQLiteError) -> Bool {
    let code = unsafe sqlite3_step(handle)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw database.error(code, sql: sql)
    }
  }

  private func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
    for (offset, value) in values.enumerated() {
      let code = bind(value, at: Int32(offset + 1))
      guard code == SQLITE_OK else { throw database.error(code, sql: sql) }
    }
  }

  private func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
    // The C macro SQLITE_TRANSIENT (copy the value now) does not import.
    let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .null: return unsafe sqlite3_bind_null(handle, index)
    case .integer(let value): return unsafe sqlite3_bind_int64(handle, index, value)
    case .real(let value): return unsafe sqlite3_bind_double(handle, index, value)
    case .text(let value):
      return unsafe sqlite3_bind_text(handle, index, value, Int32(value.utf8.count), transient)
    case .blob(let value):
      guard !value.isEmpty else { return unsafe sqlite3_bind_zeroblob(handle, index, 0) }
      return unsafe sqlite3_bind_blob(handle, index, value, Int32(value.count), transient)
    }
  }
}

/// The placeholders of a statement, to be filled for one run; they count from 1.
@safe package struct SQLiteBindings {
  let statement: OpaquePointer

  /// Fills a placeholder with an integer, or with NULL.
  package func set(_ index: Int32, _ value: Int64?) {
    if let value {
      unsafe sqlite3_bind_int64(statement, index, value)
    } else {
      unsafe sqlite3_bind_null(statement, index)
    }
  }

  /// Fills a placeholder with a real number, or with NULL.
  package func set(_ index: Int32, _ value: Double?) {
    if let value {
      unsafe sqlite3_bind_double(statement, index, value)
    } else {
      unsafe sqlite3_bind_null(statement, index)
    }
  }

  /// Fills a placeholder with bytes, which are copied, or with NULL.
  package func set(_ index: Int32, _ value: [UInt8]?) {
    guard let value else { return set(index, Int64?.none) }
    let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    unsafe sqlite3_bind_blob(statement, index, value, Int32(value.count), transient)
  }

  /// Fills a placeholder with a text, which is copied, or with NULL.
  package func set(_ index: Int32, _ value: String?) {
    guard let value else { return set(index, Int64?.none) }
    let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    unsafe sqlite3_bind_text(statement, index, value, Int32(value.utf8.count), transient)
  }
}

/// The current row of a statement; columns count from 0.
@safe package struct SQLiteRow {
  let statement: OpaquePointer

  /// The column as an integer; 0 when it is NULL.
  package func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement, column) }
  /// The column as a real number; 0 when it is NULL.
  package func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(statement, column) }
  /// Whether the column is NULL.
  package func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(statement, column) == SQLITE_NULL
  }
  /// The column as text; empty when it is NULL.
  package func text(_ column: Int32) -> String { String(decoding: blob(column), as: UTF8.self) }
  /// The column as text, or nil when it is NULL.
  package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
  /// The column's value, of the kind that it has.
  package func value(_ column: Int32) -> SQLiteValue {
    switch unsafe sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: .integer(integer(column))
    case SQLITE_FLOAT: .real(real(column))
    case SQLITE_TEXT: .text(text(column))
    case SQLITE_BLOB: .blob(blob(column))
    default: .null
    }
  }
  /// The column's bytes (a text's UTF-8); empty when it is NULL.
  package func blob(_ column: Int32) -> [UInt8] {
    guard let start = unsafe sqlite3_column_blob(statement, column) else { return [] }
    let count = unsafe Int(sqlite3_column_bytes(statement, column))
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }
}
