// SPDX-License-Identifier: Apache-2.0

/// A part of a record that has no place in a data point of Open mHealth.
///
/// The description names the part and the reason, never a value.
public struct OpenMHealthOmission: Hashable, Sendable, CustomStringConvertible {
  /// The place in the Inform form of the record, for instance `metrics[1]`.
  public let path: String
  /// What stands there, for instance `perfusion_index`.
  public let name: String
  /// Why it is left out.
  public let reason: Reason

  /// The place, the name and the reason.
  public var description: String {
    "\(path == name ? path : "\(path) (\(name))") is left out: \(reason.message)"
  }

  /// Why a part of a record is left out; an open set.
  public struct Reason: Hashable, Sendable {
    /// A short name.
    public let code: String
    /// The reason in words.
    public let message: String

    private init(_ code: String, _ message: String) {
      self.code = code
      self.message = message
    }

    /// No schema has a place for it.
    public static let noSchema = Reason("no_schema", "no schema has a place for it")
    /// There is no value.
    public static let absent = Reason("absent", "there is no value")
    /// The value is a bound.
    public static let bound = Reason(
      "bound", "it is beyond what the device can measure, which no schema can say")
    /// The value is an early estimate.
    public static let earlyEstimate = Reason(
      "early_estimate", "it is an early estimate, which no schema can say")
    /// The value is doubted.
    public static let doubtful = Reason("doubtful", "it is doubted, which no schema can say")
    /// The record was entered in error.
    public static let enteredInError = Reason(
      "entered_in_error", "the record was entered in error")
    /// It is no measurement of a person.
    public static let noMeasurement = Reason("no_measurement", "it is no measurement of a person")
    /// When it was measured is not known.
    public static let unknownTime = Reason(
      "unknown_time", "when it was measured is not known: the device's time was not believed")
    /// The unit is not known, or of another dimension.
    public static let unknownUnit = Reason("unknown_unit", "its unit cannot be converted")
    /// A whole number is required.
    public static let fraction = Reason("fraction", "the schema takes whole numbers only")
    /// An amount has no span of time.
    public static let noInterval = Reason(
      "no_interval", "the schema asks for a span of time, and it has none")
    /// Only one of two pressures can be said.
    public static let onePressure = Reason(
      "one_pressure", "the schema asks for both pressures, and only this one can be said")
    /// Another value of the record has the only place.
    public static let occupied = Reason(
      "occupied", "another value of the record has the only place for it")
  }
}
