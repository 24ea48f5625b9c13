// SPDX-License-Identifier: Apache-2.0

/// Sensor Status Annunciation: what a glucose meter found wrong; reserved bits are kept.
///
/// Source: GATT Specification Supplement, Glucose Measurement, Sensor Status Annunciation.
public struct GlucoseSensorStatus: OptionSet, Hashable, Sendable {
  /// The 16 bits.
  public let rawValue: UInt16

  /// Takes any 16 bits.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Bit 0: the battery was low at the time of the measurement.
  public static let deviceBatteryLow = GlucoseSensorStatus(rawValue: 1 << 0)
  /// Bit 1: the sensor malfunctioned or was faulty.
  public static let sensorMalfunction = GlucoseSensorStatus(rawValue: 1 << 1)
  /// Bit 2: there was too little blood or control solution.
  public static let sampleSizeInsufficient = GlucoseSensorStatus(rawValue: 1 << 2)
  /// Bit 3: the strip was inserted wrongly.
  public static let stripInsertionError = GlucoseSensorStatus(rawValue: 1 << 3)
  /// Bit 4: the strip does not belong to the device.
  public static let stripTypeIncorrect = GlucoseSensorStatus(rawValue: 1 << 4)
  /// Bit 5: the result is above what the device can process ("HI").
  public static let resultTooHigh = GlucoseSensorStatus(rawValue: 1 << 5)
  /// Bit 6: the result is below what the device can process ("LO").
  public static let resultTooLow = GlucoseSensorStatus(rawValue: 1 << 6)
  /// Bit 7: the sensor was too warm for a valid result.
  public static let temperatureTooHigh = GlucoseSensorStatus(rawValue: 1 << 7)
  /// Bit 8: the sensor was too cold for a valid result.
  public static let temperatureTooLow = GlucoseSensorStatus(rawValue: 1 << 8)
  /// Bit 9: the strip was pulled too soon.
  public static let readInterrupted = GlucoseSensorStatus(rawValue: 1 << 9)
  /// Bit 10: a general fault of the device.
  public static let generalDeviceFault = GlucoseSensorStatus(rawValue: 1 << 10)
  /// Bit 11: the clock had a fault, so the time may be wrong; the result is not concerned.
  public static let timeFault = GlucoseSensorStatus(rawValue: 1 << 11)

  /// The bits that say that the test itself went wrong, so that its number is no result.
  public static let testFaults: GlucoseSensorStatus = [
    .sensorMalfunction, .sampleSizeInsufficient, .stripInsertionError, .stripTypeIncorrect,
    .temperatureTooHigh, .temperatureTooLow, .readInterrupted, .generalDeviceFault,
  ]
}
