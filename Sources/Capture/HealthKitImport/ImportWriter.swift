// SPDX-License-Identifier: Apache-2.0

import AppleHealthExport
import Foundation
import HealthKit
import SantorioSQLite

/// Puts the elements of an export into the store, in the transaction that is open.
struct ImportWriter: HealthExportHandler {
  let database: HealthDatabase
  private(set) var report = ImportReport()
  /// Why writing has failed; nothing is written after it.
  private(set) var failure: (any Error)?

  /// Whether the store had a later export of the same person: days and characteristics are those of it.
  private(set) var isOlder = false

  private static let lastExport = "last export"
  private var names = ImportNames()
  private(set) var copies: ImportCopies
  let isFirstLoad: Bool
  let firstRow: Int64

  /// Writes into a store.
  ///
  /// In a first load the store had no samples before: then what the file repeats is found in the order
  /// of the file, and not looked up in the store.
  init(
    _ database: HealthDatabase, isFirstLoad: Bool, firstRow: Int64,
    copies: ImportCopies.State = [:],
    report: ImportReport = ImportReport(), isOlder: Bool = false
  ) {
    self.isOlder = isOlder
    self.database = database
    self.isFirstLoad = isFirstLoad
    self.firstRow = firstRow
    self.copies = ImportCopies(isFirstLoad: isFirstLoad, firstRow: firstRow, copies)
    self.report = report
  }

  private mutating func attempt(_ body: (inout ImportWriter) throws -> Void) {
    guard failure == nil else { return }
    do {
      try body(&self)
    } catch {
      failure = error
    }
  }

  // MARK: - Elements

  mutating func received(_ header: ExportedHeader) {
    attempt { writer in
      let birth = HKCharacteristicTypeIdentifier.dateOfBirth.rawValue
      if let known = try writer.database.characteristic(.dateOfBirth),
        let found = header.characteristics[birth], !found.isEmpty, !known.isEmpty, found != known
      {
        throw ImportError.anotherPerson
      }
      let last = try writer.database.state(Self.lastExport).flatMap(Int.init)
      if let exported = header.exported?.seconds, let last, exported < last {
        return writer.isOlder = true
      }
      try writer.database.setState(Self.lastExport, header.exported.map { "\($0.seconds)" })
      try writer.database.save(characteristics: header.characteristics)
    }
  }

  mutating func received(_ record: ExportedRecord, strings: InternedStrings) {
    attempt { writer in
      guard let (row, origin) = try writer.row(record, strings) else { return }
      _ = try writer.insert(row, origin)
    }
  }

  mutating func received(_ correlation: ExportedCorrelation, strings: InternedStrings) {
    attempt { writer in
      guard writer.hasPossibleTime(correlation.sample) else { return }
      let type = try writer.names.type(correlation.sample.type, nil, strings, writer.database)
      let origin = try writer.names.origin(correlation.sample, strings, writer.database)
      var row = try writer.row(correlation.sample, type, origin, strings)
      // What belongs to it tells two correlations of the same time from each other.
      let parts = try correlation.records.compactMap { try writer.row($0, strings)?.0 }
      row.value = parts.map(\.value).sorted().reduce(0, +)
      guard let whole = try writer.insert(row, origin) else { return }
      writer.report.correlations += 1
      for part in parts { try writer.database.expect(part, in: whole) }
    }
  }

  mutating func received(_ workout: ExportedWorkout, strings: InternedStrings) {
    attempt { writer in
      guard let (row, origin) = try writer.row(workout, strings) else { return }
      if try writer.insert(row, origin) != nil { writer.report.workouts += 1 }
    }
  }

  mutating func received(_ summary: ExportedActivitySummary, strings: InternedStrings) {
    attempt { writer in
      guard let summary = HKActivitySummary(summary, strings) else {
        return writer.refuse("an activity summary without a day")
      }
      guard !writer.isOlder else { return }
      try writer.database.save(summary)
      writer.report.activitySummaries += 1
    }
  }

  private mutating func refuse(_ reason: String) {
    // Names of later versions are few; texts of a hostile file are not.
    let reason = report.refused.count < 100 || report.refused[reason] != nil ? reason : "other"
    report.refused[reason, default: 0] += 1
  }

