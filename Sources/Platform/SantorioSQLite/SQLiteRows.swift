// SPDX-License-Identifier: Apache-2.0

/// Rows of a text, a number and octets in one piece of memory, from which a statement takes them
/// without a copy.
package struct SQLiteRows: Sendable {
  struct Row: Sendable {
    let text: Range<Int>
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

  /// How much memory the texts and the octets take.
  package var octetCount: Int { memory.count }

  /// The text of a row.
  package func text(_ index: Int) -> String {
    String(decoding: memory[rows[index].text], as: UTF8.self)
  }

  /// The octets of a row.
  package func octets(_ index: Int) -> [UInt8] { Array(memory[rows[index].octets]) }

  /// Adds a row, whose octets `body` appends to what it is given; it returns the number.
  package mutating func append<Failure: Error>(
    _ text: String, _ body: (inout [UInt8]) throws(Failure) -> Int64
  ) throws(Failure) {
    let start = memory.count
    memory.append(contentsOf: text.utf8)
    let middle = memory.count
    let number = try body(&memory)
    rows.append(Row(text: start..<middle, number: number, octets: middle..<memory.count))
  }
}
