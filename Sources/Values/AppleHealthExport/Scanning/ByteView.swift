// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Bytes in memory that another value owns, to be used no longer than that value keeps them.
///
/// Every access is checked against the bounds.
@safe struct ByteView {
  private let start: UnsafeRawPointer
  let count: Int

  init(start: UnsafeRawPointer, count: Int) {
    unsafe self.start = start
    self.count = count
  }

  @inline(__always)
  subscript(index: Int) -> UInt8 {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
    return unsafe start.load(fromByteOffset: index, as: UInt8.self)
  }

  @inline(__always)
  subscript(range: Range<Int>) -> ByteView {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe ByteView(start: start + range.lowerBound, count: range.count)
  }

  /// The eight bytes from an index on, the first in the lowest bits.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    precondition(index >= 0 && index <= count - 8)
    let word = unsafe start.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    return UInt64(littleEndian: word)
  }

  /// The index of the first such byte in a range, or the range's end.
  @inline(__always)
  func firstIndex(of byte: UInt8, from begin: Int, to end: Int) -> Int {
    precondition(begin >= 0 && begin <= end && end <= count)
    guard let found = unsafe memchr(start + begin, Int32(byte), end - begin) else { return end }
    return unsafe UnsafeRawPointer(found) - start
  }

  /// The index of the first byte from an index on that is less than `bound`, which is at most 128;
  /// or an index less than eight bytes before the end.
  @inline(__always)
  func firstIndex(below bound: UInt8, from begin: Int) -> Int {
    var index = begin
    let (ones, tops): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    while index <= count - 8 {
      let word = word(at: index)
      // The lowest bit that is set is that of the first such byte.
      let less = (word &- ones &* UInt64(bound)) & ~word & tops
      if less != 0 { return index &+ less.trailingZeroBitCount &>> 3 }
      index &+= 8
    }
    return index
  }

  func contains(_ byte: UInt8) -> Bool { firstIndex(of: byte, from: 0, to: count) < count }

  /// Whether the bytes are those of an ASCII text.
  @inline(__always)
  func equals(_ text: StaticString) -> Bool {
    guard text.utf8CodeUnitCount == count else { return false }
    return hasPrefix(text)
  }

  func hasPrefix(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard length <= count else { return false }
    for index in 0..<length where unsafe text.utf8Start[index] != self[index] { return false }
    return true
  }

  /// Whether these are the first bytes of an ASCII text.
  func isPrefix(of text: StaticString) -> Bool {
    guard count <= text.utf8CodeUnitCount else { return false }
    for index in 0..<count where unsafe text.utf8Start[index] != self[index] { return false }
    return true
  }

  @inline(__always)
  func equals(_ other: ByteView) -> Bool {
    guard count == other.count else { return false }
    guard count >= 8 else { return shortWord == other.shortWord }
    var index = 0
    while index < count &- 8 {
      if word(at: index) != other.word(at: index) { return false }
      index &+= 8
    }
    return word(at: count &- 8) == other.word(at: count &- 8)
  }

  /// All bytes, which are fewer than eight, as one number; others with as many bytes have another.
  @inline(__always)
  var shortWord: UInt64 {
    if count >= 4 {
      let (first, last) = unsafe (
        start.loadUnaligned(fromByteOffset: 0, as: UInt32.self),
        start.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
      )
      return UInt64(first) | UInt64(last) << 32
    }
    var word: UInt64 = 0
    for index in 0..<count { word = word << 8 | UInt64(self[index]) }
    return word
  }

  /// The bytes as they are.
  var bytes: [UInt8] { unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count)) }

  /// The bytes as UTF-8, with invalid ones repaired.
  var text: String {
    unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Whether the bytes are UTF-8.
  var isUTF8: Bool { isASCII || Array(text.utf8) == bytes }

  private var isASCII: Bool {
    var (index, bits): (Int, UInt64) = (0, 0)
    while index <= count &- 8 {
      bits |= word(at: index)
      index &+= 8
    }
    while index < count {
      bits |= UInt64(self[index])
      index &+= 1
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }

  /// Copies the bytes to memory that has room for them.
  func copy(to target: UnsafeMutableRawPointer) {
    unsafe target.copyMemory(from: start, byteCount: count)
  }
}
