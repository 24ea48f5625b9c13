// SPDX-License-Identifier: Apache-2.0

public import HealthGATT
public import HealthRecords

/// What a device sent as one measurement, in common units and in the device's own time.
///
/// A driver makes one for every measurement, also for those that are no reading of the user:
/// nothing is dropped silently. Clocks, plausibility and identifiers are judged later, in
/// one place.
public struct DeviceReading: Hashable, Sendable, CustomReflectable {
  /// Where a time came from.
  public enum Clock: Hashable, Sendable {
    /// The device's local time, without a zone.
    case local(LocalDateTime)
    /// Seconds since 1970-01-01T00:00:00Z by the device's clock.
    case universal(Double)
    /// So many seconds before it was received.
    case age(Double)
  }

  /// Values at equal distances in time, oldest first; nil where there was no signal.
  public struct Series: Hashable, Sendable {
    /// What was measured.
    public let type: MetricType
    /// Seconds between two values.
    public let secondsBetween: Double
    /// The values in the unit of the type, oldest first.
    public let values: [Double?]

    /// Makes a series.
    ///
    /// - Parameters:
    ///   - type: What was measured.
    ///   - secondsBetween: Seconds between two values.
    ///   - values: The values in the unit of the type, oldest first; nil where there was no signal.
    public init(_ type: MetricType, secondsBetween: Double, values: [Double?]) {
      self.type = type
      self.secondsBetween = secondsBetween
      self.values = values
    }
  }

  /// What was measured; in the order of the device.
  public var values: [Metric]
  /// A recording, which begins at ``clock``; empty for a single measurement.
  public var series: [Series] = []
  /// When it was measured; nil when the device does not say.
  public var clock: Clock?
  /// The part of the time that never changes; nil where the whole time never changes.
  ///
  /// After the user of a glucose meter has moved its clock, the meter reports another time for the
  /// same measurement, while its Base Time stays.
  public var identityTime: LocalDateTime?
  /// The measurement's number on the device, which never changes.
  public var sequenceNumber: Int?
  /// The memory slot, as the device counts it.
  public var userSlot: Int?
  /// Whether the device knows several users and says that it does not know whose it is.
  public var isUserUnknown = false
  /// Findings by name and value, for instance `irregular_pulse` and `true`.
  public var findings: [Finding] = []
  /// Whether it is one of the readings of a continuous glucose monitor; its glucose then becomes a
  /// reading of a record of the kind `cgm`.
  public var isContinuousGlucose = false
  /// How the measurement relates to a meal; nil when the device does not say.
  public var mealRelationship: MealRelationship?
  /// Why it is not a reading, and what to do, in English; nil for a reading.
  public var rejection: Rejection?
  /// The bytes that it was made of.
  public var payload: [UInt8]

  /// Why a measurement is no reading of the user.
  public struct Rejection: Hashable, Sendable {
    /// The reason.
    public let reason: RejectedReading.Reason
    /// What happened and what to do, in English.
    public let message: String

    /// Makes a rejection.
    public init(_ reason: RejectedReading.Reason, _ message: String) {
      self.reason = reason
      self.message = message
    }
  }

  /// A finding about a measurement.
  public struct Finding: Hashable, Sendable {
    /// The name, for instance `irregular_pulse`.
    public let name: String
    /// The value, for instance `true`.
    public let value: String

    /// Makes a finding.
    public init(_ name: String, _ value: String = "true") {
      self.name = name
      self.value = value
    }
  }

  /// A reading; all else is set afterwards.
  public init(_ values: [Metric], clock: Clock? = nil, payload: [UInt8]) {
    self.values = values
    self.clock = clock
    self.payload = payload
  }

  /// A measurement that is not a reading.
  public init(rejected reason: RejectedReading.Reason, _ message: String, payload: [UInt8]) {
    self.init([], payload: payload)
    rejection = Rejection(reason, message)
  }

  /// A payload that cannot be decoded.
  public init(_ error: PayloadError, payload: [UInt8]) {
    self.init(rejected: .malformed, error.description, payload: payload)
  }

  /// Shows nothing: a dump must not show what was measured.
  public var customMirror: Mirror { Mirror(self, children: [:]) }

  /// The value of a type; nil when it was not measured.
  package subscript(type: MetricType) -> Double? {
    values.first { $0.type == type }.flatMap(\.value)
  }
}
