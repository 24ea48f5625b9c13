// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension HealthRecord {
  /// Checks what every form of a record requires.
  ///
  /// - Throws: ``RecordError`` with the place of the first fault.
  public func validate() throws(RecordError) {
    try validateHead()
    guard !metrics.isEmpty || !series.isEmpty || !kind.isReading else {
      throw RecordError(.missing, at: "metrics", "a record needs at least one metric")
    }
    for (index, metric) in metrics.enumerated() { try metric.validate(at: "metrics[\(index)]") }
    for (index, series) in series.enumerated() {
      try series.validate(at: "metrics[\(metrics.count + index)]")
    }
    try granularity?.validate(at: "granularity")
    try time.validate()
    try lastUpdated?.validate(at: "updated_at")
    try enteredInError?.validate(at: "entered_in_error")
    try validateSegments()
    try validateExtras()
    for (index, image) in media.enumerated() { try image.validate(at: "media[\(index)]") }
  }

  private func validateHead() throws(RecordError) {
    try Self.validate(logID: logID)
    guard !kind.rawValue.isEmpty else {
      throw RecordError(.invalidValue, at: "type", "must not be empty")
    }
  }

  static func validate(logID: String) throws(RecordError) {
    guard (1...128).contains(logID.utf8.count),
      logID.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else {
      throw RecordError(
        .invalidValue, at: "log_id", "must be 1...128 printable ASCII characters without blanks")
    }
  }

  private func validateExtras() throws(RecordError) {
    guard !extras.isEmpty else { return }
    var check = ExtraCheck()
    try check.members(extras)
  }

  private func validateSegments() throws(RecordError) {
    guard segments.isEmpty || kind == .nutrition else {
      throw RecordError(.invalidValue, at: "segments", "only a nutrition record has segments")
    }
    for (index, segment) in segments.enumerated() {
      try segment.validate(at: "segments[\(index)]")
    }
  }
}

// `path` is made only where something is wrong: a record is checked each time it is stored.
extension Metric {
  func validate(at path: @autoclosure () -> String) throws(RecordError) {
    try Self.validate(value, absence, bound, at: path())
    guard !type.rawValue.isEmpty, !unit.isEmpty else {
      throw RecordError(.invalidValue, at: path(), "type and unit must not be empty")
    }
    guard shown == nil || value != nil, agreesWithShown else {
      throw RecordError(.invalidValue, at: path() + ".shown", "must be the value in another form")
    }
  }

  fileprivate static func validate(
    _ value: Double?, _ absence: Absence?, _ bound: Bound?, at path: @autoclosure () -> String
  ) throws(RecordError) {
    guard value?.isFinite ?? true else { throw .notFinite(at: path() + ".value") }
    guard value == nil || absence == nil else {
      throw RecordError(.invalidValue, at: path() + ".absent", "what has a value is not absent")
    }
    guard value != nil || absence != nil else {
      throw RecordError(
        .missing, at: path() + ".value", "a value is required, or why it is absent")
    }
    guard value != nil || bound == nil else {
      throw RecordError(.invalidValue, at: path() + ".bound", "only a value can be a bound")
    }
  }
}

extension MetricSeries {
  func validate(at path: @autoclosure () -> String) throws(RecordError) {
    guard !type.rawValue.isEmpty, !unit.isEmpty else {
      throw RecordError(.invalidValue, at: path(), "type and unit must not be empty")
    }
    guard !dataPoints.isEmpty || !readingLog.isEmpty else {
      throw RecordError(.missing, at: path() + ".data_points", "a series needs at least one point")
    }
    for (index, point) in dataPoints.enumerated() {
      try point.validate(at: "\(path()).data_points[\(index)]")
    }
    for (index, reading) in readingLog.enumerated() {
      try reading.validate(at: "\(path()).reading_log[\(index)]")
    }
  }
}

