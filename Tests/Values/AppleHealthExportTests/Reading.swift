// SPDX-License-Identifier: Apache-2.0

import AppleHealthExport

/// Keeps everything that a reader delivers.
struct Collector: HealthExportHandler, Equatable {
  var headers: [ExportedHeader] = []
  var records: [ExportedRecord] = []
  var correlations: [ExportedCorrelation] = []
  var workouts: [ExportedWorkout] = []
  var summaries: [ExportedActivitySummary] = []
  /// The texts of the records' types, so that readers with other numbers can be compared.
  var types: [String] = []

  mutating func received(_ header: ExportedHeader) { headers.append(header) }
  mutating func received(_ record: ExportedRecord, strings: InternedStrings) {
    records.append(record)
    types.append(strings[record.sample.type])
  }
  mutating func received(_ correlation: ExportedCorrelation, strings: InternedStrings) {
    correlations.append(correlation)
  }
  mutating func received(_ workout: ExportedWorkout, strings: InternedStrings) {
    workouts.append(workout)
  }
  mutating func received(_ summary: ExportedActivitySummary, strings: InternedStrings) {
    summaries.append(summary)
  }
}

/// What is known when a document was read.
struct Reading: Equatable {
  var found: Collector
  var strings: [String]
  var header: ExportedHeader
  var counts: ExportCounts
  var problems: ExportProblems
  var position: ExportPosition
  var isComplete: Bool

  subscript(string: InternedString?) -> String? { string.map { strings[Int($0.index)] } }

  /// Reads bytes in blocks of a size, or of all sizes that a function returns.
  init(
    _ bytes: [UInt8], at position: ExportPosition = .start,
    after findings: ExportFindings = ExportFindings(), blocks size: () -> Int
  ) throws(HealthExportError) {
    var reader = HealthExportReader(handler: Collector(), at: position, after: findings)
    var rest = bytes[...]
    while !rest.isEmpty {
      // A copy of its own, so that a use after the call is found by a sanitizer.
      let block = Array(rest.prefix(max(1, size())))
      try reader.feed(block)
      rest = rest.dropFirst(block.count)
    }
    try reader.finish()
    self.init(reader)
  }

  init(_ text: String, blocks size: Int = .max) throws(HealthExportError) {
    try self.init(Array(text.utf8), blocks: { size })
  }

  private init(_ reader: borrowing HealthExportReader<Collector>) {
    found = reader.handler
    strings = (0..<reader.strings.count).map {
      reader.strings[InternedString(index: Int32($0))]
    }
    header = reader.header
    counts = reader.counts
    problems = reader.problems
    position = reader.position
    isComplete = reader.isComplete
  }
}

extension HealthExportReader {
  mutating func feed(_ bytes: [UInt8]) throws(HealthExportError) {
    var failure: HealthExportError?
    unsafe bytes.withUnsafeBytes { bytes in
      do throws(HealthExportError) { try unsafe feed(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}
