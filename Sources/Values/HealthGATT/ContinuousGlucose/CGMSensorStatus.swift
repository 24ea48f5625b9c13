// SPDX-License-Identifier: Apache-2.0

/// Sensor Status Annunciation: what a continuous glucose monitor says of sensor and result.
///
/// Three bytes: status, calibration and temperature, warning. CGM Status always has all of them,
/// a record only those that Flags announce. Reserved bits are kept.
///
/// Source: GATT Specification Supplement, CGM Measurement, Sensor Status Annunciation.
public struct CGMSensorStatus: OptionSet, Hashable, Sendable {
  /// The low 24 bits: the status byte, then calibration and temperature, then the warning byte.
  public let rawValue: UInt32

  /// Takes the low 24 bits.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue & 0xFF_FFFF
  }

  /// Bit 0: the session has ended.
  public static let sessionStopped = CGMSensorStatus(rawValue: 1 << 0)
  /// Bit 1: the battery is low.
  public static let deviceBatteryLow = CGMSensorStatus(rawValue: 1 << 1)
  /// Bit 2: the sensor is of a type that does not belong to the device.
  public static let sensorTypeIncorrect = CGMSensorStatus(rawValue: 1 << 2)
  /// Bit 3: the sensor malfunctions.
  public static let sensorMalfunction = CGMSensorStatus(rawValue: 1 << 3)
  /// Bit 4: an alert that only the manufacturer knows.
  public static let deviceSpecificAlert = CGMSensorStatus(rawValue: 1 << 4)
  /// Bit 5: a general fault of the device.
  public static let generalDeviceFault = CGMSensorStatus(rawValue: 1 << 5)

  /// Bit 8: the sensor needs the time, see ``CGMSessionStartTime``.
  public static let timeSynchronizationRequired = CGMSensorStatus(rawValue: 1 << 8)
  /// Bit 9: it must not be calibrated now.
  public static let calibrationNotAllowed = CGMSensorStatus(rawValue: 1 << 9)
  /// Bit 10: a calibration is recommended.
  public static let calibrationRecommended = CGMSensorStatus(rawValue: 1 << 10)
  /// Bit 11: a calibration is required.
  public static let calibrationRequired = CGMSensorStatus(rawValue: 1 << 11)
  /// Bit 12: the sensor was too warm for a valid result.
  public static let temperatureTooHigh = CGMSensorStatus(rawValue: 1 << 12)
  /// Bit 13: the sensor was too cold for a valid result.
  public static let temperatureTooLow = CGMSensorStatus(rawValue: 1 << 13)

  /// Bit 16: the result is below the patient's low level.
  public static let belowPatientLowLevel = CGMSensorStatus(rawValue: 1 << 16)
  /// Bit 17: the result is above the patient's high level.
  public static let abovePatientHighLevel = CGMSensorStatus(rawValue: 1 << 17)
  /// Bit 18: the result is below the level of hypoglycaemia.
  public static let belowHypoLevel = CGMSensorStatus(rawValue: 1 << 18)
  /// Bit 19: the result is above the level of hyperglycaemia.
  public static let aboveHyperLevel = CGMSensorStatus(rawValue: 1 << 19)
  /// Bit 20: the glucose falls faster than the level that was set.
  public static let rateOfDecreaseExceeded = CGMSensorStatus(rawValue: 1 << 20)
  /// Bit 21: the glucose rises faster than the level that was set.
  public static let rateOfIncreaseExceeded = CGMSensorStatus(rawValue: 1 << 21)
  /// Bit 22: the result is below what the device can process ("LO").
  public static let resultTooLow = CGMSensorStatus(rawValue: 1 << 22)
  /// Bit 23: the result is above what the device can process ("HI").
  public static let resultTooHigh = CGMSensorStatus(rawValue: 1 << 23)

  /// The bits with which a number is no result of the user, whatever it is.
  public static let testFaults: CGMSensorStatus = [
    .sensorTypeIncorrect, .sensorMalfunction, .generalDeviceFault, .temperatureTooHigh,
    .temperatureTooLow,
  ]
}
