// SPDX-License-Identifier: Apache-2.0

/// Octets that grow by small pieces.
///
/// An array looks at each piece whether somebody else holds it; this has one owner, which halves the
/// time that a record's JSON takes.
@safe struct OctetBuffer: ~Copyable {
  // `capacity` octets from `start` on are this buffer's, the first `count` of them are written.
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 256) {
    self.capacity = max(capacity, 1)
    unsafe start = .allocate(capacity: self.capacity)
  }

  deinit { unsafe start.deallocate() }

  /// A copy of what was written.
  var octets: [UInt8] { unsafe [UInt8](UnsafeBufferPointer(start: start, count: count)) }

  /// What was written, as UTF-8.
  var text: String {
    unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Forgets what was written, and keeps the room.
  mutating func removeAll() { count = 0 }

  mutating func append(_ octet: UInt8) {
    reserve(1)
    unsafe start[count] = octet
    count += 1
  }

  mutating func append(contentsOf octets: [UInt8]) {
    unsafe octets.withUnsafeBufferPointer { unsafe append($0) }
  }

  /// Appends a member's name in quotation marks, and a colon.
  mutating func append(key name: StaticString) {
    name.withUTF8Buffer { name in
      guard let first = name.baseAddress else { return }
      let end = count + 1 + name.count
      reserve(name.count + 3)
      unsafe start[count] = UInt8(ascii: "\"")
      unsafe (start + count + 1).initialize(from: first, count: name.count)
      unsafe start[end] = UInt8(ascii: "\"")
      unsafe start[end + 1] = UInt8(ascii: ":")
      count = end + 2
    }
  }

  mutating func append(_ text: some StringProtocol) {
    let isWritten: Void? = text.utf8.withContiguousStorageIfAvailable { unsafe append($0) }
    guard isWritten == nil else { return }
    for octet in text.utf8 { append(octet) }
  }

  private mutating func append(_ octets: UnsafeBufferPointer<UInt8>) {
    guard let first = octets.baseAddress else { return }
    reserve(octets.count)
    unsafe (start + count).initialize(from: first, count: octets.count)
    count += octets.count
  }

  /// Appends a text that may stand between quotation marks as it is; false when it may not.
  mutating func append(ifPlain text: some StringProtocol) -> Bool {
    let isPlain = text.utf8.withContiguousStorageIfAvailable { octets in
      guard unsafe Self.isPlain(octets) else { return false }
      unsafe append(octets)
      return true
    }
    return isPlain ?? false
  }

  /// Whether JSON needs no escape for octets (RFC 8259 section 7).
  private static func isPlain(_ octets: UnsafeBufferPointer<UInt8>) -> Bool {
    // Without a way out in the middle, so that it runs on many octets at once.
    var special: UInt8 = 0
    for index in 0..<octets.count {
      let octet = unsafe octets[index]
      special |= octet < 0x20 ? 1 : 0
      special |= octet == UInt8(ascii: "\"") ? 1 : 0
      special |= octet == UInt8(ascii: "\\") ? 1 : 0
    }
    return special == 0
  }

  /// Appends a number in decimal, with leading zeros up to a width.
  ///
  /// A negative number, which no clock shows, is written as 0.
  mutating func append(_ number: Int, width: Int = 1) {
    var (rest, digits, limit) = (max(0, number), 1, 10)
    while rest >= limit, digits < 18 {
      digits += 1
      limit *= 10
    }
    digits = max(rest < limit ? digits : 19, width)
    reserve(digits)
    for place in (count..<count + digits).reversed() {
      unsafe start[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += digits
  }

  /// Appends a number of two digits; any other as ``append(_:width:)`` does.
  mutating func append(twoDigits number: Int) {
    guard (0...99).contains(number) else { return append(number, width: 2) }
    reserve(2)
    unsafe start[count] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10)
    unsafe start[count + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
    count += 2
  }

  private mutating func reserve(_ more: Int) {
    if capacity - count < more { grow(more) }
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    let larger = max(2 * capacity, count + more)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    unsafe moved.moveInitialize(from: start, count: count)
    unsafe start.deallocate()
    unsafe start = unsafe moved
    capacity = larger
  }
}
