// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthRecords

/// A reading as a person checks it.
public struct ReviewItem: Hashable, Sendable, Identifiable, CustomStringConvertible,
  CustomReflectable
{
  /// The reading.
  public let record: HealthRecord
  /// Its values, in the person's units.
  public let values: [ShownMetric]
  /// Where its time comes from.
  public let timeOrigin: Phrase
  /// What makes it doubtful, the worst first.
  public let doubts: [Phrase]
  /// What else is known of it, such as the meal.
  public let notes: [Phrase]
  /// A text without health values, so that it may be logged.
  public var description: String { record.description }
  /// Empty, so that a dump shows neither notes nor doubts.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
  /// The identity of the record.
  public var id: String { record.logID }
  /// When it was measured.
  public var date: Date { record.time.start }
  /// Local time minus UTC where it was measured, in seconds; nil when unknown.
  public var utcOffsetSeconds: Int? { record.time.utcOffsetSeconds }
  /// The device's name; nil when unknown.
  public var device: String? {
    guard let device = record.source.device else { return nil }
    let parts = [device.manufacturer, device.model].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// A reading to be checked.
  ///
  /// - Parameters:
  ///   - record: The reading.
  ///   - units: The person's units.
  ///   - now: The present time, beyond which no reading can lie.
  public init(_ record: HealthRecord, in units: UnitPreferences, now: Date) {
    self.record = record
    values = record.metrics.map { ShownMetric($0, in: units) }
    timeOrigin = Self.origin(of: record.time)
    doubts = Self.doubts(about: record, now)
    notes = Self.notes(on: record)
  }

  private static func origin(of time: RecordTime) -> Phrase {
    switch time.origin {
    case .device: Phrase(.timeOfDevice)
    case .deviceCorrected: Phrase(.timeCorrected)
    case .received: Phrase(.timeOfPhone)
    case .user: Phrase(.timeEntered)
    case .unknown: Phrase(.timeUnknown)
    }
  }

  private static func doubts(about record: HealthRecord, _ now: Date) -> [Phrase] {
    var doubts: [Phrase] = []
    func add(_ doubt: Phrase) {
      if !doubts.contains(doubt) { doubts.append(doubt) }
    }
    if record.isOfUnknownUser { add(Phrase(.doubtUser)) }
    for metric in record.metrics {
      if !metric.isPlausible || record.implausibleMetrics.contains(metric.type) {
        add(Phrase(.doubtImplausible, .phrase(Phrase(metric.type))))
      } else if record.doubts(about: metric.type) {
        add(Phrase(.doubtSignal, .phrase(Phrase(metric.type))))
      }
    }
    let warnings = record.sanityWarnings(now: now)
    for warning in warnings where warning.code == .contradiction {
      guard let metric = metric(at: warning.path, in: record) else { continue }
      add(Phrase(.doubtContradiction, .phrase(Phrase(metric.type))))
    }
    if record.isEarlyEstimate { add(Phrase(.doubtEarly)) }
    if record.time.isDeviceTimeDisbelieved { add(Phrase(.doubtClock)) }
    if warnings.contains(where: { $0.code == .future }) { add(Phrase(.doubtFuture)) }
    return doubts
  }

  /// The metric of a path such as `metrics[1].value`.
  private static func metric(at path: String, in record: HealthRecord) -> Metric? {
    let digits = path.drop { !$0.isWholeNumber }.prefix { $0.isWholeNumber }
    guard path.hasPrefix("metrics["), let index = Int(digits),
      record.metrics.indices.contains(index)
    else { return nil }
    return record.metrics[index]
  }

  private static func notes(on record: HealthRecord) -> [Phrase] {
    var notes: [Phrase] = []
    switch record.mealRelationship {
    case .before: notes.append(Phrase(.beforeMeal))
    case .after: notes.append(Phrase(.afterMeal))
    case .fasting: notes.append(Phrase(.fasting))
    case .random: notes.append(Phrase(.atAnyTime))
    case nil: break
    }
    for series in record.series {
      notes.append(
        Phrase(
          .nameAndValue, .phrase(Phrase(series.type)),
          .phrase(Phrase(.seriesOfValues, .count(series.points.count)))))
    }
    if let comment = record.comment { notes.append(Phrase(english: comment)) }
    return notes
  }
}
