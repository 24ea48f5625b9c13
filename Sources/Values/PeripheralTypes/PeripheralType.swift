// SPDX-License-Identifier: Apache-2.0

/// What a peripheral measures.
///
/// An app may add types of its own.
public struct PeripheralType: RawRepresentable, Hashable, Sendable {
  /// The name of the type in data, for instance `weightScale`.
  public let rawValue: String

  /// Makes a type of peripheral.
  ///
  /// - Parameter rawValue: Its name in data, in camel case.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Body temperature.
  public static let thermometer = PeripheralType(rawValue: "thermometer")
  /// Blood pressure and pulse rate.
  public static let bloodPressure = PeripheralType(rawValue: "bloodPressure")
  /// Heart rate.
  public static let heartRate = PeripheralType(rawValue: "heartRate")
  /// Blood glucose.
  public static let glucoseMeter = PeripheralType(rawValue: "glucoseMeter")
  /// Glucose in the tissue, measured all day by a sensor that is worn.
  public static let continuousGlucoseMonitor = PeripheralType(rawValue: "continuousGlucoseMonitor")
  /// Body weight.
  public static let weightScale = PeripheralType(rawValue: "weightScale")
  /// Oxygen saturation and pulse rate.
  public static let pulseOximeter = PeripheralType(rawValue: "pulseOximeter")
  /// Coagulation (INR).
  public static let coagulationMeter = PeripheralType(rawValue: "coagulationMeter")

  /// The types of this package.
  package static let standard: [PeripheralType] = [
    .thermometer, .bloodPressure, .heartRate, .glucoseMeter, .continuousGlucoseMonitor,
    .weightScale, .pulseOximeter, .coagulationMeter,
  ]

  /// The name for a user, in English: "Weight scale"; for a type of an app's own made of its name in
  /// data.
  public var displayName: String {
    switch self {
    case .bloodPressure: "Blood pressure monitor"
    case .heartRate: "Heart rate monitor"
    default: words.prefix(1).uppercased() + words.dropFirst()
    }
  }

  private var words: String {
    rawValue.map { $0.isUppercase ? " " + $0.lowercased() : String($0) }.joined()
  }
}
