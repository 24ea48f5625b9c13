// SPDX-License-Identifier: Apache-2.0

/// Writes a whole document, and finds out what is in it.
final class Composer {
  private typealias Fault = SyntheticHealthExport.Fault

  private let options: SyntheticHealthExport.Options
  private let timeline: Timeline
  private let life: Life
  private let document: DocumentWriter
  private let cutPosition: Int?
  private var ledger: Ledger
  private var types: [SyntheticHealthExport.TypeCount] = []
  private var faults: [Fault] = []
  private var isCut = false

  /// Makes a composer that gives the document to `sink` piece by piece, and ends it in the middle of
  /// an element after so many bytes.
  init(
    _ options: SyntheticHealthExport.Options, _ plan: Plan, cutPosition: Int? = nil,
    sink: @escaping ByteSink
  ) {
    self.options = options
    self.cutPosition = cutPosition
    timeline = plan.timeline
    life = Life(options, plan.timeline, density: plan.density)
    document = DocumentWriter(plan.timeline, options.offsets, sink)
    ledger = Ledger(plan.timeline)
  }

  /// Writes the document.
  func compose() throws(SyntheticHealthExportError) -> SyntheticHealthExport.Truth {
    writeHead()
    for (index, group) in life.groups.enumerated() where !isCut { try write(group, index) }
    if !isCut { try writePressures() }
    if !isCut { try writeMeals() }
    if !isCut { try writeWorkouts() }
    if !isCut { try writeSummaries() }
    if !isCut { document.text("</HealthData>\n") }
    try document.flush(atLeast: 1)
    return truth()
  }

  private func writeHead() {
    document.text("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    if options.version == .version12 {
      faults.append(
        Fault(
          kind: .malformedDeclaration, offset: document.position, count: 1,
          expectation: "Skip the declaration, whatever is in it."))
    }
    document.text(TypeDeclaration(version: options.version).text)
    document.text("<HealthData locale=\"\(life.units.american ? "en_US" : "en_GB")\">\n")
    document.text(" <ExportDate value=\"")
    document.date(timeline.export)
    let fifth =
      [.version14, .undeclared].contains(options.version)
      ? " HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse=\"None\"" : ""
    document.text(
      """
      "/>
       <Me HKCharacteristicTypeIdentifierDateOfBirth="1980-02-02" \
      HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale" \
      HKCharacteristicTypeIdentifierBloodType="HKBloodTypeNotSet" \
      HKCharacteristicTypeIdentifierFitzpatrickSkinType="HKFitzpatrickSkinTypeNotSet"\(fifth)/>

      """)
    for element in ["HealthData", "ExportDate", "Me"] { document.count(element) }
  }

  /// Ends the document in the middle of what `write` writes, if it is time; does nothing otherwise.
  private func cut(_ write: () -> Void) -> Bool {
    guard let cutPosition, document.position >= cutPosition else { return false }
    let (start, elements) = (document.position, document.elements)
    ledger.isClosed = true
    write()
    document.elements = elements
    guard document.position > start else {
      ledger.isClosed = false
      return false
    }
    document.cut(since: start)
    faults.append(
      Fault(
        kind: .cut, offset: start, count: 1,
        expectation: "Import all elements before this one, and say where the document ends."))
    isCut = true
    return true
  }

  // MARK: - Records

  private func write(
    _ group: RecordGroup, _ index: Int
  ) throws(SyntheticHealthExportError) {
    let writer = RecordWriter(group.type, document, hasNarrowSpace: options.version != .version8)
    var count = TypeCounter(group.type)
    var records: [RecordDraft] = []
    for day in timeline.days where !isCut {
      records.removeAll(keepingCapacity: true)
      let era = life.era(day)
      let isAtEnd = cut {
        group.make(day, &records, &ledger)
        if let first = records.min(by: { $0.start < $1.start }) { writer.write(first, era: era) }
      }
      guard !isAtEnd else { break }
      records.removeAll(keepingCapacity: true)
      group.make(day, &records, &ledger)
      sort(&records)
      var random = life.random(.copies, day &* 64 &+ index)
      for record in records {
        if options.faults.controlCharacter { noteControlCharacter(record) }
        let copies = copies(&random)
        for _ in 0...copies { writer.write(record, era: era) }
        count.add(record, copies: copies)
      }
      try document.flush()
    }
    document.count("Record", count.result.count)
    if count.result.count > 0 { types.append(count.result) }
  }

  private func sort(_ records: inout [RecordDraft]) {
    let isSorted = zip(records, records.dropFirst()).allSatisfy { $0.start <= $1.start }
    guard !isSorted else { return }
    // By place, too, because this sort need not be stable.
    let order = records.enumerated().sorted {
      ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
    }
    records = order.map(\.element)
  }

  private func copies(_ random: inout SeededRandom) -> Int {
    let rate = Int(options.faults.duplicateRecords * 1_000_000)
    guard rate > 0, random.number(0...999_999) < rate else { return 0 }
    return random.chance(80) ? 1 : random.number(2...7)
  }

  private func noteControlCharacter(_ record: RecordDraft, _ count: Int = 1) {
    guard record.metadata.contains(where: { $0.value.utf8.contains(0x0b) }) else { return }
    faults.append(
      Fault(
        kind: .controlCharacter, offset: document.position, count: count,
        expectation: "Keep the record; drop the character from the attribute, or keep it."))
  }

  // MARK: - Correlations, workouts, summaries

