// SPDX-License-Identifier: Apache-2.0

/// Makes elements of the tags of a document.
struct ExportParser: ~Copyable {
  /// What the caller is to do next.
  enum Event {
    case needsInput
    /// The property of the same name is to be delivered.
    case header, record, correlation, workout, summary
  }

  /// The element whose content is being read.
  enum Context {
    case prolog, root, record, correlation, nestedRecord, workout, summary, epilog
  }

  /// The most bytes of tags within an element at the top level that are kept.
  static let mostContent = 16 << 20

  var scanner: TagScanner
  var index = StringIndex()
  var dates = DateReader()
  private(set) var position: ExportPosition
  var header = ExportedHeader()
  var found: ExportFindings
  /// What was found before the position.
  private(set) var settled: ExportFindings

  var record = ExportedRecord()
  var correlation = ExportedCorrelation()
  var workout = ExportedWorkout()
  var openParts = WorkoutParts()
  var summary = ExportedActivitySummary()

  var context: Context
  var skipped: SkippedElement?
  var isHeaderDue: Bool
  /// A tag that is to be looked at once more.
  var pendingToken: TagScanner.Token?
  /// How many bytes of tags were read since the element at the top level began.
  var content = 0
  private var firstBytes: [UInt8] = []

  init(at position: ExportPosition, after findings: ExportFindings) {
    self.position = position
    found = findings
    settled = findings
    scanner = TagScanner(at: position.offset)
    context = position.offset == 0 ? .prolog : .root
    isHeaderDue = position.offset == 0
  }

  var strings: InternedStrings { index.strings }
  var isComplete: Bool { context == .epilog }

  mutating func take(_ bytes: ByteView) throws(HealthExportError) {
    if context == .prolog, firstBytes.count < 2 {
      firstBytes += bytes[0..<min(bytes.count, 2)].bytes
      try checkEncoding()
    }
    scanner.take(bytes)
  }

  /// Goes on to the next event; after ``Event/needsInput`` the input may be freed.
  mutating func next() throws(HealthExportError) -> Event {
    while true {
      let token = pendingToken ?? scanner.next()
      pendingToken = nil
      let event: Event?
      switch token {
      case .start: event = try readStartTag(scanner.tag)
      case .end: event = readEndTag(scanner.tag)
      case .broken(let kind): event = try readBrokenTag(scanner.tag, kind)
      case .comment:
        readComment()
        event = nil
      case .needsInput:
        scanner.release()
        event = .needsInput
      }
      if let event { return event }
    }
  }

  /// Moves the position behind an element.
  mutating func move(to end: Int) {
    position = ExportPosition(offset: end, elements: position.elements + 1)
    settled = found
  }

  /// Takes the end of the input, after which there may be more events.
  mutating func takeEnd() { scanner.isFinal = true }

  /// Notes how the document ended, after the last event; returns whether the header is still to be
  /// delivered.
  mutating func finish() throws(HealthExportError) -> Bool {
    guard context != .prolog else { throw .noHealthData }
    if context != .epilog { noteCut() }
    defer { isHeaderDue = false }
    return isHeaderDue
  }
}

// MARK: - The beginning and the end of a document

extension ExportParser {
  private func checkEncoding() throws(HealthExportError) {
    guard firstBytes.count >= 2 else { return }
    let (first, second) = (firstBytes[0], firstBytes[1])
    let isMarked = first == 0xFE && second == 0xFF || first == 0xFF && second == 0xFE
    if isMarked || first == 0 || second == 0 { throw .unsupportedEncoding }
  }

  private mutating func readComment() {
    guard context == .prolog else { return }
    let words = String(decoding: scanner.comment, as: UTF8.self).split(separator: " ")
    if words.prefix(3) == ["HealthKit", "Export", "Version:"], words.count > 3 {
      header.version = Int(words[3].prefix { $0.isNumber })
    }
  }

  /// Reads the first tag of all, which must be that of `HealthData`.
  mutating func readRoot(_ tag: Tag) throws(HealthExportError) {
    guard tag.element == .healthData else { throw .noHealthData }
    header.locale = attribute("locale")?.decoded
    context = tag.isSelfClosing ? .epilog : .root
  }

  private mutating func noteCut() {
    if let skipped {
      note(.cut, skipped.offset, skipped.element)
    } else if context == .root, scanner.isInStartTag {
      note(.cut, scanner.offset, scanner.element)
      found.counts.unread += 1
    } else {
      note(.cut, openOffset, context.element)
      if context != .root { found.counts.unread += 1 }
    }
  }
}

extension HealthExportError {
  static let unsupportedEncoding = Self(
    code: .unsupportedEncoding,
    message: """
      The document is UTF-16 or UTF-32, but exports of Apple Health are UTF-8. Use the original \
      file, or convert it, for instance with iconv.
      """)
  static let noHealthData = Self(
    code: .notAHealthExport,
    message: """
      The document is not an export of Apple Health: its first element is not HealthData. Choose \
      export.xml, not export_cda.xml.
      """)
}

extension ExportParser.Context {
  /// The element whose end tag ends it.
  var element: ElementName {
    switch self {
    case .prolog, .root, .epilog: .healthData
    case .record, .nestedRecord: .record
    case .correlation: .correlation
    case .workout: .workout
    case .summary: .activitySummary
    }
  }
}

/// An element that is skipped with its content.
struct SkippedElement {
  let element: ElementName
  let name: [UInt8]
  let offset: Int
  /// Whether it cannot contain what stands at the top level.
  let endsAtTopLevel: Bool
  /// How many elements of this name are open.
  var depth = 1

  func isNamed(_ other: ByteView) -> Bool {
    guard name.count == other.count else { return false }
    return name == other.bytes
  }
}
