// SPDX-License-Identifier: Apache-2.0

/// Walks over one tag, and continues where the input ended.
struct TagLexer: ~Copyable {
  enum Outcome {
    case needsMore
    /// The index of the byte after the tag, and whether it closes itself.
    case tag(end: Int, isSelfClosing: Bool)
    /// The index after `<!--` and the like.
    case markup(TagScanner.Mode, end: Int)
    /// The tag cannot be read; the index of the byte from which on to look for the next one.
    case broken(next: Int)
    /// The tag has no end within the limit; the index of the byte from which on to look.
    case tooLong(next: Int)
  }

  private enum Phase { case opening, name, gap, value, afterValue }

  private(set) var attributes = AttributeTable()
  private(set) var isEnd = false
  var isStart: Bool { !isEnd && phase != .opening }
  /// Where the name is, counted from the tag's first byte like all places here.
  var name: Range<Int> { nameStart..<max(nameStart, nameEnd) }

  private var phase = Phase.opening
  private var scanned = 0
  private var nameStart = 1
  private var nameEnd = 1
  private var keyStart = 0
  /// 0 before the equals sign.
  private var keyEnd = 0
  private var valueStart = 0
  private var quote: UInt8 = 0

  mutating func begin() {
    attributes.removeAll()
    isEnd = false
    phase = .opening
    scanned = 1
    nameStart = 1
    nameEnd = 1
  }

  /// Walks on over a tag that begins at an index of the window.
  mutating func scan(_ window: ByteView, from start: Int) -> Outcome {
    let limit = min(window.count, start + TagScanner.longestTag)
    let bytes = window[start..<limit]
    while scanned < bytes.count {
      if phase == .gap { scanUsualAttributes(bytes) }
      switch phase {
      case .opening:
        if let outcome = open(bytes) { return outcome.moved(by: start) }
      case .name: scanName(bytes)
      case .gap:
        if let outcome = scanGap(bytes) { return outcome.moved(by: start) }
      case .value:
        scanned = bytes.firstIndex(of: quote, from: scanned, to: bytes.count)
        guard scanned < bytes.count else { break }
        scanned += 1
        phase = .afterValue
      case .afterValue:
        if let next = endValue(bytes) { return .broken(next: start + next) }
      }
    }
    return limit - start < TagScanner.longestTag ? .needsMore : .tooLong(next: limit)
  }

  private mutating func open(_ bytes: ByteView) -> Outcome? {
    switch bytes[1] {
    case UInt8(ascii: "!"): return declaration(bytes)
    case UInt8(ascii: "?"): return .markup(.instruction, end: 2)
    case UInt8(ascii: "/"):
      isEnd = true
      nameStart = 2
      scanned = 2
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...:
      break
    // A bracket that begins nothing.
    default: return .markup(.text, end: 1)
    }
    phase = .name
    return nil
  }

  private func declaration(_ bytes: ByteView) -> Outcome {
    let comment: StaticString = "<!--"
    let data: StaticString = "<![CDATA["
    if bytes.hasPrefix(comment) { return .markup(.comment, end: 4) }
    if bytes.hasPrefix(data) { return .markup(.data, end: 9) }
    let isPossible = bytes.isPrefix(of: comment) || bytes.isPrefix(of: data)
    return isPossible ? .needsMore : .markup(.declaration, end: 2)
  }

  private mutating func scanName(_ bytes: ByteView) {
    while scanned < bytes.count {
      switch bytes[scanned] {
      case 0...0x20, UInt8(ascii: "/"), UInt8(ascii: ">"), UInt8(ascii: "<"), UInt8(ascii: "\""),
        UInt8(ascii: "'"), UInt8(ascii: "="):
        nameEnd = scanned
        beginGap()
        return
      default: scanned += 1
      }
    }
    nameEnd = scanned
  }

  private mutating func beginGap() {
    phase = .gap
    keyStart = scanned
    keyEnd = 0
  }

  /// Walks over attributes that are written as Apple writes them, in most of the time.
  private mutating func scanUsualAttributes(_ bytes: ByteView) {
    guard keyEnd == 0, keyStart == scanned else { return }
    var index = scanned
    while index < bytes.count, bytes[index] == UInt8(ascii: " ") {
      // Letters come after all that matters.
      let equals = bytes.firstIndex(below: UInt8(ascii: "?"), from: index + 1)
      guard equals + 2 < bytes.count, bytes[equals] == UInt8(ascii: "="),
        bytes[equals + 1] == UInt8(ascii: "\"")
      else { break }
      let end = bytes.firstIndex(of: UInt8(ascii: "\""), from: equals + 2, to: bytes.count)
      guard end + 1 < bytes.count else { break }
      switch bytes[end + 1] {
      case UInt8(ascii: " "), UInt8(ascii: "/"), UInt8(ascii: ">"):
        attributes.append(key: index + 1..<equals, value: equals + 2..<end)
        index = end + 1
        continue
      default: break
      }
      break
    }
    scanned = index
    keyStart = index
  }

  /// Walks over what is outside quotation marks.
  private mutating func scanGap(_ bytes: ByteView) -> Outcome? {
    var index = scanned
    defer { scanned = index }
    while index < bytes.count {
      let byte = bytes[index]
      // Letters come after all that matters.
      if byte > UInt8(ascii: ">") {
        index &+= 1
        continue
      }
      switch byte {
      case UInt8(ascii: "="): keyEnd = index
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        quote = byte
        index &+= 1
        valueStart = index
        phase = .value
        return nil
      case UInt8(ascii: ">"):
        let isSelfClosing = bytes[index - 1] == UInt8(ascii: "/")
        return .tag(end: index + 1, isSelfClosing: isSelfClosing && !isEnd)
      case UInt8(ascii: "<"): return .broken(next: index)
      case 0...0x20: if keyEnd == 0 { keyStart = index &+ 1 }
      default: break
      }
      index &+= 1
    }
    return nil
  }

  /// Notes an attribute; returns the index of the next tag when the value had lost its end.
  private mutating func endValue(_ bytes: ByteView) -> Int? {
    let value = valueStart..<(scanned - 1)
    let following = bytes[scanned]
    if following > 0x20, following != UInt8(ascii: "/"), following != UInt8(ascii: ">") {
      let bracket = bytes.firstIndex(
        of: UInt8(ascii: "<"), from: value.lowerBound, to: value.upperBound)
      if bracket < value.upperBound { return bracket }
    }
    if keyEnd > keyStart {
      attributes.append(key: keyStart..<keyEnd, value: value)
    } else if let key = spacedKey(bytes) {
      attributes.append(key: key, value: value)
    }
    beginGap()
    return nil
  }

  /// The key of an attribute with blanks before its equals sign.
  private func spacedKey(_ bytes: ByteView) -> Range<Int>? {
    guard keyEnd > 0 else { return nil }
    var end = keyEnd
    while end > nameEnd, bytes[end - 1] <= 0x20 { end -= 1 }
    var start = end
    while start > nameEnd, bytes[start - 1] > 0x20 { start -= 1 }
    return start < end ? start..<end : nil
  }
}

extension TagLexer.Outcome {
  /// The same with indices of the window in place of the tag's.
  fileprivate func moved(by start: Int) -> Self {
    switch self {
    case .needsMore: .needsMore
    case .tag(let end, let isSelfClosing): .tag(end: start + end, isSelfClosing: isSelfClosing)
    case .markup(let mode, let end): .markup(mode, end: start + end)
    case .broken(let next): .broken(next: start + next)
    case .tooLong(let next): .tooLong(next: start + next)
    }
  }
}
