// SPDX-License-Identifier: Apache-2.0

/// Device and Sensor Status of a pulse oximeter: three bytes about signal, sensor and finger.
///
/// Reserved bits are kept.
///
/// Source: Pulse Oximeter Service, Device and Sensor Status.
public struct PLXDeviceAndSensorStatus: OptionSet, Hashable, Sendable {
  /// The low 24 bits; the field on the wire has three bytes.
  public let rawValue: UInt32

  /// Takes the low 24 bits.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue & 0xFF_FFFF
  }

  /// Bit 0: the display is updated less often than usual.
  public static let extendedDisplayUpdateOngoing = PLXDeviceAndSensorStatus(rawValue: 1 << 0)
  /// Bit 1: the device is out of order.
  public static let equipmentMalfunctionDetected = PLXDeviceAndSensorStatus(rawValue: 1 << 1)
  /// Bit 2: irregular processing of the signal.
  public static let signalProcessingIrregularityDetected =
    PLXDeviceAndSensorStatus(rawValue: 1 << 2)
  /// Bit 3: the signal does not suffice.
  public static let inadequateSignalDetected = PLXDeviceAndSensorStatus(rawValue: 1 << 3)
  /// Bit 4: the signal is poor.
  public static let poorSignalDetected = PLXDeviceAndSensorStatus(rawValue: 1 << 4)
  /// Bit 5: the perfusion is low.
  public static let lowPerfusionDetected = PLXDeviceAndSensorStatus(rawValue: 1 << 5)
  /// Bit 6: the signal is erratic.
  public static let erraticSignalDetected = PLXDeviceAndSensorStatus(rawValue: 1 << 6)
  /// Bit 7: the signal does not pulsate.
  public static let nonpulsatileSignalDetected = PLXDeviceAndSensorStatus(rawValue: 1 << 7)
  /// Bit 8: the pulse is doubtful.
  public static let questionablePulseDetected = PLXDeviceAndSensorStatus(rawValue: 1 << 8)
  /// Bit 9: the signal is being analysed.
  public static let signalAnalysisOngoing = PLXDeviceAndSensorStatus(rawValue: 1 << 9)
  /// Bit 10: something disturbs the sensor, light for instance.
  public static let sensorInterferenceDetected = PLXDeviceAndSensorStatus(rawValue: 1 << 10)
  /// Bit 11: there is no finger in the sensor.
  public static let sensorUnconnectedToUser = PLXDeviceAndSensorStatus(rawValue: 1 << 11)
  /// Bit 12: a sensor that the device does not know.
  public static let unknownSensorConnected = PLXDeviceAndSensorStatus(rawValue: 1 << 12)
  /// Bit 13: the sensor is not where it should be.
  public static let sensorDisplaced = PLXDeviceAndSensorStatus(rawValue: 1 << 13)
  /// Bit 14: the sensor is out of order.
  public static let sensorMalfunctioning = PLXDeviceAndSensorStatus(rawValue: 1 << 14)
  /// Bit 15: the sensor is not connected to the device.
  public static let sensorDisconnected = PLXDeviceAndSensorStatus(rawValue: 1 << 15)

  /// The bits with which numbers are no reading of a patient, whatever they are: stale ones may
  /// still be sent when the finger is out.
  public static let unusable: PLXDeviceAndSensorStatus = [
    .equipmentMalfunctionDetected, .sensorUnconnectedToUser, .unknownSensorConnected,
    .sensorDisplaced, .sensorMalfunctioning, .sensorDisconnected,
  ]
}
