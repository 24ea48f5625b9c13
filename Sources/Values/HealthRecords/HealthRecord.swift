// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One reading of a health device, as it is stored, uploaded and read back.
///
/// The shape follows the records of Validic's Inform API (v2): a type, a time, a source and a list
/// of metrics. ``time`` says in addition where the record's time came from, since a device's clock
/// is not to be trusted.
public struct HealthRecord: Hashable, Sendable {
  /// The client's identifier of the record and the key by which a server stores it once.
  ///
  /// Where the source allows it is deterministic (see ``RecordIdentity``): reading the same
  /// measurement again, from another phone or after a reinstall, makes the same identifier.
  public var logID: String
  /// What kind of record it is.
  public var kind: RecordKind
  /// When it was measured, and how that is known.
  public var time: RecordTime
  /// What measured it.
  public var source: RecordSource
  /// The measured values, in the order of the device.
  public var metrics: [Metric]
  /// Values over time, in records of the kinds `intraday` and `cgm`.
  public var series: [MetricSeries]
  /// Findings about the measurement, for instance an irregular pulse.
  public var tags: [RecordTag]
  /// Remarks of the user.
  public var userNotes: [UserNote]
  /// The category of the summary, workout or food, for instance `daily` or `running`.
  public var category: String?
  /// The name of a workout or of food.
  public var name: String?
  /// How hard a workout was, for instance `moderate`.
  public var intensity: String?
  /// The distance in time between the points of ``series``.
  public var granularity: Granularity?
  /// The parts of a nutrition record; refused in a record of another kind.
  public var segments: [NutritionSegment] = []
  /// What an app adds under names of its own.
  public var extras: [String: ExtraValue] = [:]
  /// The images that belong to the record.
  public var media: [RecordMedia] = []
  /// Whether a device measured the values and nobody can have typed them in.
  public var isValidated: Bool?
  /// The server's identifier, in a record that came from a server.
  public var serverID: String?
  /// When the record was last changed, to a millisecond; set it where a record that was sent before
  /// is corrected, since a FHIR server replaces an Observation by that only.
  public var lastUpdated: Date?
  /// When the record was found to be entered in error, for instance of another person; nil for one
  /// that stands.
  ///
  /// It replaces what was sent before under its ``logID``. Its values remain, and no reader may take
  /// them for the patient's.
  public var enteredInError: Date?

  /// Makes a record; what only some kinds have is set afterwards.
  ///
  /// - Parameters:
  ///   - logID: The record's identifier; see ``logID``.
  ///   - kind: What kind of record it is.
  ///   - time: When it was measured.
  ///   - source: What measured it.
  ///   - metrics: The measured values.
  ///   - series: Values over time.
  ///   - tags: Findings about the measurement.
  ///   - userNotes: Remarks of the user.
  public init(
    logID: String, kind: RecordKind = .measurement, time: RecordTime, source: RecordSource,
    metrics: [Metric], series: [MetricSeries] = [], tags: [RecordTag] = [],
    userNotes: [UserNote] = []
  ) {
    self.logID = logID
    self.kind = kind
    self.time = time
    self.source = source
    self.metrics = metrics
    self.series = series
    self.tags = tags
    self.userNotes = userNotes
  }

  /// The value of the first metric of a type, in that metric's unit.
  ///
  /// - Parameter type: The metric wanted.
  /// - Returns: The value, or nil when the record has no such metric, or that has no value.
  public func value(_ type: MetricType) -> Double? {
    metrics.first { $0.type == type }.flatMap(\.value)
  }
}

extension Metric {
  /// The value for a reader: with `<` or `>` where it is a bound, `HI` or `LO` where the device shows
  /// that, and a dash where there is none.
  package var valueText: String {
    guard let value else {
      return switch absence {
      case .aboveRange: "HI"
      case .belowRange: "LO"
      case .unknown, nil: "-"
      }
    }
    let mark = bound.map { $0 == .below ? "<" : ">" } ?? ""
    return mark + (Int(exactly: value).map(String.init) ?? String(value))
  }
}

extension HealthRecord: CustomStringConvertible, CustomReflectable {
  /// A text without health values, so that it may be logged.
  public var description: String {
    "\(kind.rawValue) record of \(metrics.count + series.count) metrics from \(source.type.rawValue)"
  }

  /// Empty, so that a dump shows no values, times and identifiers either.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The kinds of record: those of the Inform API, and two of what is no reading.
public struct RecordKind: RawRepresentable, Hashable, Sendable {
  /// The name on the wire.
  public let rawValue: String

  /// Makes a kind from its name on the wire.
  ///
  /// - Parameter rawValue: The name, for instance `measurement`.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A single measurement: blood pressure, glucose, weight, ...
  public static let measurement = RecordKind(rawValue: "measurement")
  /// The totals of one day.
  public static let summary = RecordKind(rawValue: "summary")
  /// One bout of exercise.
  public static let workout = RecordKind(rawValue: "workout")
  /// One night.
  public static let sleep = RecordKind(rawValue: "sleep")
  /// One meal or one day of food.
  public static let nutrition = RecordKind(rawValue: "nutrition")
  /// A series of values within one day.
  public static let intraday = RecordKind(rawValue: "intraday")
  /// The readings of a continuous glucose monitor.
  public static let cgm = RecordKind(rawValue: "cgm")
  /// What a device sent as a measurement and that is none; it has no metrics.
  ///
  /// For instance a control solution, a failed measurement, a damaged frame.
  public static let rejected = RecordKind(rawValue: "rejected_reading")
  /// What a gateway tells of a device, for instance that its battery is low; it has no metrics.
  public static let deviceStatus = RecordKind(rawValue: "device_status")

  /// Whether its records hold values; false for ``rejected`` and ``deviceStatus`` only.
  public var isReading: Bool { self != .rejected && self != .deviceStatus }
}

/// A finding about a measurement, by name and value.
public struct RecordTag: Hashable, Sendable {
  /// What was found, for instance `irregular_pulse`.
  public var name: String
  /// Its value, for instance `true`.
  public var value: String

  /// Makes a tag.
  ///
  /// - Parameters:
  ///   - name: What was found.
  ///   - value: Its value.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// A remark of the user.
public struct UserNote: Hashable, Sendable {
  /// The kind of remark, for instance `message` or `relationship_to_meal`.
  public var type: String
  /// The remark.
  public var value: String

  /// Makes a remark.
  ///
  /// - Parameters:
  ///   - type: The kind of remark.
  ///   - value: The remark.
  public init(type: String, value: String) {
    self.type = type
    self.value = value
  }
}