extension DataPoint {
  fileprivate func validate(at path: @autoclosure () -> String) throws(RecordError) {
    guard value.isFinite else { throw .notFinite(at: path() + ".value") }
    try time.validate(at: path() + ".time")
    guard let end else { return }
    try end.validate(at: path() + ".end_time")
    guard end >= time else {
      throw RecordError(.invalidValue, at: path() + ".end_time", "must not be before time")
    }
  }
}

extension GlucoseReading {
  fileprivate func validate(at path: @autoclosure () -> String) throws(RecordError) {
    try Metric.validate(value, absence, bound, at: path())
    try time.validate(at: path() + ".time")
    let offset = displayUTCOffsetMinutes
    guard displayTime?.isWritable ?? (offset == nil), (-1439...1439).contains(offset ?? 0) else {
      throw RecordError(
        .invalidValue, at: path() + ".display_time",
        "must be a time in four-digit years, with an offset within a day")
    }
  }
}

extension Granularity {
  func validate(at path: String) throws(RecordError) {
    guard interval > 0 else {
      throw RecordError(.invalidValue, at: path + ".interval", "must be above 0")
    }
    guard !unit.isEmpty else {
      throw RecordError(.invalidValue, at: path + ".unit", "must not be empty")
    }
  }
}

extension Date {
  /// Calendars disagree about earlier years, and the ISO 8601 form has no room for later ones.
  private static let writable = -12_212_553_600.0...253_402_300_799

  func validate(at path: @autoclosure () -> String) throws(RecordError) {
    guard Self.writable.contains(timeIntervalSince1970) else {
      throw RecordError(.invalidValue, at: path(), "must lie in the years 1583 to 9999")
    }
  }
}

extension RecordTime {
  fileprivate func validate() throws(RecordError) {
    try start.validate(at: "start_time")
    try end.validate(at: "end_time")
    try received.validate(at: "time.received")
    guard end >= start else {
      throw RecordError(.invalidValue, at: "end_time", "must not be before start_time")
    }
    if let utcOffsetSeconds, !(-86_340...86_340).contains(utcOffsetSeconds) {
      throw RecordError(
        .invalidValue, at: "utc_offset", "must be within 23 hours and 59 minutes, in seconds")
    }
    guard deviceTime?.isWritable ?? true else {
      throw RecordError(
        .invalidValue, at: "time.device_time", "must be a time in four-digit years")
    }
    if let clockDriftSeconds, !clockDriftSeconds.isFinite {
      throw .notFinite(at: "time.clock_drift")
    }
  }
}

extension NutritionSegment {
  fileprivate func validate(at path: String) throws(RecordError) {
    for (index, metric) in metrics.enumerated() {
      try metric.validate(at: "\(path).metrics[\(index)]")
    }
    for (index, food) in food.enumerated() {
      for (number, metric) in food.metrics.enumerated() {
        try metric.validate(at: "\(path).food[\(index)].metrics[\(number)]")
      }
      try food.serving?.validate(at: "\(path).food[\(index)].serving")
    }
  }
}

extension NutritionSegment.Serving {
  func validate(at path: String) throws(RecordError) {
    guard amount.isFinite else { throw .notFinite(at: path + ".amount") }
    guard amount >= 0 else {
      throw RecordError(.invalidValue, at: path + ".amount", "must not be negative")
    }
  }
}

extension RecordMedia {
  func validate(at path: String) throws(RecordError) {
    guard sha256.utf8.count == 64,
      sha256.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
    else {
      throw RecordError(
        .invalidValue, at: path + ".sha256", "must be 64 lower-case hexadecimal digits")
    }
    guard !contentType.isEmpty else {
      throw RecordError(.invalidValue, at: path + ".content_type", "must not be empty")
    }
    guard byteCount >= 0 else {
      throw RecordError(.invalidValue, at: path + ".size", "must not be negative")
    }
  }
}

extension RecordError {
  static func notFinite(at path: String) -> RecordError {
    RecordError(.notFinite, at: path, "must be a finite number")
  }
}
