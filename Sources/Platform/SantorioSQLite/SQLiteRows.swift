// SPDX-License-Identifier: Apache-2.0

/// Rows of a name, a number and octets in one piece of memory, from which a statement takes them
/// without a copy.
package struct SQLiteRows: Sendable {
  struct Row: Sendable {
    let name: Range<Int>
    let number: Int64
    let octets: Range<Int>
  }

  private(set) var rows: [Row] = []
  private(set) var memory: [UInt8] = []

  /// Makes room for a number of rows, of so many octets in all.
  package init(capacity: Int = 0, octets: Int = 0) {
    rows.reserveCapacity(capacity)
    memory.reserveCapacity(octets)
  }

  package var count: Int { rows.count }

  /// How much memory the names and the octets take.
  package var octetCount: Int { memory.count }

  /// The name of a row.
  package func name(_ index: Int) -> [UInt8] { Array(memory[rows[index].name]) }

  /// The octets of a row.
  package func octets(_ index: Int) -> [UInt8] { Array(memory[rows[index].octets]) }

  /// Adds a row, whose octets `body` appends to what it is given; it returns the number.
  package mutating func append<Failure: Error>(
    _ name: [UInt8], _ body: (inout [UInt8]) throws(Failure) -> Int64
  ) throws(Failure) {
    let start = memory.count
    memory.append(contentsOf: name)
    let middle = memory.count
    let number = try body(&memory)
    rows.append(Row(name: start..<middle, number: number, octets: middle..<memory.count))
  }
}
