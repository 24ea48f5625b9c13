// SPDX-License-Identifier: Apache-2.0

/// A first-in, first-out queue of bytes.
struct ByteQueue {
  private var bytes: [UInt8] = []
  private var start = 0

  var count: Int { bytes.count - start }

  mutating func append(_ new: some Collection<UInt8>) {
    bytes.append(contentsOf: new)
  }

  /// Removes the first bytes, at most `maximum`.
  mutating func take(_ maximum: Int) -> [UInt8] {
    let end = start + min(maximum, count)
    let taken = Array(bytes[start..<end])
    start = end
    // The free space in front is released when it is more than half of the queue.
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
