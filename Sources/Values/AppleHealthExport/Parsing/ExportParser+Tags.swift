// SPDX-License-Identifier: Apache-2.0

// MARK: - Start tags

extension ExportParser {
  mutating func readStartTag(_ tag: Tag) throws(HealthExportError) -> Event? {
    if let skipped {
      if skipped.isNamed(tag.nameBytes), !tag.isSelfClosing, !skipped.element.isTopLevel {
        self.skipped?.depth += 1
      } else if tag.element.isTopLevel, skipped.endsAtTopLevel {
        endSkipping(before: .start)
      }
      return nil
    }
    switch context {
    case .root: return readTopLevel(tag)
    case .prolog: try readRoot(tag)
    case .epilog: break
    case .correlation where tag.element == .record: readNestedRecord(tag)
    case .record, .nestedRecord, .correlation, .workout, .summary:
      if tag.element.isTopLevel { return endUnclosed(before: .start) }
      if isKept(tag) { readChild(tag) }
    }
    return nil
  }

  private mutating func readTopLevel(_ tag: Tag) -> Event? {
    let isHeader = tag.element == .exportDate || tag.element == .me
    if isHeaderDue, !isHeader { return deliverHeader(before: .start) }
    content = 0
    do {
      switch tag.element {
      case .record:
        try readRecord(tag)
        record.isNested = false
        return begin(tag, .record, .record)
      case .correlation:
        try readCorrelation(tag)
        return begin(tag, .correlation, .correlation)
      case .workout:
        try readWorkout(tag)
        return begin(tag, .workout, .workout)
      case .activitySummary:
        try readSummary(tag)
        return begin(tag, .summary, .summary)
      default:
        countTopLevel(tag)
        skip(tag)
      }
    } catch {
      note(error, tag)
      found.counts.unread += 1
      skip(tag)
    }
    return nil
  }

  private mutating func deliverHeader(before token: TagScanner.Token) -> Event {
    isHeaderDue = false
    pendingToken = token
    return .header
  }

  /// Delivers an element without content, and goes into any other.
  private mutating func begin(_ tag: Tag, _ context: Context, _ event: Event) -> Event? {
    self.context = context
    return tag.isSelfClosing ? deliver(at: tag.endOffset) : nil
  }

  /// Reads what stands at the top level but is not a sample.
  private mutating func countTopLevel(_ tag: Tag) {
    switch tag.element {
    case .exportDate: readExportDate(tag)
    case .me: readCharacteristics(tag)
    case .clinicalRecord: found.counts.clinicalRecords += 1
    case .audiogram: found.counts.audiograms += 1
    case .visionPrescription: found.counts.visionPrescriptions += 1
    case .unknown: countUnknown(tag)
    // What is left of a sample whose start tag was broken.
    default: break
    }
  }

  func countsAsElement(_ element: ElementName) -> Bool {
    switch element {
    case .record, .correlation, .workout, .activitySummary, .clinicalRecord, .audiogram,
      .visionPrescription, .unknown:
      true
    default: false
    }
  }

  mutating func countUnknown(_ tag: Tag) {
    let name = tag.nameBytes[0..<min(tag.nameBytes.count, 64)].text
    let isKept = found.counts.unknown[name] != nil || found.counts.unknown.count < 100
    found.counts.unknown[name.isEmpty || !isKept ? "…" : name, default: 0] += 1
  }

  private mutating func readNestedRecord(_ tag: Tag) {
    do {
      guard isKept(tag) else { return refuseNestedRecord(tag) }
      try readRecord(tag)
      record.isNested = true
      context = .nestedRecord
      if tag.isSelfClosing { endNestedRecord() }
    } catch {
      note(error, tag)
      refuseNestedRecord(tag)
    }
  }

  private mutating func refuseNestedRecord(_ tag: Tag) {
    found.counts.unread += 1
    correlation.unreadRecords += 1
    skip(tag)
  }

  /// Whether an element at the top level has room for more content; if not, the tag is skipped.
  private mutating func isKept(_ tag: Tag) -> Bool {
    // Positions are not kept.
    if tag.element == .location { return true }
    content += tag.endOffset - tag.offset
    guard content > Self.mostContent else { return true }
    note(.contentTooLarge, tag.offset, tag.element)
    if tag.element != .record { skip(tag) }
    return false
  }
}

// MARK: - End tags

extension ExportParser {
  mutating func readEndTag(_ tag: Tag) -> Event? {
    if let skipped {
      if skipped.isNamed(tag.nameBytes) {
        self.skipped?.depth -= 1
        if skipped.depth == 1 { endSkipping(at: tag.endOffset) }
      } else if tag.element == context.element || tag.element == .healthData {
        endSkipping(before: .end)
      }
      return nil
    }
    if tag.element == .healthData { return endDocument() }
    switch context {
    case .nestedRecord where tag.element == .record: endNestedRecord()
    case .nestedRecord where tag.element == .correlation: return endUnclosed(before: .end)
    case .record, .correlation, .workout, .summary:
      if tag.element == context.element { return deliver(at: tag.endOffset) }
      if context == .workout { endWorkoutPart(tag.element) }
    default: break
    }
    return nil
  }

