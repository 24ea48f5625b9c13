// SPDX-License-Identifier: Apache-2.0

/// Bytes that grow by small pieces.
///
/// An array checks at each append whether its storage is shared; this has one owner, which halves
/// the time that a record's JSON takes.
@safe package struct ByteBuffer: ~Copyable {
  // `capacity` bytes from `start` on are this buffer's, the first `count` of them are written.
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  package private(set) var count = 0

  package init(capacity: Int = 256) {
    self.capacity = max(capacity, 1)
    unsafe start = .allocate(capacity: self.capacity)
  }

  deinit { unsafe start.deallocate() }

  /// A copy of what was written.
  package var bytes: [UInt8] { unsafe [UInt8](UnsafeBufferPointer(start: start, count: count)) }

  /// Calls `body` with what was written, without a copy.
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(UnsafeBufferPointer(start: start, count: count))
  }

  /// What was written, as UTF-8.
  package var text: String {
    unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Removes the content and keeps the memory.
  package mutating func removeAll() { count = 0 }

  package mutating func append(_ byte: UInt8) {
    reserve(1)
    unsafe start[count] = byte
    count += 1
  }

  package mutating func append(contentsOf bytes: [UInt8]) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append($0) }
  }

  /// Appends a member's name in quotation marks, and a colon; before it a comma, if one is due.
  package mutating func append(key name: StaticString, comma: Bool) {
    name.withUTF8Buffer { name in
      guard let first = name.baseAddress else { return }
      reserve(name.count + 4)
      unsafe start[count] = UInt8(ascii: ",")
      let begin = comma ? count + 1 : count
      unsafe start[begin] = UInt8(ascii: "\"")
      _ = unsafe Self.copy(first, name.count, to: start + begin + 1)
      let end = begin + 1 + name.count
      unsafe start[end] = UInt8(ascii: "\"")
      unsafe start[end + 1] = UInt8(ascii: ":")
      count = end + 2
    }
  }

  package mutating func append(_ text: some StringProtocol) {
    let isWritten: Void? = text.utf8.withContiguousStorageIfAvailable { unsafe append($0) }
    guard isWritten == nil else { return }
    for byte in text.utf8 { append(byte) }
  }

  private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let first = bytes.baseAddress else { return }
    reserve(bytes.count)
    unsafe (start + count).initialize(from: first, count: bytes.count)
    count += bytes.count
  }

  /// Appends a text in quotation marks; false, with nothing appended, when it needs an escape.
  package mutating func append(quoted text: some StringProtocol) -> Bool {
    let isPlain = text.utf8.withContiguousStorageIfAvailable { bytes in
      reserve(bytes.count + 2)
      let plain = unsafe Self.copy(bytes.baseAddress, bytes.count, to: start + count + 1)
      guard plain else { return false }
      unsafe start[count] = UInt8(ascii: "\"")
      count += bytes.count + 2
      unsafe start[count - 1] = UInt8(ascii: "\"")
      return true
    }
    return isPlain ?? false
  }

  /// Copies bytes, and returns whether JSON needs no escape for them (RFC 8259 section 7).
  ///
  /// Eight or four at a time; the last overlap those before. Fewer are copied one by one.
  private static func copy(
    _ source: UnsafePointer<UInt8>?, _ count: Int, to target: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    guard let from = unsafe UnsafeRawPointer(source) else { return true }
    let to = UnsafeMutableRawPointer(target)
    var special: UInt64 = 0
    func copy<Word: FixedWidthInteger>(_ type: Word.Type, at offset: Int) {
      let word = unsafe from.loadUnaligned(fromByteOffset: offset, as: type)
      unsafe to.storeBytes(of: word, toByteOffset: offset, as: type)
      // Blanks where a shorter word has no bytes.
      special |= Self.special(
        in: UInt64(truncatingIfNeeded: word) | 0x2020_2020_2020_2020 << Word.bitWidth)
    }
    if count >= 8 {
      for offset in stride(from: 0, to: count - 8, by: 8) { copy(UInt64.self, at: offset) }
      copy(UInt64.self, at: count - 8)
    } else if count >= 4 {
      copy(UInt32.self, at: 0)
      copy(UInt32.self, at: count - 4)
    } else {
      for offset in 0..<count { copy(UInt8.self, at: offset) }
    }
    return special == 0
  }

  /// Not 0 when one of eight bytes needs an escape: is less than 0x20, a quotation mark or a
  /// backslash.
  private static func special(in word: UInt64) -> UInt64 {
    let (ones, tops): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }
    let control = (word &- ones * 0x20) & ~word
    let quotes = zeros(word ^ ones * UInt64(UInt8(ascii: "\"")))
    let backslashes = zeros(word ^ ones * UInt64(UInt8(ascii: "\\")))
    return (control | quotes | backslashes) & tops
  }

  /// Appends a number in decimal, with leading zeros up to a width.
  ///
  /// A negative number, which does not occur in times, is written as 0.
  package mutating func append(_ number: Int, width: Int = 1) {
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

  /// Appends a separator and a number of two digits; any other as ``append(_:width:)`` does.
  package mutating func append(twoDigits number: Int, after separator: Unicode.Scalar) {
    guard (0...99).contains(number) else {
      append(UInt8(ascii: separator))
      return append(number, width: 2)
    }
    reserve(3)
    let tens = number / 10
    unsafe start[count] = UInt8(ascii: separator)
    unsafe start[count + 1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: tens)
    unsafe start[count + 2] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number - tens * 10)
    count += 3
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
