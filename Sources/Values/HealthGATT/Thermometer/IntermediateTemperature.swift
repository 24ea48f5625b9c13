// SPDX-License-Identifier: Apache-2.0

/// Intermediate Temperature (2A1E): what a thermometer shows while it still measures.
///
/// It has the layout of Temperature Measurement and is never a result.
///
/// ```
/// // 00  6D0100FF
/// // FL  TEMPERAT
/// ```
///
/// Source: GATT Specification Supplement, Intermediate Temperature.
public struct IntermediateTemperature: CharacteristicValue {
  /// The fields.
  public var measurement: TemperatureMeasurement

  /// Creates an intermediate temperature.
  public init(_ measurement: TemperatureMeasurement) {
    self.measurement = measurement
  }

  /// Reads the fields of a temperature measurement.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    measurement = try TemperatureMeasurement(from: &reader)
  }

  /// Writes the fields of a temperature measurement.
  public func encode(to writer: inout PayloadWriter) {
    measurement.encode(to: &writer)
  }

  /// What follows the last field that Flags announce.
  public var trailingBytes: [UInt8] { measurement.trailingBytes }
}
