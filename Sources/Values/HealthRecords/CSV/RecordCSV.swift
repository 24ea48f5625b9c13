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
/// where it says so, else at its time. The column `offset` holds the seconds from the start of the
/// record to the point or reading. The column `qualifier` holds `<` or `>` where the value is a
/// bound of the device's, and the reason where there is no value. The columns `shown_value` and
/// `shown_unit` hold what the device showed where that is another unit or has other digits.
///
/// Where a device's time cannot be true, there is no start and no end, and the offset alone says how
/// far points are apart. The column `status` holds
/// `corrected` or `entered_in_error` where a record is one of them.
///
/// These have no column: the origin of the UTC offset; a device's serial number, System ID, firmware, battery, peripheral and user slot; the
/// intensity and the granularity; the brand and the serving of food; the time that a glucose
/// monitor displayed and whether its reading was scheduled; extras; media; the mark of validation;
/// the server's identifier; when the record was last changed.
///
/// A spreadsheet takes a text that begins with `=`, `+`, `-` or `@` for a formula, and a device's
/// name or a user's remark may begin so; see ``guardsFormulas``. Columns of numbers are never
/// changed.
public struct RecordCSV: Sendable {
  /// The names of the columns.
  public static let columns = [
    "log_id", "type", "category", "name", "part", "start_time", "end_time", "offset",
    "utc_offset", "time_origin", "device_time", "received", "clock_drift", "status", "metric",
    "value",
    "qualifier", "unit", "shown_value", "shown_unit", "origin", "source", "manufacturer", "model",
    "device_id", "tags", "notes",
  ]

  /// Whether texts that a spreadsheet would compute get an apostrophe before the formula.
  ///
  /// A formula begins with `=`, `+`, `-`, `@`, one of their fullwidth forms, a tab or a line break,
  /// also after blanks. A text is guarded where it begins so, and where a part of it does: behind a
  /// semicolon, a tab or a line break, where a spreadsheet that takes another separator splits the
  /// line. Switch it off for a program that reads the table back.
  public var guardsFormulas: Bool
  /// Whether a table begins with a byte order mark.
  ///
  /// Excel takes a table without one for a table in the machine's old code page; programs for
  /// statistics may take the mark for a part of the first column's name.
  public var hasByteOrderMark: Bool

  /// Makes a form of table.
  ///
  /// - Parameters:
  ///   - guardsFormulas: Whether texts that a spreadsheet would compute are guarded.
  ///   - hasByteOrderMark: Whether a table begins with a byte order mark.
  public init(guardsFormulas: Bool = true, hasByteOrderMark: Bool = false) {
    self.guardsFormulas = guardsFormulas
    self.hasByteOrderMark = hasByteOrderMark
  }

  /// The first line of a table, behind the byte order mark where there is one.
  public var header: String {
    (hasByteOrderMark ? "\u{feff}" : "") + Self.columns.joined(separator: ",") + "\r\n"
  }

  /// The lines of a record.
  ///
  /// - Parameter record: The record.
  /// - Returns: A line for each value.
  /// - Throws: ``RecordError`` when the record is not valid.
  public func rows(of record: HealthRecord) throws(RecordError) -> String {
    try record.validate()
    guard record.kind.isReading else { throw RecordError.noReading(record.kind) }
    var text = ""
    for value in record.csvValues { text += line(value, of: record) }
    return text
  }

  /// A whole table: the header and the lines of all records.
  ///
  /// - Parameter records: The records.
  /// - Returns: The table in UTF-8.
  /// - Throws: ``RecordError`` for the first record that is not valid.
  public func table(of records: some Sequence<HealthRecord>) throws(RecordError) -> [UInt8] {
    var bytes = Array(header.utf8)
    for record in records { bytes += try rows(of: record).utf8 }
    return bytes
  }

  private func line(_ value: CSVValue, of record: HealthRecord) -> String {
    let device = value.deviceID.flatMap { record.source.devices[$0] } ?? record.source.device
    let cells =
      [
        quoted(record.logID), quoted(record.kind.rawValue), quoted(record.category),
        quoted(record.name), quoted(value.part),
      ] + Self.times(of: value, record.time) + [
        record.csvStatus,
        quoted(value.metric.type.rawValue), value.metric.value.map(JSONWriter.text) ?? "",
        value.metric.qualifier,
        quoted(value.metric.unit), value.metric.shown?.text ?? "", quoted(value.metric.shown?.unit),
        value.metric.origin.rawValue, quoted(record.source.type.rawValue),
        quoted(device?.manufacturer), quoted(device?.model), quoted(value.deviceID ?? device?.id),
        quoted(record.tags.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")),
        quoted(record.userNotes.map { "\($0.type)=\($0.value)" }.joined(separator: "; ")),
      ]
    return cells.joined(separator: ",") + "\r\n"
  }

  private static func times(of value: CSVValue, _ time: RecordTime) -> [String] {
    let start = (value.time ?? time.start).informText
    let end = (value.end ?? value.time ?? time.end).informText
    return (time.isDeviceTimeDisbelieved ? ["", ""] : [start, end]) + [
      value.time.map { JSONWriter.text($0.secondsSince(time.start)) } ?? "",
      time.utcOffsetSeconds.map(String.init) ?? "", time.origin.rawValue,
      time.deviceTime?.description ?? "", time.knownReceipt?.informText ?? "",
      time.clockDriftSeconds.map(JSONWriter.text) ?? "",
    ]
  }

  /// A cell of text.
  private func quoted(_ text: String?) -> String {
    guard var text, !text.isEmpty else { return "" }
    if guardsFormulas { text = Self.guarded(text) }
    guard text.utf8.contains(where: { ",;\t\"\r\n".utf8.contains($0) }) else { return text }
    // By scalars: a quotation mark before a combining accent is no character of its own.
    let doubled = text.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
    return "\"" + String(String.UnicodeScalarView(doubled)) + "\""
  }

  /// The text with an apostrophe before each part that a spreadsheet would compute.
  private static func guarded(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while !rest.isEmpty {
      if isFormula(rest, atStart: result.isEmpty) { result.append("'") }
      let end = rest.firstIndex(where: separators.contains).map { rest.index(after: $0) }
      result.append(contentsOf: rest[..<(end ?? rest.endIndex)])
      rest = rest[(end ?? rest.endIndex)...]
    }
    return String(result)
  }

  /// Whether a part of a text is a formula, or the text begins with a character that hides one.
  private static func isFormula(_ part: Substring.UnicodeScalarView, atStart: Bool) -> Bool {
    if atStart, part.first.map(breaks.contains) ?? false { return true }
    // Who splits at another separator sees the quotation marks of a later part as those of a cell.
    let first = part.first { !isBlank($0) && (atStart || $0 != "\"") }
    return first.map(formulaStarts.contains) ?? false
  }

  /// Blanks, and what has no width: a program may drop either before it looks for a formula.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    !separators.contains(scalar)
      && (scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint)
  }

  private static let breaks: Set<Unicode.Scalar> = ["\t", "\r", "\n"]
  private static let separators: Set<Unicode.Scalar> = [";", "\t", "\r", "\n"]
  private static let formulaStarts: Set<Unicode.Scalar> = [
    "=", "+", "-", "@", "\u{ff1d}", "\u{ff0b}", "\u{ff0d}", "\u{ff20}",
  ]
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

extension HealthRecord {
  /// Whether it takes the place of an earlier one, and how.
  fileprivate var csvStatus: String {
    if enteredInError != nil { return "entered_in_error" }
    return lastUpdated != nil && !kind.isUpdatedInPlace ? "corrected" : ""
  }
}
