// SPDX-License-Identifier: Apache-2.0

/// A first-in, first-out buffer of bytes.
struct ChannelBuffer {
  private var bytes: [UInt8] = []
  private var start = 0

  var count: Int { bytes.count - start }

  var isEmpty: Bool { count == 0 }

  mutating func append(_ new: some Collection<UInt8>) {
    bytes.append(contentsOf: new)
  }

  /// The first bytes, at most `maximum`.
  func prefix(_ maximum: Int) -> ArraySlice<UInt8> {
    bytes[start...].prefix(maximum)
  }

  mutating func removeFirst(_ number: Int) {
    start += number
    // The free space in front is released when it is more than half of the buffer.
    guard start > bytes.count / 2 else { return }
    bytes.removeFirst(start)
    start = 0
  }

  mutating func removeAll() {
    self = Self()
  }
}
