// SPDX-License-Identifier: Apache-2.0

/// Bytes that go out in the order in which they came in.
struct ByteQueue {
  private var bytes: [UInt8] = []
  private var start = 0

  var count: Int { bytes.count - start }

  mutating func append(_ new: some Collection<UInt8>) {
    bytes.append(contentsOf: new)
  }

  /// Takes out the first bytes, at most so many.
  mutating func take(_ maximum: Int) -> [UInt8] {
    let end = start + min(maximum, count)
    let taken = Array(bytes[start..<end])
    start = end
    // The space in front is given back when it is more than half of it all.
    if start > bytes.count / 2 {
      bytes.removeFirst(start)
      start = 0
    }
    return taken
  }

  mutating func removeAll() {
    bytes = []
    start = 0
  }
}
