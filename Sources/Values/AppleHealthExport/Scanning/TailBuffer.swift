// SPDX-License-Identifier: Apache-2.0

/// The bytes of a tag whose end is not there yet.
@safe struct TailBuffer: ~Copyable {
  private var start: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0

  init() {
    capacity = 4096
    unsafe start = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { unsafe start.deallocate() }

  /// The bytes; valid until the next call of ``append(_:)``.
  var view: ByteView { unsafe ByteView(start: start, count: count) }

  mutating func append(_ bytes: ByteView) {
    if capacity - count < bytes.count { grow(bytes.count) }
    unsafe bytes.copy(to: start + count)
    count += bytes.count
  }

  mutating func removeFirst(_ number: Int) {
    precondition(number >= 0 && number <= count)
    count -= number
    if number > 0 { unsafe start.copyMemory(from: start + number, byteCount: count) }
  }

  /// Forgets the bytes; views of them stay valid until the next call of ``append(_:)``.
  mutating func removeAll() { count = 0 }

  private mutating func grow(_ more: Int) {
    let larger = max(2 * capacity, count + more)
    let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    unsafe moved.copyMemory(from: start, byteCount: count)
    unsafe start.deallocate()
    unsafe start = unsafe moved
    capacity = larger
  }
}
