// SPDX-License-Identifier: Apache-2.0

/// What a display shows: which values, in which order, and within which bounds.
public struct DisplayLayout: Hashable, Sendable {
  /// A value of a display.
  public struct Field: Hashable, Sendable {
    /// The name of the value, such as `sys`.
    public var label: String
    /// What the value can be; anything else was misread, or is a fault of the device.
    public var range: ClosedRange<Double>
    /// How many digits there are after the point.
    public var decimals: ClosedRange<Int>
    /// Whether the device shows `HI` and `LO` in place of values beyond its bounds.
    public var hasBeyond = false
  }

  /// How the values are placed.
  public enum Arrangement: Hashable, Sendable {
    case single
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

  /// Blood glucose in milligrams per decilitre.
  public static let glucoseInMilligrams = DisplayLayout(
    name: "glucose-mg",
    fields: [Field(label: "glucose", range: 10...800, decimals: 0...0, hasBeyond: true)],
    arrangement: .single)

  /// Blood glucose in millimoles per litre.
  public static let glucoseInMillimoles = DisplayLayout(
    name: "glucose-mmol",
    fields: [Field(label: "glucose", range: 0.6...45, decimals: 1...1, hasBeyond: true)],
    arrangement: .single)

  /// Blood glucose in either unit: a value with a point is in millimoles per litre.
  public static let glucose = DisplayLayout(
    name: "glucose",
    fields: [Field(label: "glucose", range: 0.6...800, decimals: 0...1, hasBeyond: true)],
    arrangement: .single)

  /// Systolic and diastolic pressure in millimetres of mercury, and the pulse per minute.
  public static let bloodPressure = DisplayLayout(
    name: "blood-pressure",
    fields: [
      Field(label: "sys", range: 50...280, decimals: 0...0),
      Field(label: "dia", range: 25...180, decimals: 0...0),
      Field(label: "pulse", range: 30...220, decimals: 0...0),
    ], arrangement: .stacked)

  /// The temperature of a body in degrees Celsius or Fahrenheit.
  public static let thermometer = DisplayLayout(
    name: "thermometer",
    fields: [Field(label: "temperature", range: 30...113, decimals: 1...2, hasBeyond: true)],
    arrangement: .single)

  /// The saturation with oxygen in percent, and the pulse per minute.
  public static let oximeter = DisplayLayout(
    name: "oximeter",
    fields: [
      Field(label: "spo2", range: 50...100, decimals: 0...0),
      Field(label: "pulse", range: 25...250, decimals: 0...0),
    ], arrangement: .any)

  /// A weight in kilograms or pounds.
  public static let scale = DisplayLayout(
    name: "scale", fields: [Field(label: "weight", range: 0.5...880, decimals: 0...2)],
    arrangement: .single)

  /// All of them.
  public static let all = [
    glucose, glucoseInMilligrams, glucoseInMillimoles, bloodPressure, thermometer, oximeter, scale,
  ]

  /// The layout of a name.
  public init?(named name: String) {
    guard let layout = Self.all.first(where: { $0.name == name }) else { return nil }
    self = layout
  }

  init(name: String, fields: [Field], arrangement: Arrangement) {
    (self.name, self.fields, self.arrangement) = (name, fields, arrangement)
  }
}
