// SPDX-License-Identifier: Apache-2.0

/// Rows of a name, a number and bytes in one block of memory.
///
/// A statement takes them from there without a copy.
package struct SQLiteRows: Sendable {
  struct Row: Sendable {
    let name: Range<Int>
    let number: Int64
    let bytes: Range<Int>
  }

  private(set) var rows: [Row] = []
  private(set) var memory: [UInt8] = []

  /// Makes room for a number of rows, of so many bytes in all.
  package init(capacity: Int = 0, bytes: Int = 0) {
    rows.reserveCapacity(capacity)
    memory.reserveCapacity(bytes)
  }

  package var count: Int { rows.count }

  /// How much memory the names and the bytes take.
  package var byteCount: Int { memory.count }

  /// The name of a row.
  package func name(_ index: Int) -> [UInt8] { Array(memory[rows[index].name]) }

  /// The bytes of a row.
  package func bytes(_ index: Int) -> [UInt8] { Array(memory[rows[index].bytes]) }

  /// Adds a row, whose bytes `body` appends to its argument; `body` returns the number.
  package mutating func append<Failure: Error>(
    _ name: [UInt8], _ body: (inout [UInt8]) throws(Failure) -> Int64
  ) throws(Failure) {
    let start = memory.count
    memory.append(contentsOf: name)
    let middle = memory.count
    let number = try body(&memory)
    rows.append(Row(name: start..<middle, number: number, bytes: middle..<memory.count))
  }
}
