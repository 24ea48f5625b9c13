// SPDX-License-Identifier: Apache-2.0

/// A person's height with its unit.
///
/// Two heights are equal when value and unit are; compare `meters` to compare across units.
public struct BodyHeight: Hashable, Sendable {
  /// The units in which heights are sent.
  public enum Unit: String, Hashable, Sendable {
    /// Metre.
    case meter = "m"
    /// Inch.
    case inch = "in"
  }

  /// The number of metres in an inch, by definition.
  public static let metersPerInch = 0.0254

  /// The number, in `unit`.
  public let value: Double
  /// The unit of `value`.
  public let unit: Unit

  /// Creates a height.
  public init(_ value: Double, _ unit: Unit) {
    self.value = value
    self.unit = unit
  }

  /// Creates a height in metres.
  public static func meters(_ value: Double) -> BodyHeight {
    BodyHeight(value, .meter)
  }

  /// Creates a height in inches.
  public static func inches(_ value: Double) -> BodyHeight {
    BodyHeight(value, .inch)
  }

  /// The height in metres, not rounded.
  public var meters: Double {
    switch unit {
    case .meter: value
    case .inch: value * Self.metersPerInch
    }
  }

  /// The height in inches, not rounded.
  public var inches: Double {
    switch unit {
    case .meter: value / Self.metersPerInch
    case .inch: value
    }
  }
}
