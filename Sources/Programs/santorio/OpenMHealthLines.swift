// SPDX-License-Identifier: Apache-2.0

import HealthRecords

/// Writes records as data points of Open mHealth, one a line, and reports what is left out.
struct OpenMHealthLines {
  private let encoder: OpenMHealthEncoder
  private var counts = (omissions: 0, records: 0)

  init(_ encoder: OpenMHealthEncoder = OpenMHealthEncoder()) { self.encoder = encoder }

  /// Writes the data points of a record to standard output, and what is left out to standard error.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - place: Where the record came from, for the reports.
  /// - Throws: `RecordError` when the record cannot be converted; then nothing is written.
  mutating func write(_ record: HealthRecord, from place: String) throws(RecordError) {
    let result = try encoder.dataPoints(of: record)
    for point in result.dataPoints { print(String(decoding: point, as: UTF8.self)) }
    for omission in result.omissions {
      printError("santorio: \(place): \(omission)".printable)
    }
    counts.omissions += result.omissions.count
    counts.records += result.omissions.isEmpty ? 0 : 1
  }

  /// How much was left out of all records; nil when nothing was.
  var summary: String? {
    counts.omissions == 0
      ? nil : "parts left out: \(counts.omissions); records that lack some: \(counts.records)"
  }
}