  // MARK: - Rows

  /// Times of the years 1900 to 2200, in seconds since 2001: others are errors, of which no record
  /// could be made.
  private static let possibleTimes = -3_187_296_000...6_311_433_600

  private mutating func hasPossibleTime(_ sample: ExportedSample) -> Bool {
    let isPossible =
      Self.possibleTimes.contains(sample.start.seconds)
      && Self.possibleTimes.contains(sample.end.seconds)
    if !isPossible { refuse("a time outside of the years 1900 to 2200") }
    return isPossible
  }

  private mutating func insert(_ row: SampleRow, _ origin: ImportNames.Origin) throws -> Int64? {
    var row = row
    switch try copies.find(row, origin.key, database) {
    case .known:
      report.known += 1
      return nil
    case .new(let copy):
      row.copy = copy == 0 ? nil : copy
      if copy > 0 { report.copies += 1 }
    }
    report.added += 1
    return try database.add(row)
  }

  private mutating func row(
    _ sample: ExportedSample, _ type: ImportNames.TypeName, _ origin: ImportNames.Origin,
    _ strings: InternedStrings
  ) throws -> SampleRow {
    SampleRow(
      type: type.number, start: Double(sample.start.seconds),
      end: Double(max(sample.start.seconds, sample.end.seconds)), value: 0,
      revision: origin.revision, device: origin.device,
      metadata: try names.metadata(sample.metadata, strings, database))
  }

  private mutating func row(
    _ record: ExportedRecord, _ strings: InternedStrings
  ) throws -> (SampleRow, ImportNames.Origin)? {
    guard hasPossibleTime(record.sample) else { return nil }
    let type = try names.type(record.sample.type, record.unit, strings, database)
    let origin = try names.origin(record.sample, strings, database)
    var row = try row(record.sample, type, origin, strings)
    if let quantity = type.type as? HKQuantityType {
      guard case .number(let value) = record.value, let name = record.unit else {
        refuse("a value without a number or a unit: \(quantity.identifier)")
        return nil
      }
      guard let unit = try names.unit(name, of: type, strings, database) else {
        refuse("a unit that is none, or of something else: \(quantity.identifier)")
        return nil
      }
      row.value = value
      row.unit = unit
      if !record.beats.isEmpty {
        row.beats = SampleDetail.beats(
          record.beats.map { (time: $0.timeOfDay, rate: $0.beatsPerMinute) })
      }
      return (row, origin)
    }
    switch record.value {
    case .none: row.value = Double(HKCategoryValue.notApplicable.rawValue)
    case .number(let value): row.value = value
    case .name(let name):
      guard let value = names.value(name, of: type, strings) else {
        refuse("an unknown value: \(strings[name].prefix(100))")
        return nil
      }
      row.value = value
    }
    return (row, origin)
  }

  private mutating func row(
    _ workout: ExportedWorkout, _ strings: InternedStrings
  ) throws -> (SampleRow, ImportNames.Origin)? {
    guard hasPossibleTime(workout.sample) else { return nil }
    let origin = try names.origin(workout.sample, strings, database)
    let type = HKObjectType.workoutType()
    let number = ImportNames.TypeName(number: try database.number(of: type), type: type)
    var row = try row(workout.sample, number, origin, strings)
    let content = HKWorkout.Content(workout, strings)
    row.value = Double(content.activity.rawValue)
    row.detail = SampleDetail.workout(content)
    return (row, origin)
  }

  /// Counts what the reader has only counted.
  mutating func note(_ counts: ExportCounts, _ problems: ExportProblems, isComplete: Bool) {
    report.problems = problems
    report.isComplete = isComplete
    let others = [
      "clinical records": counts.clinicalRecords, "audiograms": counts.audiograms,
      "vision prescriptions": counts.visionPrescriptions, "workout routes": counts.routes,
      "positions of workout routes": counts.locations,
    ]
    report.notImported.merge(others.filter { $0.value > 0 }) { $1 }
    for (name, count) in counts.unknown { report.notImported["elements \(name)"] = count }
  }

  /// Counts files of the export that are not imported.
  mutating func note(_ files: [String: Int]) {
    report.notImported.merge(files.filter { $0.value > 0 }) { $1 }
  }
}
