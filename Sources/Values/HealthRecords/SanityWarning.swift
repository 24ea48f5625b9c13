// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What looks wrong in a record that is valid.
///
/// The description names the place and the doubt, never the value found there.
public struct SanityWarning: Hashable, Sendable, CustomStringConvertible {
  /// What is doubted.
  public let code: Code
  /// The place in the Inform form of the record, for instance `metrics[0].value`.
  public let path: String
  /// What is doubted, in words.
  public let message: String

  /// The place and the doubt.
  public var description: String { "\(path): \(message)" }

  /// What can be doubted; an open set.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Makes a code from its name.
    ///
    /// - Parameter rawValue: The name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No living person has such a value, by the table of metrics.
    public static let implausible = Code(rawValue: "implausible")
    /// Two values cannot both be right, for instance a systolic pressure below the diastolic one.
    public static let contradiction = Code(rawValue: "contradiction")
    /// A time has not come yet.
    public static let future = Code(rawValue: "future")
  }
}

extension HealthRecord {
  /// What looks wrong in a valid record, although it may be true and every form takes it.
  ///
  /// Values are held against the table of metrics, in all units that it can convert. Pressures are
  /// compared pair by pair, and the lowest, average and highest of a day with one another. A time
  /// is doubted where it is more than five minutes after `now`, the end of a span, which may be that
  /// of a day, where it is more than a day after it.
  ///
  /// - Parameter now: The present time.
  /// - Returns: A warning for each doubt: of times, of single values, of values beside each other.
  public func sanityWarnings(now: Date) -> [SanityWarning] {
    futureTimes(now) + implausibleValues + contradictions
  }

  // MARK: - Times

  private func futureTimes(_ now: Date) -> [SanityWarning] {
    var times: [(path: String, time: Date)] = [
      ("start_time", time.start), ("time.received", time.received),
    ]
    if let lastUpdated { times.append(("updated_at", lastUpdated)) }
    for (index, series) in series.enumerated() {
      let path = "metrics[\(metrics.count + index)]"
      times += series.dataPoints.enumerated().map { ("\(path).data_points[\($0)].time", $1.time) }
      times += series.readingLog.enumerated().map { ("\(path).reading_log[\($0)].time", $1.time) }
    }
    let isFuture = { (time: Date, seconds: Double) in time.timeIntervalSince(now) > seconds }
    var paths = times.filter { isFuture($0.time, 300) }.map(\.path)
    if paths.first != "start_time", isFuture(time.end, 86_400) { paths.insert("end_time", at: 0) }
    // A record that does not say when it was received has the start in its place.
    if time.knownReceipt == nil { paths.removeAll { $0 == "time.received" } }
    return paths.map {
      SanityWarning(code: .future, path: $0, message: "the time has not come yet")
    }
  }

  // MARK: - Single values

  private var implausibleValues: [SanityWarning] {
    var places = metrics.enumerated().map { ("metrics[\($0)].value", $1) }
    for (index, series) in series.enumerated() {
      places += series.places(at: "metrics[\(metrics.count + index)]")
    }
    for (index, segment) in segments.enumerated() {
      places += segment.places(at: "segments[\(index)]")
    }
    return places.filter { !$0.1.isPlausible }.map { path, metric in
      SanityWarning(
        code: .implausible, path: path,
        message: "no living person has such a value of \(metric.type.rawValue)")
    }
  }

  // MARK: - Values beside each other

  private var contradictions: [SanityWarning] {
    Self.ascending.flatMap { low, high in
      zip(places(of: low), places(of: high)).filter { isContradiction($0.1, $1.1) }
        .map { _, above in
          SanityWarning(
            code: .contradiction, path: above.0,
            message: "\(high.rawValue) is not above \(low.rawValue)")
        }
    }
  }

  /// Whether a value is below one that it cannot be below; two pressures cannot be equal either.
  private func isContradiction(_ low: Metric, _ high: Metric) -> Bool {
    guard low.unit == high.unit, let lesser = low.value, let greater = high.value else {
      return false
    }
    return lesser > greater || lesser == greater && (low.type, high.type) == (.diastolic, .systolic)
  }

  private func places(of type: MetricType) -> [(String, Metric)] {
    metrics.enumerated().filter { $1.type == type }.map { ("metrics[\($0)].value", $1) }
  }

  /// Pairs of which the second must not be below the first.
  private static let ascending: [(MetricType, MetricType)] = [
    (.diastolic, .systolic), (.diastolic, .meanArterialPressure),
    (.meanArterialPressure, .systolic), (.minimumHeartRate, .averageHeartRate),
    (.averageHeartRate, .maximumHeartRate), (.minimumHeartRate, .maximumHeartRate),
    (.minimumOxygenSaturation, .averageOxygenSaturation),
    (.averageOxygenSaturation, .maximumOxygenSaturation),
    (.minimumOxygenSaturation, .maximumOxygenSaturation),
  ]
}

extension MetricSeries {
  fileprivate func places(at path: String) -> [(String, Metric)] {
    dataPoints.enumerated().map { index, point in
      ("\(path).data_points[\(index)].value", Metric(type, point.value, unit: unit))
    }
      + readingLog.enumerated().map { index, reading in
        ("\(path).reading_log[\(index)].value", metric(of: reading))
      }
  }
}

extension NutritionSegment {
  fileprivate func places(at path: String) -> [(String, Metric)] {
    metrics.enumerated().map { ("\(path).metrics[\($0)].value", $1) }
      + food.enumerated().flatMap { index, food in
        food.metrics.enumerated().map { ("\(path).food[\(index)].metrics[\($0)].value", $1) }
      }
  }
}
