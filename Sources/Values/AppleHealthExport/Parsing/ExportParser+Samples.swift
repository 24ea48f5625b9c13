// SPDX-License-Identifier: Apache-2.0

extension ExportParser {
  mutating func readRecord(_ tag: Tag) throws(Refusal) {
    let attributes = SampleAttributes(tag.bytes, scanner.lexer.attributes)
    let sample = try readSample(attributes, at: tag.offset)
    let unit = try intern(attributes.unit, .unit)
    record = ExportedRecord(sample: sample, unit: unit, value: try readValue(attributes))
  }

  /// Gives the record away, which costs less than a copy of it.
  mutating func takeRecord() -> ExportedRecord {
    var record = ExportedRecord()
    swap(&record, &self.record)
    return record
  }

  mutating func readCorrelation(_ tag: Tag) throws(Refusal) {
    let attributes = SampleAttributes(tag.bytes, scanner.lexer.attributes)
    correlation = ExportedCorrelation(sample: try readSample(attributes, at: tag.offset))
  }

  /// Reads what all samples have; a source may be missing.
  mutating func readSample(
    _ attributes: SampleAttributes, at offset: Int
  ) throws(Refusal) -> ExportedSample {
    guard let type = attributes.type else { throw Refusal(.missingAttribute, "type") }
    guard let start = attributes.start else { throw Refusal(.missingAttribute, "startDate") }
    guard let end = attributes.end else { throw Refusal(.missingAttribute, "endDate") }
    guard let start = dates.read(start) else { throw Refusal(.badDate, "startDate") }
    guard let end = dates.read(end) else { throw Refusal(.badDate, "endDate") }
    var sample = ExportedSample()
    if let created = attributes.created {
      guard let instant = dates.read(created) else { throw Refusal(.badDate, "creationDate") }
      sample.created = instant
    }
    sample.type = try intern(type, .type) ?? .empty
    sample.source = try intern(attributes.source, .source) ?? .empty
    sample.sourceVersion = try intern(attributes.sourceVersion, .sourceVersion)
    sample.device = try intern(attributes.device?.deviceProperties, .device)
    (sample.start, sample.end, sample.offset) = (start, end, offset)
    return sample
  }

  private mutating func readValue(
    _ attributes: SampleAttributes
  ) throws(Refusal) -> ExportedRecord.Value {
    guard let value = attributes.value, value.count > 0 else { return .none }
    if value.beginsAsNumber || attributes.unit != nil {
      guard let number = value.number else { throw Refusal(.badNumber, "value") }
      return .number(number)
    }
    return .name(try intern(value, .value) ?? .empty)
  }

  @inline(__always)
  private mutating func intern(
    _ bytes: ByteView?, _ place: StringIndex.Place
  ) throws(Refusal) -> InternedString? {
    guard let bytes else { return nil }
    guard let string = index.intern(bytes, at: place) else { throw Refusal(.tooManyStrings) }
    if index.isRepaired { noteRepair() }
    return string
  }

  mutating func intern(_ bytes: ByteView?) throws(Refusal) -> InternedString? {
    guard let bytes else { return nil }
    return try intern(bytes) as InternedString
  }

  mutating func intern(_ bytes: ByteView) throws(Refusal) -> InternedString {
    guard let string = index.intern(bytes) else { throw Refusal(.tooManyStrings) }
    if index.isRepaired { noteRepair() }
    return string
  }

  /// The text of a value that is not interned.
  mutating func text(_ bytes: ByteView) -> String {
    if !bytes.isUTF8 { noteRepair() }
    return bytes.decoded
  }

  private mutating func noteRepair() {
    note(.notUTF8, scanner.tag.offset, scanner.tag.element)
  }
}

// MARK: - Content

extension ExportParser {
  /// Reads an element within one at the top level.
  mutating func readChild(_ tag: Tag) {
    do {
      switch tag.element {
      case .metadataEntry: keep(try readMetadata())
      case .beat where context == .record || context == .nestedRecord:
        record.beats.append(try readBeat())
      case .unknown:
        countUnknown(tag)
        skip(tag)
      default: if context == .workout { try readWorkoutPart(tag) }
      }
    } catch {
      note(error, tag)
      skip(tag)
    }
  }