  private func writePressures() throws(SyntheticHealthExportError) {
    let writers = ["Systolic", "Diastolic"].map {
      RecordWriter(
        .quantity("BloodPressure" + $0, "mmHg"), document, depth: 2, hasNarrowSpace: true)
    }
    try eachDay { day in
      for pressure in life.pressures(day) {
        let records = [
          life.draft(pressure, pressure.systolic), life.draft(pressure, pressure.diastolic),
        ]
        writeCorrelation("BloodPressure", day, records, zip(writers, records).map { $0 })
        guard !ledger.isClosed else { continue }
        ledger.pressures.append(
          SyntheticHealthExport.BloodPressure(
            time: pressure.time, systolic: pressure.systolic, diastolic: pressure.diastolic,
            source: pressure.source.plainName, isUserEntered: pressure.source == .health))
      }
    }
  }

  private func writeMeals() throws(SyntheticHealthExportError) {
    let writers = Nutrient.allCases.map {
      RecordWriter($0.type(life.units), document, depth: 2, hasNarrowSpace: true)
    }
    try eachDay { day in
      for meal in life.meals(day) {
        let records = Nutrient.allCases.map { life.draft(meal, $0) }
        if options.faults.controlCharacter, !ledger.isClosed {
          noteControlCharacter(records[0], 1 + records.count)
        }
        writeCorrelation("Food", day, records, zip(writers, records).map { $0 })
      }
    }
  }

  private func writeCorrelation(
    _ name: String, _ day: Int, _ records: [RecordDraft],
    _ children: [(writer: RecordWriter, record: RecordDraft)]
  ) {
    let (era, first) = (life.era(day), records[0])
    document.text(" <Correlation type=\"HKCorrelationTypeIdentifier\(name)\" ")
    document.text(RecordWriter.attributes(first.source, era) + " creationDate=\"")
    document.date(first.creation)
    document.text("\" startDate=\"")
    document.date(first.start)
    document.text("\" endDate=\"")
    document.date(first.end)
    document.text("\">\n")
    for entry in first.metadata {
      document.text("  <MetadataEntry key=\"\(entry.key)\" value=\"\(entry.value)\"/>\n")
      document.count("MetadataEntry")
    }
    for child in children { child.writer.write(child.record, era: era) }
    document.text(" </Correlation>\n")
    document.count("Correlation")
    document.count("Record", children.count)
  }

  private func writeWorkouts() throws(SyntheticHealthExportError) {
    let writer = WorkoutWriter(
      life: life, document: document, hasDuplicateAttribute: options.faults.duplicateAttribute)
    try eachDay { day in
      guard let exertion = life.exertion(day) else { return }
      let isCounted = !ledger.isClosed
      let truth = writer.write(day, exertion) { position in
        guard isCounted else { return }
        faults.append(
          Fault(
            kind: .duplicateAttribute, offset: position, count: 1,
            expectation: "Keep the element; the first of the two is right."))
      }
      if isCounted { ledger.workouts.append(truth) }
    }
  }

  private func writeSummaries() throws(SyntheticHealthExportError) {
    guard let local = ledger.grids.last else { return }
    try eachDay { day in
      let totals = local.days[day - local.grid.first]
      guard totals.energy.naive > 0 else { return }
      document.count("ActivitySummary")
      document.text(
        " <ActivitySummary dateComponents=\"\(SyntheticHealthExport.Day(daysSince1970: day))\"")
      document.text(" activeEnergyBurned=\"")
      document.decimal(totals.energy.merged)
      document.text("\" activeEnergyBurnedGoal=\"450\"")
      document.text(" activeEnergyBurnedUnit=\"\(life.units.energy)\"")
      if options.version != .version8 {
        document.text(" appleMoveTime=\"0\" appleMoveTimeGoal=\"0\"")
      }
      document.text(
        " appleExerciseTime=\"\(totals.exerciseSeconds / 60)\" appleExerciseTimeGoal=\"30\""
          + " appleStandHours=\"\(totals.stood)\" appleStandHoursGoal=\"12\"/>\n")
    }
  }

  private func eachDay(_ write: (Int) -> Void) throws(SyntheticHealthExportError) {
    for day in timeline.days {
      guard !cut({ write(day) }) else { return }
      write(day)
      try document.flush()
    }
  }

  // MARK: - The truth

  private func truth() -> SyntheticHealthExport.Truth {
    let copies = types.reduce(0) { $0 + $1.count - $1.distinct }
    if copies > 0 {
      faults.append(
        Fault(
          kind: .duplicateRecords, offset: 0, count: copies,
          expectation: "Keep one of each group of equal records."))
    }
    return SyntheticHealthExport.Truth(
      options: options, dayCount: timeline.days.count, exportTime: timeline.export,
      documentBytes: document.position, elements: document.elements,
      topLevelRecords: types.reduce(0) { $0 + $1.count }, types: types,
      grids: ledger.truth(life.units, timeline.days), workouts: ledger.workouts,
      bloodPressures: ledger.pressures, faults: faults)
  }
}

/// Counts the records of a type.
private struct TypeCounter {
  var result: SyntheticHealthExport.TypeCount
  private var millionths = 0

  init(_ type: RecordType) {
    result = SyntheticHealthExport.TypeCount(identifier: type.identifier, unit: type.plainUnit)
  }

  mutating func add(_ record: RecordDraft, copies: Int) {
    if result.count == 0 { result.firstStart = record.start }
    result.lastStart = record.start
    result.count += 1 + copies
    result.distinct += 1
    switch record.value {
    case .quantity(let value):
      millionths += value
      result.sum = Double(millionths) / 1_000_000
    case .category(let name): result.categories["\(name)", default: 0] += 1
    case .none: break
    }
  }
}
