// SPDX-License-Identifier: Apache-2.0

/// Bytes that go out in the order in which they came in.
struct ChannelBuffer {
  private var bytes: [UInt8] = []
  private var start = 0

  var count: Int { bytes.count - start }

  var isEmpty: Bool { count == 0 }

  mutating func append(_ new: some Collection<UInt8>) {
    bytes.append(contentsOf: new)
  }

  /// The first bytes, at most so many.
  func prefix(_ maximum: Int) -> ArraySlice<UInt8> {
    bytes[start...].prefix(maximum)
  }

  mutating func removeFirst(_ number: Int) {
    start += number
    // The space in front is given back when it is more than half of it all.
    guard start > bytes.count / 2 else { return }
    bytes.removeFirst(start)
    start = 0
  }

  mutating func removeAll() {
    self = Self()
  }
}
