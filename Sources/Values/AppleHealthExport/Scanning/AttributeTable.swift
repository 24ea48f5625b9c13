// SPDX-License-Identifier: Apache-2.0

/// Where the attributes of a tag are, counted from the tag's first byte.
struct AttributePlace {
  var keyStart: Int32 = 0
  var keyEnd: Int32 = 0
  var valueStart: Int32 = 0
  var valueEnd: Int32 = 0

  @inline(__always)
  var key: Range<Int> { Int(keyStart)..<Int(keyEnd) }
  @inline(__always)
  var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
}

/// The attributes of one tag; those beyond the sixty-fourth are ignored.
@safe struct AttributeTable: ~Copyable {
  private static let capacity = 64

  private let places: UnsafeMutablePointer<AttributePlace>
  private(set) var count = 0

  init() {
    unsafe places = .allocate(capacity: Self.capacity)
    unsafe places.initialize(repeating: AttributePlace(), count: Self.capacity)
  }

  deinit { unsafe places.deallocate() }

  @inline(__always)
  subscript(index: Int) -> AttributePlace {
    precondition(index >= 0 && index < count)
    return unsafe places[index]
  }

  mutating func removeAll() { count = 0 }

  @inline(__always)
  mutating func append(key: Range<Int>, value: Range<Int>) {
    guard count < Self.capacity else { return }
    unsafe places[count] = AttributePlace(
      keyStart: Int32(truncatingIfNeeded: key.lowerBound),
      keyEnd: Int32(truncatingIfNeeded: key.upperBound),
      valueStart: Int32(truncatingIfNeeded: value.lowerBound),
      valueEnd: Int32(truncatingIfNeeded: value.upperBound))
    count += 1
  }
}
