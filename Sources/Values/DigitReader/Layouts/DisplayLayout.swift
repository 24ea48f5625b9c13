// SPDX-License-Identifier: Apache-2.0

/// What a display shows: which values, in which order, and within which bounds.
public struct DisplayLayout: Hashable, Sendable {
  /// A value of a display.
  public struct Field: Hashable, Sendable {
    /// The name of the value, such as `sys`.
    public let label: String
    /// What the value can be; anything else was misread, or is a fault of the device.
    public let range: ClosedRange<Double>
    /// How many digits there are after the point.
    public let decimals: ClosedRange<Int>
    /// Whether the device shows `HI` and `LO` in place of values beyond its bounds.
    public let hasBeyond: Bool

    init(
      _ label: String, _ range: ClosedRange<Double>, decimals: ClosedRange<Int> = 0...0,
      hasBeyond: Bool = false
    ) {
      (self.label, self.range) = (label, range)
      (self.decimals, self.hasBeyond) = (decimals, hasBeyond)
    }
  }

  /// How the values are placed.
  public enum Arrangement: Hashable, Sendable {
    /// There is one.
    case single
    /// One above the other.
    case stacked
    /// Side by side, or one above the other.
    case any
  }

  /// Its name, as on the command line.
  public let name: String
  /// The values, from the top or the left.
  public let fields: [Field]
  /// How the values are placed.
  public let arrangement: Arrangement
  /// The units in which the display can show its value; empty if it is always the same.
  public let units: [DisplayUnit]
  /// Whether the value changes for a while before it stays.
  public let settles: Bool

  /// The unit of the values, if it is known; a display that shows another one is not read.
  public var unit: DisplayUnit? { units.count == 1 ? units[0] : nil }

  init(
    _ name: String, _ fields: [Field], _ arrangement: Arrangement = .single,
    units: [DisplayUnit] = [], settles: Bool = false
  ) {
    (self.name, self.fields, self.arrangement) = (name, fields, arrangement)
    (self.units, self.settles) = (units, settles)
  }

  /// The layout of a name.
  public init?(named name: String) {
    guard let layout = Self.all.first(where: { $0.name == name }) else { return nil }
    self = layout
  }

  /// All of them.
  public static let all = [
    glucose, glucoseInMilligrams, glucoseInMillimoles, bloodPressure, thermometer,
    thermometerInCelsius, thermometerInFahrenheit, oximeter, scale, scaleInKilograms, scaleInPounds,
    number,
  ]
}

// MARK: - Glucose

extension DisplayLayout {
  /// Blood glucose in either unit: a value with a point is in millimoles per litre.
  public static let glucose = DisplayLayout(
    "glucose", [Field("glucose", 0.6...800, decimals: 0...1, hasBeyond: true)],
    units: [.milligramsPerDecilitre, .millimolesPerLitre])

  /// Blood glucose in milligrams per decilitre.
  public static let glucoseInMilligrams = DisplayLayout(
    "glucose-mg", [Field("glucose", 10...800, hasBeyond: true)], units: [.milligramsPerDecilitre])

  /// Blood glucose in millimoles per litre.
  public static let glucoseInMillimoles = DisplayLayout(
    "glucose-mmol", [Field("glucose", 0.6...44.4, decimals: 1...1, hasBeyond: true)],
    units: [.millimolesPerLitre])
}

// MARK: - Circulation

extension DisplayLayout {
  /// Systolic and diastolic pressure in millimetres of mercury, and the pulse per minute.
  public static let bloodPressure = DisplayLayout(
    "blood-pressure",
    [Field("sys", 50...280), Field("dia", 25...180), Field("pulse", 30...220)], .stacked)

  /// The saturation with oxygen in percent, and the pulse per minute.
  public static let oximeter = DisplayLayout(
    "oximeter", [Field("spo2", 50...100), Field("pulse", 25...250)], .any)
}

// MARK: - Temperature

extension DisplayLayout {
  /// The temperature of a body in either unit: below 50 it is in degrees Celsius.
  public static let thermometer = DisplayLayout(
    "thermometer", [Field("temperature", 30...113, decimals: 1...2, hasBeyond: true)],
    units: [.celsius, .fahrenheit], settles: true)

  /// The temperature of a body in degrees Celsius.
  public static let thermometerInCelsius = DisplayLayout(
    "thermometer-c", [Field("temperature", 30...45, decimals: 1...2, hasBeyond: true)],
    units: [.celsius], settles: true)

  /// The temperature of a body in degrees Fahrenheit.
  public static let thermometerInFahrenheit = DisplayLayout(
    "thermometer-f", [Field("temperature", 86...113, decimals: 1...2, hasBeyond: true)],
    units: [.fahrenheit], settles: true)
}

// MARK: - Weight

extension DisplayLayout {
  /// A weight in either unit; which one it is has to be read on the display.
  public static let scale = DisplayLayout(
    "scale", [Field("weight", 0.5...880, decimals: 0...2)], units: [.kilograms, .pounds],
    settles: true)

  /// A weight in kilograms.
  public static let scaleInKilograms = DisplayLayout(
    "scale-kg", [Field("weight", 0.5...400, decimals: 0...2)], units: [.kilograms], settles: true)

  /// A weight in pounds.
  public static let scaleInPounds = DisplayLayout(
    "scale-lb", [Field("weight", 1...880, decimals: 0...2)], units: [.pounds], settles: true)
}

// MARK: - Others

extension DisplayLayout {
  /// One number of any instrument.
  public static let number = DisplayLayout(
    "number", [Field("value", 0...99_999, decimals: 0...4)])
}

// MARK: - Units

extension DisplayLayout {
  /// All units between which the display's value could be mistaken.
  var family: [DisplayUnit] {
    guard let first = units.first else { return [] }
    return [
      [.milligramsPerDecilitre, .millimolesPerLitre], [.celsius, .fahrenheit],
      [.kilograms, .pounds],
    ].first { $0.contains(first) } ?? []
  }

  /// The unit that a value must have because of its form.
  func unit(of text: String) -> DisplayUnit? {
    if let unit { return unit }
    guard let number = Double(text) else { return nil }
    return switch family.first {
    case .milligramsPerDecilitre: text.contains(".") ? .millimolesPerLitre : .milligramsPerDecilitre
    case .celsius: number < 50 ? .celsius : .fahrenheit
    default: nil
    }
  }
}
