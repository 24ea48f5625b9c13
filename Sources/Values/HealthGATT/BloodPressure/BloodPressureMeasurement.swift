// SPDX-License-Identifier: Apache-2.0

/// Blood Pressure Measurement (2A35): one run of a blood pressure monitor.
///
/// Not every frame is a result: see `hasResult` and `isFailed`. A failed run is indicated and
/// confirmed like any other.
///
/// ```
/// // 1E  7600 4C00 5A00  EA07 05 04 07 1E 00  4700  00  0000
/// // FL  SYST DIAS MAP   YEAR MO DA HH MM SS  PULS  US  STAT
/// ```
///
/// Source: GATT Specification Supplement §3.31. Pressures and pulse rate are SFLOATs; the words are
/// kept as sent.
public struct BloodPressureMeasurement: CharacteristicValue {
  /// The unit of the three pressures (Flags bit 0).
  public var unit: PressureUnit
  /// Systolic, as sent.
  public var systolic: MedicalFloat16
  /// Diastolic, as sent.
  public var diastolic: MedicalFloat16
  /// Mean Arterial Pressure, as sent: NaN or 0 by devices that do not measure it.
  public var meanArterialPressure: MedicalFloat16
  /// The time on the device's clock (Flags bit 1).
  public var timestamp: Timestamp?
  /// The pulse rate in beats per minute (Flags bit 2).
  public var pulseRate: MedicalFloat16?
  /// The memory slot (Flags bit 3).
  public var userID: UserID?
  /// What was found during the measurement (Flags bit 4).
  public var measurementStatus: BloodPressureStatus?
  /// The reserved bits 5...7 of Flags as sent.
  public package(set) var reservedFlags: BloodPressureFlags = []
  /// What follows the last field that Flags announce; empty for a device that keeps to the
  /// specification.
  public package(set) var trailingBytes: [UInt8] = []

  /// Creates a measurement.
  public init(
    unit: PressureUnit = .millimetersOfMercury, systolic: MedicalFloat16,
    diastolic: MedicalFloat16, meanArterialPressure: MedicalFloat16 = .notANumber,
    timestamp: Timestamp? = nil, pulseRate: MedicalFloat16? = nil, userID: UserID? = nil,
    measurementStatus: BloodPressureStatus? = nil
  ) {
    self.unit = unit
    self.systolic = systolic
    self.diastolic = diastolic
    self.meanArterialPressure = meanArterialPressure
    self.timestamp = timestamp
    self.pulseRate = pulseRate
    self.userID = userID
    self.measurementStatus = measurementStatus
  }

  /// Reads the fields that Flags announce, and keeps what follows them.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    let flags = BloodPressureFlags(rawValue: try reader.uint8(field: "Flags"))
    unit = flags.unit
    systolic = try reader.medicalFloat16(field: "Systolic")
    diastolic = try reader.medicalFloat16(field: "Diastolic")
    meanArterialPressure = try reader.medicalFloat16(field: "Mean Arterial Pressure")
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
    writer.medicalFloat16(systolic)
    writer.medicalFloat16(diastolic)
    writer.medicalFloat16(meanArterialPressure)
    circumstances.encode(to: &writer)
    writer.append(trailingBytes)
  }

  /// Flags: the unit, which fields are there, and the reserved bits.
  public var flags: BloodPressureFlags {
    var flags = circumstances.flags.union(reservedFlags.intersection(.reserved))
    if unit == .kilopascals { flags.insert(.kilopascal) }
    return flags
  }

  package var circumstances: BloodPressureCircumstances {
    BloodPressureCircumstances(
      timestamp: timestamp, pulseRate: pulseRate, userID: userID,
      measurementStatus: measurementStatus)
  }
}

extension BloodPressureMeasurement {
  /// The systolic pressure; nil when the device sent a special value or nothing above 0.
  public var systolicPressure: Pressure? { Pressure(systolic, unit) }
  /// The diastolic pressure; nil when the device sent a special value or nothing above 0.
  public var diastolicPressure: Pressure? { Pressure(diastolic, unit) }
  /// The mean arterial pressure; nil when the device sent a special value or nothing above 0.
  public var meanPressure: Pressure? { Pressure(meanArterialPressure, unit) }

  /// Whether there are a systolic and a diastolic pressure.
  ///
  /// Some monitors (QardioArm) send frames without them while the cuff inflates; the last frame has
  /// both.
  public var hasResult: Bool { systolicPressure != nil && diastolicPressure != nil }

  /// Whether the run failed: all three pressures are NaN (A&D monitors).
  public var isFailed: Bool {
    [systolic, diastolic, meanArterialPressure].allSatisfy { $0.number == .notANumber }
  }
}

extension Pressure {
  /// A pressure on the wire; nil for special values, and for 0 and less ("not measured").
  init?(_ value: MedicalFloat16, _ unit: Unit) {
    guard let number = value.double, number > 0 else { return nil }
    self.init(number, unit)
  }
}