  private mutating func readMetadata() throws(Refusal) -> ExportedMetadata {
    guard let key = attribute("key") else { throw Refusal(.missingAttribute, "key") }
    guard let value = attribute("value") else { throw Refusal(.missingAttribute, "value") }
    return ExportedMetadata(key: try intern(key, .key) ?? .empty, value: text(value))
  }

  private mutating func keep(_ entry: ExportedMetadata) {
    switch context {
    case .record, .nestedRecord: record.sample.metadata.append(entry)
    case .correlation: correlation.sample.metadata.append(entry)
    case .workout: keepInWorkout(entry)
    case .prolog, .root, .summary, .epilog: break
    }
  }

  private func readBeat() throws(Refusal) -> ExportedRecord.Beat {
    guard let rate = try number("bpm") else { throw Refusal(.missingAttribute, "bpm") }
    return ExportedRecord.Beat(beatsPerMinute: rate, timeOfDay: attribute("time")?.timeOfDay)
  }
}

// MARK: - Other elements

extension ExportParser {
  mutating func readSummary(_ tag: Tag) throws(Refusal) {
    var summary = ExportedActivitySummary()
    if let day = attribute("dateComponents") {
      guard let day = day.day else { throw Refusal(.badDate, "dateComponents") }
      summary.day = day
    }
    summary.activeEnergy = try ring("activeEnergyBurned", "activeEnergyBurnedGoal")
    summary.activeEnergyUnit = try intern(attribute("activeEnergyBurnedUnit"))
    summary.moveTime = try ring("appleMoveTime", "appleMoveTimeGoal")
    if summary.moveTime.amount == nil {
      summary.moveTime = try ring("appleMoveMinutes", "appleMoveMinutesGoal")
    }
    summary.exerciseTime = try ring("appleExerciseTime", "appleExerciseTimeGoal")
    summary.standHours = try ring("appleStandHours", "appleStandHoursGoal")
    summary.offset = tag.offset
    self.summary = summary
  }

  private func ring(
    _ amount: StaticString, _ goal: StaticString
  ) throws(Refusal) -> ExportedActivitySummary.Ring {
    ExportedActivitySummary.Ring(amount: try number(amount), goal: try number(goal))
  }

  mutating func readExportDate(_ tag: Tag) {
    header.exported = attribute("value")?.instant
    if header.exported == nil { note(Refusal(.badDate, "value"), tag) }
  }

  mutating func readCharacteristics(_ tag: Tag) {
    for place in 0..<scanner.lexer.attributes.count {
      let place = scanner.lexer.attributes[place]
      let name = tag.bytes[place.key].text
      if header.characteristics[name] == nil {
        header.characteristics[name] = text(tag.bytes[place.value])
      }
    }
  }
}

// MARK: - Attributes

extension ExportParser {
  /// The first attribute with a name in the current tag.
  func attribute(_ name: StaticString) -> ByteView? {
    let bytes = scanner.tag.bytes
    for index in 0..<scanner.lexer.attributes.count {
      let place = scanner.lexer.attributes[index]
      if bytes[place.key].equals(name) { return bytes[place.value] }
    }
    return nil
  }

  func number(_ name: StaticString) throws(Refusal) -> Double? {
    guard let value = attribute(name) else { return nil }
    guard let number = value.number else { throw Refusal(.badNumber, name) }
    return number
  }

  func date(_ name: StaticString) throws(Refusal) -> ExportedInstant? {
    guard let value = attribute(name) else { return nil }
    guard let date = value.instant else { throw Refusal(.badDate, name) }
    return date
  }

  func requiredDate(_ name: StaticString) throws(Refusal) -> ExportedInstant {
    guard let date = try date(name) else { throw Refusal(.missingAttribute, name) }
    return date
  }

  mutating func quantity(
    _ name: StaticString, unit: StaticString
  ) throws(Refusal) -> ExportedWorkout.Quantity? {
    guard let value = try number(name) else { return nil }
    return ExportedWorkout.Quantity(value: value, unit: try intern(attribute(unit)))
  }
}
