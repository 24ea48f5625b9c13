// SPDX-License-Identifier: Apache-2.0

/// Finds the tags of an XML document that arrives in blocks, whatever else is wrong with it.
///
/// Document types, comments, instructions and text are skipped. What is found does not depend on
/// where the blocks end.
@safe struct TagScanner: ~Copyable {
  enum Token: Equatable {
    /// All bytes are used up.
    case needsInput
    /// A start tag, which `tag` describes.
    case start
    /// An end tag, which `tag` describes.
    case end
    /// A tag that cannot be read; `tag` has its name and whether it closed itself.
    case broken(ExportProblem.Kind)
    /// The text of a comment, which `comment` has.
    case comment
  }

  enum Mode {
    case text, tag, declaration, instruction, comment, data
    /// In a tag that is too long, until the next one.
    case oversized
  }

  /// The longest tag that is read.
  static let longestTag = 1 << 20

  // The bytes looked at are those of the block, or, when a tag began in an earlier one, the tail.
  var window: ByteView
  var windowOffset: Int
  /// The next byte of the window; in a tag its first byte.
  var cursor = 0
  private var isTail = false
  private var block: ByteView
  private var blockOffset: Int
  private var blockCursor = 0
  var tail = TailBuffer()

  /// Whether there is no more input.
  var isFinal = false
  var mode = Mode.text
  var lexer = TagLexer()
  private(set) var tag: Tag
  /// How many of the bytes that end a comment or a CDATA section were seen.
  private var endMatch = 0
  /// The beginning of the last comment.
  private(set) var comment: [UInt8] = []
  private var oversizedEnd = TagEndWatch()

  init(at offset: Int) {
    block = tail.view
    window = block
    tag = Tag(
      bytes: block, name: 0..<0, element: .unknown, isSelfClosing: false, offset: 0, endOffset: 0)
    blockOffset = offset
    windowOffset = offset
  }

  /// The offset of the first byte that is not used up: that of an unfinished tag, or the end.
  var offset: Int { windowOffset + cursor }

  /// Whether the input so far ends within a start tag, which has the name ``element``.
  var isInStartTag: Bool { mode == .oversized || mode == .tag && lexer.isStart }

  /// The name of the unfinished tag.
  var element: ElementName {
    mode == .oversized ? tag.element : ElementName(window[cursor..<window.count][lexer.name])
  }

  /// Takes more input; what was taken before must be used up.
  mutating func take(_ bytes: ByteView) {
    block = bytes
    blockCursor = 0
    if !isTail {
      window = block
      windowOffset = blockOffset
      cursor = 0
    }
  }

  /// Forgets the input, which the caller may free then; to be called after ``Token/needsInput``.
  mutating func release() {
    blockOffset += block.count
    block = tail.view[0..<0]
    blockCursor = 0
    if !isTail {
      window = block
      windowOffset = blockOffset
      cursor = 0
    }
  }

  /// Finds the next tag.
  mutating func next() -> Token {
    while true {
      switch mode {
      case .text:
        cursor = window.firstIndex(of: UInt8(ascii: "<"), from: cursor, to: window.count)
        if cursor < window.count {
          mode = .tag
          lexer.begin()
        }
      case .tag:
        if let token = readTag() { return token }
        continue
      case .declaration: skipDeclaration()
      case .instruction: skipInstruction()
      case .comment:
        if skipSection(ending: UInt8(ascii: "-")) { return .comment }
      case .data: _ = skipSection(ending: UInt8(ascii: "]"))
      case .oversized:
        if let token = skipOversized() { return token }
      }
      if cursor == window.count, !advance() { return .needsInput }
    }
  }
}

// MARK: - Tags

extension TagScanner {
  private mutating func readTag() -> Token? {
    switch lexer.scan(window, from: cursor) {
    case .needsMore:
      if extendTail() { return nil }
      guard isFinal, let next = nextBracket(before: window.count) else { return .needsInput }
      return giveUp(before: next)
    case .tag(let end, let isSelfClosing):
      describe(end: end, isSelfClosing: isSelfClosing)
      let token: Token = lexer.isEnd ? .end : .start
      moveOn(to: end)
      return token
    case .markup(let kind, let end):
      if kind == .comment { comment.removeAll(keepingCapacity: true) }
      endMatch = 0
      mode = kind
      cursor = end
      settle()
      return nil
    case .broken(let next): return giveUp(before: next)
    case .tooLong(let next):
      if let next = nextBracket(before: next) { return giveUp(before: next) }
      describe(end: next, isSelfClosing: false)
      // The bytes may be gone when its end is found.
      (tag.bytes, tag.name) = (tail.view[0..<0], 0..<0)
      oversizedEnd = TagEndWatch()
      oversizedEnd.watch(window, from: cursor, to: next)
      mode = .oversized
      cursor = next
      settle()
      return nil
    }
  }

