// SPDX-License-Identifier: Apache-2.0

/// What a user measures with a virtual device at one time.
public struct VirtualMeasurement: Hashable, Sendable {
  /// The quantities of one measurement.
  ///
  /// More may be added later: write `default` where you switch over them.
  public enum Values: Hashable, Sendable {
    /// Pressures in mmHg and the pulse in beats per minute.
    case bloodPressure(systolic: Int, diastolic: Int, pulse: Int)
    /// Glucose in mg/dL, and how it relates to a meal.
    case glucose(milligramsPerDeciliter: Int, meal: Meal? = nil)
    /// The body's temperature in °C.
    case temperature(celsius: Double)
    /// The weight in kilograms, and the fat in per cent where the user is barefoot.
    case weight(kilograms: Double, fatPercent: Double? = nil)
    /// Oxygen saturation in per cent, and the pulse in beats per minute.
    case oximetry(saturation: Int, pulse: Int)
    /// Beats per minute.
    case heartRate(Int)
  }

  /// How a glucose test relates to a meal.
  public enum Meal: Hashable, Sendable {
    case before, after
  }

  /// The quantities.
  public var values: Values
  /// The user's number as the device sends it; nil for the user it takes without being told.
  public var user: UInt8?

  /// Describes a measurement.
  ///
  /// - Parameters:
  ///   - values: The quantities.
  ///   - user: The user's number as the device sends it, for a device that has users.
  public init(_ values: Values, user: UInt8? = nil) {
    self.values = values
    self.user = user
  }
}
