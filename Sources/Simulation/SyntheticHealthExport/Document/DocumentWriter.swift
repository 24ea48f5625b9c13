// SPDX-License-Identifier: Apache-2.0

import SantorioJSON

/// Where bytes go.
typealias ByteSink = ([UInt8]) throws(SyntheticHealthExportError) -> Void

/// Writes the document and counts what is in it.
final class DocumentWriter {
  /// The elements of the document, by name.
  var elements: [String: Int] = [:]
  private var buffer = ByteBuffer(capacity: 1 << 20)
  private var flushed = 0
  private let sink: ByteSink
  private let timeline: Timeline
  private let fixedOffset: Int?
  private var cachedDay = (number: Int.min, text: [UInt8]())
  private var cachedOffset = (seconds: Int.min, text: [UInt8]())

  init(
    _ timeline: Timeline, _ offsets: SyntheticHealthExport.Options.OffsetKind,
    _ sink: @escaping ByteSink
  ) {
    self.timeline = timeline
    self.sink = sink
    fixedOffset = offsets == .atExport ? timeline.home.offset(at: timeline.export) : nil
  }

  /// How many bytes have been written.
  var position: Int { flushed + buffer.count }

  /// Hands over what is in the buffer, if it is much.
  func flush(atLeast count: Int = 1 << 19) throws(SyntheticHealthExportError) {
    guard buffer.count >= count else { return }
    try sink(buffer.bytes)
    flushed += buffer.count
    buffer.removeAll()
  }

  func count(_ element: String, _ more: Int = 1) { elements[element, default: 0] += more }

  func text(_ text: String) { buffer.append(text) }
  func bytes(_ bytes: [UInt8]) { buffer.append(contentsOf: bytes) }

  /// Cuts what was written since a position in the middle.
  func cut(since start: Int) {
    let text = buffer.bytes
    let begin = start - flushed
    buffer.removeAll()
    buffer.append(contentsOf: Array(text[..<(begin + (text.count - begin) / 2)]))
  }

  /// The offset of a date in the document, in seconds.
  func offset(at instant: Int) -> Int {
    fixedOffset ?? timeline.clock(at: instant).offset(at: instant)
  }

  // MARK: - Values

  /// A date as the document has them, `2025-11-15 09:15:42 -0500`.
  func date(_ instant: Int) {
    let offset = offset(at: instant)
    let local = instant + offset
    let day = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
    if day != cachedDay.number {
      cachedDay = (day, Array(SyntheticHealthExport.Day(daysSince1970: day).description.utf8))
    }
    if offset != cachedOffset.seconds { cachedOffset = (offset, Self.offset(offset)) }
    let second = local - day * 86_400
    buffer.append(contentsOf: cachedDay.text)
    buffer.append(twoDigits: second / 3600, after: " ")
    buffer.append(twoDigits: second / 60 % 60, after: ":")
    buffer.append(twoDigits: second % 60, after: ":")
    buffer.append(contentsOf: cachedOffset.text)
  }

  private static func offset(_ seconds: Int) -> [UInt8] {
    var text = ByteBuffer(capacity: 8)
    text.append(UInt8(ascii: " "))
    text.append(UInt8(ascii: seconds < 0 ? "-" : "+"))
    text.append(abs(seconds) / 3600, width: 2)
    text.append(abs(seconds) / 60 % 60, width: 2)
    return text.bytes
  }

  /// A number given in millionths, without zeros at the end.
  func decimal(_ millionths: Int) {
    if millionths < 0 { buffer.append(UInt8(ascii: "-")) }
    let size = abs(millionths)
    buffer.append(size / 1_000_000)
    var (fraction, width) = (size % 1_000_000, 6)
    guard fraction > 0 else { return }
    while fraction % 10 == 0 {
      fraction /= 10
      width -= 1
    }
    buffer.append(UInt8(ascii: "."))
    buffer.append(fraction, width: width)
  }

  /// The number of a pointer, nine hexadecimal digits.
  func pointer(_ number: UInt64) {
    var shift: UInt64 = 36
    buffer.append(UInt8(ascii: "2"))
    while shift > 4 {
      shift -= 4
      let digit = UInt8(truncatingIfNeeded: number >> shift & 15)
      buffer.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
    }
  }

  func number(_ number: Int, width: Int = 1) { buffer.append(number, width: width) }
}

extension DocumentWriter {
  /// Seconds since the midnight of the clock whose offset the document's dates have.
  func localSecond(_ instant: Int) -> Int {
    let local = instant + offset(at: instant)
    return (local % 86_400 + 86_400) % 86_400
  }
}
