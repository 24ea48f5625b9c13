// SPDX-License-Identifier: Apache-2.0

/// Measurement Units: in which units and steps a scale sends masses and heights.
///
/// The steps are fixed. The resolution in the feature characteristics is that of the display, not a
/// multiplier.
///
/// Source: GATT Specification Supplement, Weight Measurement and Body Composition Measurement,
/// Flags bit 0.
public enum MeasurementUnits: Hashable, Sendable {
  /// Masses in steps of 0.005 kg, heights in steps of 0.001 m.
  case si
  /// Masses in steps of 0.01 lb, heights in steps of 0.1 in.
  case imperial

  /// The word for "Measurement Unsuccessful" in weight and body fat percentage.
  static let unsuccessful: UInt16 = 0xFFFF

  /// The unit of masses.
  public var massUnit: MassUnit { self == .si ? .kilograms : .pounds }
  /// The unit of heights.
  public var heightUnit: LengthUnit { self == .si ? .meters : .inches }

  /// The mass that a number of steps stands for.
  public func mass(steps: UInt16) -> Mass {
    switch self {
    case .si: .kilograms(Double(Int(steps) * 5) / 1000)
    case .imperial: .pounds(Double(steps) / 100)
    }
  }

  /// The height that a number of steps stands for.
  public func height(steps: UInt16) -> Length {
    switch self {
    case .si: .meters(Double(steps) / 1000)
    case .imperial: .inches(Double(steps) / 10)
    }
  }

  /// The nearest number of steps for a mass.
  ///
  /// - Throws: `outOfRange` below 0 and above 327.67 kg or 655.34 lb.
  public func steps(_ mass: Mass) throws(PayloadError) -> UInt16 {
    switch self {
    case .si: try Self.word(mass.kilograms * 200, "Weight")
    case .imperial: try Self.word(mass.pounds * 100, "Weight")
    }
  }

  /// The nearest number of steps for a height.
  ///
  /// - Throws: `outOfRange` below 0 and above 65.534 m or 6553.4 in.
  public func steps(_ height: Length) throws(PayloadError) -> UInt16 {
    switch self {
    case .si: try Self.word(height.meters * 1000, "Height")
    case .imperial: try Self.word(height.inches * 10, "Height")
    }
  }

  /// The word of a count; 0xFFFF stays free for "Measurement Unsuccessful".
  private static func word(_ count: Double, _ field: String) throws(PayloadError) -> UInt16 {
    let rounded = count.rounded()
    guard rounded >= 0, rounded < Double(unsuccessful) else {
      throw PayloadError(
        .outOfRange, field: field, message: "It does not fit the field. Refuse the value.")
    }
    return UInt16(rounded)
  }
}