  private mutating func endDocument() -> Event? {
    switch context {
    case .root:
      if isHeaderDue { return deliverHeader(before: .end) }
      context = .epilog
    case .prolog, .epilog: break
    default: return endUnclosed(before: .end)
    }
    return nil
  }

  private mutating func endNestedRecord() {
    found.counts.nestedRecords += 1
    correlation.records.append(record)
    context = .correlation
  }

  /// Ends the open element, which lacks its end tag, and looks at the current tag once more.
  private mutating func endUnclosed(before token: TagScanner.Token) -> Event? {
    note(.unclosedElement, openOffset, context.element)
    pendingToken = token
    if context == .nestedRecord {
      endNestedRecord()
      return nil
    }
    return deliver(at: scanner.tag.offset)
  }

  /// The offset of the open element.
  var openOffset: Int {
    switch context {
    case .record, .nestedRecord: record.sample.offset
    case .correlation: correlation.sample.offset
    case .workout: workout.sample.offset
    case .summary: summary.offset
    case .prolog, .root, .epilog: scanner.offset
    }
  }

  /// Ends the open element at the top level.
  private mutating func deliver(at end: Int) -> Event? {
    let event: Event?
    switch context {
    case .record:
      found.counts.records += 1
      event = .record
    case .correlation:
      found.counts.correlations += 1
      event = .correlation
    case .workout:
      endWorkoutParts()
      found.counts.workouts += 1
      event = .workout
    case .summary:
      found.counts.activitySummaries += 1
      event = .summary
    case .prolog, .root, .nestedRecord, .epilog: event = nil
    }
    context = .root
    move(to: end)
    return event
  }
}

// MARK: - Skipped elements and broken tags

extension ExportParser {
  /// Skips an element with its content; that of an unknown one whose tag is broken is not known.
  mutating func skip(_ tag: Tag, isBroken: Bool = false) {
    let element = tag.element
    let isUnknown = element == .unknown
    skipped = SkippedElement(
      element: element, name: isUnknown ? tag.nameBytes.bytes : Array(element.rawValue.utf8),
      offset: tag.offset,
      endsAtTopLevel: !(isUnknown && context == .root) && element != .correlation)
    if tag.isSelfClosing || isUnknown && isBroken { endSkipping(at: tag.endOffset) }
  }

  private mutating func endSkipping(at end: Int) {
    if context == .root, let skipped, countsAsElement(skipped.element) {
      move(to: end)
    }
    skipped = nil
  }

  /// Ends a skipped element that lacks its end tag, and looks at the current tag once more.
  private mutating func endSkipping(before token: TagScanner.Token) {
    if let skipped { note(.unclosedElement, skipped.offset, skipped.element) }
    endSkipping(at: scanner.tag.offset)
    pendingToken = token
  }

  mutating func readBrokenTag(
    _ tag: Tag, _ kind: ExportProblem.Kind
  ) throws(HealthExportError) -> Event? {
    let isNested = context == .correlation && tag.element == .record
    if tag.element.isTopLevel, !isNested {
      if let skipped, skipped.endsAtTopLevel {
        endSkipping(before: .broken(kind))
        return nil
      }
      if skipped == nil, context != .root, context != .prolog, context != .epilog {
        return endUnclosed(before: .broken(kind))
      }
      if isHeaderDue, context == .root, countsAsElement(tag.element) {
        return deliverHeader(before: .broken(kind))
      }
    }
    note(kind, tag.offset, tag.element)
    guard skipped == nil else { return nil }
    switch context {
    case .prolog: try readRoot(tag)
    case .epilog: break
    case .root:
      if tag.element.isSample { found.counts.unread += 1 }
      countTopLevelUnread(tag)
      skip(tag, isBroken: true)
    case .correlation where isNested: refuseNestedRecord(tag)
    default: skip(tag, isBroken: true)
    }
    return nil
  }

  private mutating func countTopLevelUnread(_ tag: Tag) {
    if !tag.element.isSample, tag.element != .exportDate, tag.element != .me {
      countTopLevel(tag)
    }
  }

  mutating func note(_ kind: ExportProblem.Kind, _ offset: Int, _ element: ElementName) {
    found.problems.append(
      ExportProblem(kind: kind, offset: offset, element: element.rawValue, attribute: nil))
  }

  mutating func note(_ refusal: Refusal, _ tag: Tag) {
    found.problems.append(
      ExportProblem(
        kind: refusal.kind, offset: tag.offset, element: tag.element.rawValue,
        attribute: refusal.attribute.map { "\($0)" }))
  }
}

/// Why an element was not read.
struct Refusal: Error {
  let kind: ExportProblem.Kind
  let attribute: StaticString?

  init(_ kind: ExportProblem.Kind, _ attribute: StaticString? = nil) {
    self.kind = kind
    self.attribute = attribute
  }
}
