// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import CivilCalendar

/// The values of one metric over time, as records of the kinds `intraday` and `cgm` hold them.
///
/// A series stands beside ``HealthRecord/metrics``, so that a ``Metric`` always has its value. On
/// the wire both stand in `metrics`: single values first, series after them.
public struct MetricSeries: Hashable, Sendable {
  /// What was measured.
  public var type: MetricType
  /// The unit of all values, as the Inform API writes it.
  public var unit: String
  /// Who made the values.
  public var origin: Metric.Origin
  /// The values of an intraday record.
  public var dataPoints: [DataPoint]
  /// The readings of a continuous glucose monitor.
  public var readingLog: [GlucoseReading]

  /// Makes a series of data points.
  ///
  /// - Parameters:
  ///   - type: What was measured.
  ///   - dataPoints: The values, at least one.
  ///   - unit: The unit; the table's when nil, and `1` for a type the table does not know.
  ///   - origin: Who made the values.
  public init(
    _ type: MetricType, _ dataPoints: [DataPoint], unit: String? = nil,
    origin: Metric.Origin = .device
  ) {
    self.type = type
    self.unit = unit ?? type.definition?.unit ?? "1"
    self.origin = origin
    self.dataPoints = dataPoints
    readingLog = []
  }

  /// Makes a series of glucose readings.
  ///
  /// - Parameters:
  ///   - readingLog: The readings, at least one.
  ///   - unit: The unit of the readings; mg/dL when nil.
  ///   - origin: Who made the readings.
  public init(
    _ readingLog: [GlucoseReading], unit: String? = nil, origin: Metric.Origin = .device
  ) {
    self.init(.bloodGlucose, [], unit: unit, origin: origin)
    self.readingLog = readingLog
  }

  /// All values with their times: the data points, then the glucose readings that have one.
  public var points: [DataPoint] {
    dataPoints
      + readingLog.compactMap { reading in
        reading.value.map { DataPoint(time: reading.time, value: $0) }
      }
  }
}

extension MetricSeries {
  /// A reading of a glucose monitor as a metric of its own.
  package func metric(of reading: GlucoseReading) -> Metric {
    var metric = Metric(type, 0, unit: unit, origin: origin)
    (metric.value, metric.absence, metric.bound) = (reading.value, reading.absence, reading.bound)
    return metric
  }
}

/// A value at a time.
public struct DataPoint: Hashable, Sendable {
  /// When it was measured, or when the interval of ``Granularity`` begins.
  public var time: Date
  /// When the value's span ends; nil where the granularity gives it, and for a moment.
  public var end: Date?
  /// The value in the unit of its series.
  public var value: Double

  /// Makes a data point.
  ///
  /// - Parameters:
  ///   - time: When it was measured.
  ///   - end: When the value's span ends.
  ///   - value: The value.
  public init(time: Date, end: Date? = nil, value: Double) {
    self.time = time
    self.end = end
    self.value = value
  }
}

/// One reading of a continuous glucose monitor.
public struct GlucoseReading: Hashable, Sendable {
  /// When it was measured.
  public var time: Date
  /// The value in the unit of its series; nil when there is none, see ``absence``.
  public var value: Double?
  /// Why there is no value; nil when there is one.
  public var absence: Metric.Absence?
  /// Whether the sensor could not measure beyond the value.
  public var bound: Metric.Bound?
  /// What the receiver's display showed as the time.
  public var displayTime: LocalDateTime?
  /// The offset from UTC of ``displayTime``, in whole minutes; nil when the time has no zone.
  public var displayUTCOffsetMinutes: Int?
  /// Whether the sensor made it by its schedule, and not because the user asked.
  public var isScheduled: Bool?
  /// The sensor: a key of ``RecordSource/devices``.
  public var deviceID: String?

  /// Makes a reading.
  ///
  /// - Parameters:
  ///   - time: When it was measured.
  ///   - value: The value; nil when there is none, and ``absence`` is to be set.
  ///   - displayTime: What the receiver's display showed as the time.
  ///   - displayUTCOffsetMinutes: The offset from UTC of that time, in minutes.
  ///   - isScheduled: Whether the sensor made it by its schedule.
  ///   - deviceID: The sensor.
  public init(
    time: Date, value: Double?, displayTime: LocalDateTime? = nil,
    displayUTCOffsetMinutes: Int? = nil, isScheduled: Bool? = nil, deviceID: String? = nil
  ) {
    self.time = time
    self.value = value
    self.displayTime = displayTime
    self.displayUTCOffsetMinutes = displayUTCOffsetMinutes
    self.isScheduled = isScheduled
    self.deviceID = deviceID
  }
}

/// The distance in time between the data points of an intraday record.
public struct Granularity: Hashable, Sendable {
  /// How many units lie between two points, above 0.
  public var interval: Int
  /// The unit of time as the Inform API writes it, for instance `min`.
  public var unit: String

  /// Makes a granularity.
  ///
  /// - Parameters:
  ///   - interval: How many units lie between two points.
  ///   - unit: The unit of time.
  public init(interval: Int, unit: String) {
    self.interval = interval
    self.unit = unit
  }

  /// A granularity of minutes.
  ///
  /// - Parameter interval: How many minutes lie between two points.
  /// - Returns: The granularity.
  public static func minutes(_ interval: Int) -> Granularity {
    Granularity(interval: interval, unit: "min")
  }
}

extension Granularity {
  /// The length of the unit in seconds; nil for one that is not known.
  var unitSeconds: Int? {
    switch unit.lowercased() {
    case "s", "sec", "second", "seconds": 1
    case "m", "min", "minute", "minutes": 60
    case "h", "hr", "hour", "hours": 3600
    default: nil
    }
  }

  /// The end of a span that begins at a time; nil for a unit that is not known.
  func end(of time: Date) -> Date? {
    unitSeconds.map { time.addingTimeInterval(Double(interval) * Double($0)) }
  }
}
