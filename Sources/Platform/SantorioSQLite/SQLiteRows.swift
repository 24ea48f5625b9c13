// SPDX-License-Identifier: Apache-2.0

/// Rows of a text, a number and octets in one piece of memory, from which a statement takes them
/// without a copy.
package struct SQLiteRows {
  struct Row {
    let text: Range<Int>
    let number: Int64
    let octets: Range<Int>
  }

  private(set) var rows: [Row] = []
  private(set) var memory: [UInt8] = []

  package init() {}

  package var count: Int { rows.count }

  /// Begins anew, in the room that there is.
  package mutating func removeAll() {
    rows.removeAll(keepingCapacity: true)
    memory.removeAll(keepingCapacity: true)
  }

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
