// SPDX-License-Identifier: Apache-2.0

/// One measured value.
public struct Metric: Hashable, Sendable {
  /// What was measured.
  public var type: MetricType { didSet { shown = nil } }
  /// The value in ``unit``; nil when there is none, see ``absence``.
  ///
  /// A record with a value that is not finite is refused when encoded.
  public var value: Double? { didSet { shown = nil } }
  /// Why there is no value; nil when there is one.
  public var absence: Absence?
  /// Whether the device could not measure beyond the value; nil when it is what was measured.
  public var bound: Bound?
  /// The unit as the Inform API writes it, for instance `mmHg`.
  public var unit: String { didSet { shown = nil } }
  /// What the device showed: the value in the device's unit, with the device's digits.
  ///
  /// Of a value that is a bound it is the limit that the device gave. Nil where the device's unit
  /// and digits are those of ``value`` and ``unit``, and where they are not known. A change of the
  /// type, the value or the unit drops it, since then it is no longer what was shown.
  ///
  /// It is no part of a record's identity: the same value with and without it is the same
  /// measurement. A record in which the two cannot be one quantity, each rounded to its last digit,
  /// is refused when encoded.
  public var shown: ShownValue?
  /// Who made the value.
  public var origin: Origin

  /// Makes a metric in the unit that the table of metrics names for its type.
  ///
  /// - Parameters:
  ///   - type: What was measured.
  ///   - value: The value.
  ///   - unit: The unit; the table's when nil, and `1` for a type the table does not know.
  ///   - origin: Who made the value.
  ///   - bound: Whether the device could not measure beyond the value.
  public init(
    _ type: MetricType, _ value: Double, unit: String? = nil, origin: Origin = .device,
    bound: Bound? = nil
  ) {
    self.type = type
    self.value = value
    self.unit = unit ?? type.definition?.unit ?? "1"
    self.origin = origin
    self.bound = bound
  }

  /// Makes a metric that was measured, and of which the device gives no number.
  ///
  /// - Parameters:
  ///   - type: What was measured.
  ///   - absence: Why there is no number.
  ///   - unit: The unit; the table's when nil, and `1` for a type the table does not know.
  ///   - origin: Who made the measurement.
  public init(
    _ type: MetricType, absent absence: Absence, unit: String? = nil, origin: Origin = .device
  ) {
    self.type = type
    self.absence = absence
    self.unit = unit ?? type.definition?.unit ?? "1"
    self.origin = origin
  }

  /// Whether the value is one that a living person can have, by the table of metrics.
  ///
  /// True without a value, for a type that the table does not know, and in a unit that cannot be
  /// converted to the table's.
  public var isPlausible: Bool {
    guard let value else { return true }
    guard let definition = type.definition, let standardValue else { return value.isFinite }
    return definition.plausible.contains(standardValue)
  }

  /// What the value means where it is a code, for instance `light`; nil of an amount.
  public var valueName: String? {
    guard let value, let code = Int(exactly: value), let definition = type.definition,
      definition.unit == unit
    else { return nil }
    return definition.valueNames[code]
  }

  /// Why a metric has no value; the names are ours.
  public enum Absence: String, CaseIterable, Hashable, Sendable {
    /// It is below what the device can measure ("LO").
    case belowRange = "below_range"
    /// It is above what the device can measure ("HI").
    case aboveRange = "above_range"
    /// The device gives no number, and does not say why.
    case unknown
  }

  /// On which side of a value the measured one lies; the names are ours.
  public enum Bound: String, CaseIterable, Hashable, Sendable {
    /// What was measured is less than the value: the device cannot measure less.
    case below
    /// What was measured is more than the value: the device cannot measure more.
    case above
  }

  /// Who made a value; the names are those of the Inform API.
  public enum Origin: String, Hashable, Sendable {
    /// Measured by a device.
    case device
    /// Entered by a person.
    case manual
    /// Not known.
    case unknown
  }
}

/// What a metric measures; an open set, whose names are those of the Inform API.
public struct MetricType: RawRepresentable, Hashable, Sendable {
  /// The name on the wire.
  public let rawValue: String

  /// Makes a metric type from its name on the wire.
  ///
  /// - Parameter rawValue: The name, for instance `systolic`.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The row of the table of metrics, or nil for a name that the table does not know.
  public var definition: MetricDefinition? { MetricTable.row(self) }
}