  /// Goes on with another tag that begins within the current one, which cannot be read.
  private mutating func giveUp(before next: Int) -> Token {
    let isSelfClosing = TagEndWatch.isSelfClosing(window, from: cursor, to: next)
    describe(end: next, isSelfClosing: isSelfClosing)
    moveOn(to: next)
    return lexer.isEnd ? .end : .broken(.brokenTag)
  }

  /// The bracket of another tag within the current one.
  private func nextBracket(before end: Int) -> Int? {
    let next = window.firstIndex(of: UInt8(ascii: "<"), from: cursor + 1, to: end)
    return next < end ? next : nil
  }

  private mutating func describe(end: Int, isSelfClosing: Bool) {
    let bytes = window[cursor..<end]
    tag = Tag(
      bytes: bytes, name: lexer.name, element: ElementName(bytes[lexer.name]),
      isSelfClosing: isSelfClosing, offset: windowOffset + cursor, endOffset: windowOffset + end)
  }

  private mutating func moveOn(to end: Int) {
    mode = .text
    cursor = end
    settle()
  }

  /// Drops bytes up to the next tag.
  private mutating func skipOversized() -> Token? {
    let next = window.firstIndex(of: UInt8(ascii: "<"), from: cursor, to: window.count)
    oversizedEnd.watch(window, from: cursor, to: next)
    let isFound = next < window.count
    cursor = next
    guard isFound else { return nil }
    mode = .text
    tag.isSelfClosing = oversizedEnd.isSelfClosing
    tag.endOffset = windowOffset + next
    settle()
    return .broken(.tagTooLong)
  }
}

// MARK: - What is skipped

extension TagScanner {
  /// A declaration ends at the next bracket of either kind: some are never closed.
  private mutating func skipDeclaration() {
    while cursor < window.count {
      let byte = window[cursor]
      if byte == UInt8(ascii: "<") {
        mode = .text
        return settle()
      }
      cursor += 1
      if byte == UInt8(ascii: ">") {
        mode = .text
        return settle()
      }
    }
  }

  private mutating func skipInstruction() {
    cursor = window.firstIndex(of: UInt8(ascii: ">"), from: cursor, to: window.count)
    guard cursor < window.count else { return }
    moveOn(to: cursor + 1)
  }

  /// Skips to the end of a comment or a CDATA section: two such bytes and a bracket.
  private mutating func skipSection(ending byte: UInt8) -> Bool {
    while cursor < window.count {
      let next = window[cursor]
      cursor += 1
      if next == UInt8(ascii: ">"), endMatch == 2 {
        moveOn(to: cursor)
        return true
      }
      endMatch = next == byte ? min(endMatch + 1, 2) : 0
      if mode == .comment, comment.count < 64 { comment.append(next) }
    }
    return false
  }
}

// MARK: - The window

extension TagScanner {
  /// Goes over to the block when the tail is used up; false when there is no more input.
  private mutating func advance() -> Bool {
    settle()
    return cursor < window.count
  }

  /// Goes back from the tail to the block as soon as the rest of the tail is in the block, too.
  private mutating func settle() {
    guard isTail else { return }
    let rest = window.count - cursor
    guard rest <= blockCursor else { return }
    isTail = false
    tail.removeAll()
    window = block
    windowOffset = blockOffset
    cursor = blockCursor - rest
    blockCursor = 0
  }

  /// Adds input to an unfinished tag; false when there is none.
  private mutating func extendTail() -> Bool {
    if isTail {
      tail.removeFirst(cursor)
      windowOffset += cursor
    } else {
      tail.append(window[cursor..<window.count])
      windowOffset += cursor
      blockCursor = block.count
      isTail = true
    }
    cursor = 0
    let end = min(block.count, blockCursor + 4096)
    let isMore = end > blockCursor
    tail.append(block[blockCursor..<end])
    blockCursor = end
    window = tail.view
    return isMore
  }
}

/// Finds out whether a tag that cannot be read closed itself.
struct TagEndWatch {
  /// The last two bytes that are not blank, the last one in the lower byte.
  private var last: UInt16 = 0

  var isSelfClosing: Bool {
    last == UInt16(UInt8(ascii: "/")) << 8 | UInt16(UInt8(ascii: ">"))
  }

  mutating func watch(_ bytes: ByteView, from begin: Int, to end: Int) {
    var found: [UInt8] = []
    var index = end
    while index > begin, found.count < 2 {
      index -= 1
      if bytes[index] > 0x20 { found.append(bytes[index]) }
    }
    for byte in found.reversed() { last = last << 8 | UInt16(byte) }
  }

  static func isSelfClosing(_ bytes: ByteView, from begin: Int, to end: Int) -> Bool {
    var watch = Self()
    watch.watch(bytes, from: begin, to: end)
    return watch.isSelfClosing
  }
}
