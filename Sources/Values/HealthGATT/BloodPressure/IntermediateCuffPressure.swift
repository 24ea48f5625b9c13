// SPDX-License-Identifier: Apache-2.0

/// Intermediate Cuff Pressure (2A36): the pressure in the cuff while a measurement runs.
///
/// It has the layout of Blood Pressure Measurement, with the second and third pressure unused.
///
/// ```
/// // 00  D7F0 FF07 FF07
/// // FL  CUFF NaN  NaN
/// ```
///
/// Source: GATT Specification Supplement, Intermediate Cuff Pressure.
public struct IntermediateCuffPressure: CharacteristicValue {
  /// The unit of the pressure (Flags bit 0).
  public var unit: PressureUnit
  /// The pressure in the cuff, as sent.
  public var currentCuffPressure: MedicalFloat16
  /// The field that is Diastolic in 2A35, as sent: NaN, or 0 by some devices.
  public package(set) var unusedDiastolic: MedicalFloat16 = .notANumber
  /// The field that is Mean Arterial Pressure in 2A35, as sent: NaN, or 0 by some devices.
  public package(set) var unusedMeanArterialPressure: MedicalFloat16 = .notANumber
  /// The time on the device's clock (Flags bit 1).
  public var timestamp: Timestamp?
  /// The pulse rate in beats per minute (Flags bit 2).
  public var pulseRate: MedicalFloat16?
  /// The memory slot (Flags bit 3).
  public var userID: UserID?
  /// What was found so far (Flags bit 4).
  public var measurementStatus: BloodPressureStatus?
  /// The reserved bits 5...7 of Flags as sent.
  public package(set) var reservedFlags: BloodPressureFlags = []
  /// What follows the last field that Flags announce.
  public package(set) var trailingBytes: [UInt8] = []

  /// Creates a cuff pressure.
  public init(
    unit: PressureUnit = .millimetersOfMercury, currentCuffPressure: MedicalFloat16,
    timestamp: Timestamp? = nil, pulseRate: MedicalFloat16? = nil, userID: UserID? = nil,
    measurementStatus: BloodPressureStatus? = nil
  ) {
    self.unit = unit
    self.currentCuffPressure = currentCuffPressure
    self.timestamp = timestamp
    self.pulseRate = pulseRate
    self.userID = userID
    self.measurementStatus = measurementStatus
  }

  /// Reads the fields that Flags announce, and keeps what follows them.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    let flags = BloodPressureFlags(rawValue: try reader.uint8(field: "Flags"))
    unit = flags.unit
    currentCuffPressure = try reader.medicalFloat16(field: "Current Cuff Pressure")
    unusedDiastolic = try reader.medicalFloat16(field: "Diastolic - Unused")
    unusedMeanArterialPressure = try reader.medicalFloat16(field: "Mean Arterial Pressure - Unused")
    let circumstances = try BloodPressureCircumstances(flags, from: &reader)
    timestamp = circumstances.timestamp
    pulseRate = circumstances.pulseRate
    userID = circumstances.userID
    measurementStatus = circumstances.measurementStatus
    reservedFlags = flags.intersection(.reserved)
    trailingBytes = reader.remainingBytes()
  }

  /// Writes Flags, the fields that are there, and the trailing bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint8(flags.rawValue)
    writer.medicalFloat16(currentCuffPressure)
    writer.medicalFloat16(unusedDiastolic)
    writer.medicalFloat16(unusedMeanArterialPressure)
    circumstances.encode(to: &writer)
    writer.append(trailingBytes)
  }

  /// Flags: the unit, which fields are there, and the reserved bits.
  public var flags: BloodPressureFlags {
    var flags = circumstances.flags.union(reservedFlags.intersection(.reserved))
    if unit == .kilopascals { flags.insert(.kilopascal) }
    return flags
  }

  /// The pressure in the cuff; nil when the device sent a special value or nothing above 0.
  public var pressure: Pressure? { Pressure(currentCuffPressure, unit) }

  package var circumstances: BloodPressureCircumstances {
    BloodPressureCircumstances(
      timestamp: timestamp, pulseRate: pulseRate, userID: userID,
      measurementStatus: measurementStatus)
  }
}
