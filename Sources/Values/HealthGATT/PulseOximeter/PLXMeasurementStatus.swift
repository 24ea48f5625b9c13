// SPDX-License-Identifier: Apache-2.0

/// Measurement Status of a pulse oximeter: how far the numbers can be relied upon.
///
/// Reserved bits are kept.
///
/// Source: Pulse Oximeter Service, Measurement Status.
public struct PLXMeasurementStatus: OptionSet, Hashable, Sendable {
  /// The 16 bits.
  public let rawValue: UInt16

  /// Takes any 16 bits.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Bit 5: the measurement is ongoing.
  public static let measurementOngoing = PLXMeasurementStatus(rawValue: 1 << 5)
  /// Bit 6: an early estimate.
  public static let earlyEstimateData = PLXMeasurementStatus(rawValue: 1 << 6)
  /// Bit 7: the numbers are validated.
  public static let validatedData = PLXMeasurementStatus(rawValue: 1 << 7)
  /// Bit 8: the numbers are fully qualified.
  public static let fullyQualifiedData = PLXMeasurementStatus(rawValue: 1 << 8)
  /// Bit 9: the numbers come from the device's memory.
  public static let dataFromMeasurementStorage = PLXMeasurementStatus(rawValue: 1 << 9)
  /// Bit 10: the numbers are invented, for a demonstration.
  public static let dataForDemonstration = PLXMeasurementStatus(rawValue: 1 << 10)
  /// Bit 11: the numbers are invented, for a test.
  public static let dataForTesting = PLXMeasurementStatus(rawValue: 1 << 11)
  /// Bit 12: the device calibrates itself.
  public static let calibrationOngoing = PLXMeasurementStatus(rawValue: 1 << 12)
  /// Bit 13: there is no measurement.
  public static let measurementUnavailable = PLXMeasurementStatus(rawValue: 1 << 13)
  /// Bit 14: the measurement is doubtful.
  public static let questionableMeasurementDetected = PLXMeasurementStatus(rawValue: 1 << 14)
  /// Bit 15: the measurement is invalid.
  public static let invalidMeasurementDetected = PLXMeasurementStatus(rawValue: 1 << 15)

  /// The bits with which numbers are no reading of a patient, whatever they are.
  public static let unusable: PLXMeasurementStatus = [
    .dataForDemonstration, .dataForTesting, .calibrationOngoing, .measurementUnavailable,
    .questionableMeasurementDetected, .invalidMeasurementDetected,
  ]
}
