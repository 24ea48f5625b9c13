// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SantorioJSON

/// Records as a table for spreadsheets and statistics: comma-separated values (RFC 4180) in UTF-8.
///
/// One row is one value: a metric, a data point of a series, a glucose reading, or a metric of a
/// part of a meal. Lines end in CR LF. Times are in UTC, offsets in seconds. A data point ends
/// where it says so, else at its time. The column `qualifier` holds `<` or `>` where the value is a
/// bound of the device's, and the reason where there is no value.
///
/// These have no column: the origin of the UTC offset, the device's own time and its drift, the
/// time of receipt; a device's serial number, firmware, battery, peripheral and user slot; the
/// intensity and the granularity; the brand and the serving of food; the time that a glucose
/// monitor displayed and whether its reading was scheduled; extras; media; the mark of validation;
/// the server's identifier; when the record was last changed.
///
/// A spreadsheet takes a text that begins with `=`, `+`, `-` or `@` for a formula, and a device's
/// name or a user's remark may begin so. Such texts get a leading apostrophe unless
/// ``guardsFormulas`` is false; columns of numbers never do. Switch it off for a program that reads
/// the table back.
public struct RecordCSV: Sendable {
  /// The names of the columns.
  public static let columns = [
    "log_id", "type", "category", "name", "part", "start_time", "end_time", "utc_offset",
    "time_origin", "metric", "value", "qualifier", "unit", "origin", "source", "manufacturer",
    "model", "device_id", "tags", "notes",
  ]

  /// Whether texts that a spreadsheet would compute get a leading apostrophe.
  public var guardsFormulas: Bool

  /// Makes a form of table.
  ///
  /// - Parameter guardsFormulas: Whether texts that a spreadsheet would compute are guarded.
  public init(guardsFormulas: Bool = true) {
    self.guardsFormulas = guardsFormulas
  }

  /// The first line of a table.
  public var header: String { Self.columns.joined(separator: ",") + "\r\n" }

  /// The lines of a record.
  ///
  /// - Parameter record: The record.
  /// - Returns: A line for each value.
  /// - Throws: ``RecordError`` when the record is not valid.
  public func rows(of record: HealthRecord) throws(RecordError) -> String {
    try record.validate()
    guard record.kind != .rejected else { throw RecordError.rejected }
    var text = ""
    for value in record.csvValues { text += line(value, of: record) }
    return text
  }

  /// A whole table: the header and the lines of all records.
  ///
  /// - Parameter records: The records.
  /// - Returns: The table in UTF-8, without a byte order mark.
  /// - Throws: ``RecordError`` for the first record that is not valid.
  public func table(of records: some Sequence<HealthRecord>) throws(RecordError) -> [UInt8] {
    var bytes = Array(header.utf8)
    for record in records { bytes += try rows(of: record).utf8 }
    return bytes
  }

  private func line(_ value: CSVValue, of record: HealthRecord) -> String {
    let device = value.deviceID.flatMap { record.source.devices[$0] } ?? record.source.device
    let cells = [
      quoted(record.logID), quoted(record.kind.rawValue), quoted(record.category),
      quoted(record.name), quoted(value.part),
      (value.time ?? record.time.start).informText,
      (value.end ?? value.time ?? record.time.end).informText,
      record.time.utcOffsetSeconds.map(String.init) ?? "", record.time.origin.rawValue,
      quoted(value.metric.type.rawValue), value.metric.value.map(JSONWriter.text) ?? "",
      value.metric.qualifier,
      quoted(value.metric.unit), value.metric.origin.rawValue, quoted(record.source.type.rawValue),
      quoted(device?.manufacturer), quoted(device?.model), quoted(value.deviceID ?? device?.id),
      quoted(record.tags.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")),
      quoted(record.userNotes.map { "\($0.type)=\($0.value)" }.joined(separator: "; ")),
    ]
    return cells.joined(separator: ",") + "\r\n"
  }

  /// A cell of text.
  private func quoted(_ text: String?) -> String {
    guard var text, let first = text.utf8.first else { return "" }
    if guardsFormulas, "=+-@\t\r\n".utf8.contains(first) { text = "'" + text }
    guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
    // By scalars: a quotation mark before a combining accent is no character of its own.
    let doubled = text.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
    return "\"" + String(String.UnicodeScalarView(doubled)) + "\""
  }
}

/// What makes a row: a value, and what it has apart from its record.
private struct CSVValue {
  var metric: Metric
  var part: String?
  var time: Date?
  var end: Date?
  var deviceID: String?
}

extension HealthRecord {
  fileprivate var csvValues: [CSVValue] {
    metrics.map { CSVValue(metric: $0) } + series.flatMap(\.csvValues)
      + segments.flatMap(\.csvValues)
  }
}

extension MetricSeries {
  fileprivate var csvValues: [CSVValue] {
    dataPoints.map { point in
      CSVValue(
        metric: Metric(type, point.value, unit: unit, origin: origin), time: point.time,
        end: point.end)
    }
      + readingLog.map {
        CSVValue(metric: metric(of: $0), time: $0.time, deviceID: $0.deviceID)
      }
  }
}

extension Metric {
  /// What the value does not say: `<` or `>`, or why there is none.
  fileprivate var qualifier: String {
    switch bound {
    case .below: "<"
    case .above: ">"
    case nil: absence?.rawValue ?? ""
    }
  }
}

extension NutritionSegment {
  fileprivate var csvValues: [CSVValue] {
    metrics.map { CSVValue(metric: $0, part: name) }
      + food.flatMap { food in
        food.metrics.map { CSVValue(metric: $0, part: "\(name) / \(food.name)") }
      }
  }
}
