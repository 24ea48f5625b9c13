// SPDX-License-Identifier: Apache-2.0

/// One measured value.
public struct Metric: Hashable, Sendable {
  /// What was measured.
  public var type: MetricType
  /// The value in ``unit``; a record with a value that is not finite is refused when encoded.
  public var value: Double
  /// The unit as the Inform API writes it, for instance `mmHg`.
  public var unit: String
  /// Who made the value.
  public var origin: Origin

  /// Makes a metric in the unit that the table of metrics names for its type.
  ///
  /// - Parameters:
  ///   - type: What was measured.
  ///   - value: The value.
  ///   - unit: The unit; the table's when nil, and `1` for a type the table does not know.
  ///   - origin: Who made the value.
  public init(
    _ type: MetricType, _ value: Double, unit: String? = nil, origin: Origin = .device
  ) {
    self.type = type
    self.value = value
    self.unit = unit ?? type.definition?.unit ?? "1"
    self.origin = origin
  }

  /// Whether the value is one that a living person can have, by the table of metrics.
  ///
  /// True for a type or a unit that the table does not know.
  public var isPlausible: Bool {
    guard let definition = type.definition, definition.unit == unit else { return value.isFinite }
    return definition.plausible.contains(value)
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
