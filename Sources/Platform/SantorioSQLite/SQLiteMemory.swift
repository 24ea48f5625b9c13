// SPDX-License-Identifier: Apache-2.0

#if canImport(SQLite3)
  import SQLite3
#else
  import CSQLite
#endif

/// How SQLite uses the memory of this process.
package enum SQLiteMemory {
  #if !canImport(SQLite3)
    /// Takes memory for each page that is read, instead of for twenty pages of each database at once.
    ///
    /// For a program with many files that are used rarely. It holds for the whole process, and only a
    /// program decides that.
    ///
    /// - Returns: Whether it could be set; not once a database was opened.
    @discardableResult
    package static func allocatePagesSingly() -> Bool {
      santorio_sqlite_allocate_pages_singly() == SQLITE_OK
    }
  #endif
}
