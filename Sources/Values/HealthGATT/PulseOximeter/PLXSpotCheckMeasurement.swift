// SPDX-License-Identifier: Apache-2.0

/// PLX Spot-Check Measurement (2A5E): one finished reading of a pulse oximeter.
///
/// ```
/// // 1F  6100 4800  EA07 05 04 07 1E 00  8000  000000  22F0
/// // FL  SPO2 PRAT  YEAR MO DA HH MM SS  MSTA  DEVSTA  PAIX
/// ```
///
/// Source: Pulse Oximeter Service, PLX Spot-Check Measurement. SpO2, pulse rate and pulse amplitude
/// index are SFLOATs; the words are kept as sent.
public struct PLXSpotCheckMeasurement: CharacteristicValue {
  /// Flags of the spot-check measurement; those of 2A5F are others.
  public struct Flags: OptionSet, Hashable, Sendable {
    /// The byte.
    public let rawValue: UInt8

    /// Takes any byte.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Bit 0: there is a time stamp.
    public static let timestampPresent = Flags(rawValue: 1 << 0)
    /// Bit 1: there is a measurement status.
    public static let measurementStatusPresent = Flags(rawValue: 1 << 1)
    /// Bit 2: there is a device and sensor status.
    public static let deviceAndSensorStatusPresent = Flags(rawValue: 1 << 2)
    /// Bit 3: there is a pulse amplitude index.
    public static let pulseAmplitudeIndexPresent = Flags(rawValue: 1 << 3)
    /// Bit 4: the device's clock was never set.
    public static let deviceClockNotSet = Flags(rawValue: 1 << 4)

    static let reserved = Flags(rawValue: 0xE0)
  }

  /// Oxygen saturation and pulse rate.
  public var oximetry: PulseOximetry
  /// The time on the device's clock (Flags bit 0); see `isDeviceClockSet`.
  public var timestamp: Timestamp?
  /// Whether the time stamp means anything (Flags bit 4 is clear).
  public var isDeviceClockSet: Bool
  /// How far the numbers can be relied upon (Flags bit 1).
  public var measurementStatus: PLXMeasurementStatus?
  /// What is known of signal and sensor (Flags bit 2).
  public var deviceAndSensorStatus: PLXDeviceAndSensorStatus?
  /// The pulse amplitude index in percent (Flags bit 3).
  public var pulseAmplitudeIndex: MedicalFloat16?
  /// The reserved bits 5...7 of Flags as sent.
  public package(set) var reservedFlags: Flags = []
  /// What follows the last field that Flags announce.
  public package(set) var trailingBytes: [UInt8] = []

  /// Creates a measurement.
  public init(
    _ oximetry: PulseOximetry, timestamp: Timestamp? = nil, isDeviceClockSet: Bool = true,
    measurementStatus: PLXMeasurementStatus? = nil,
    deviceAndSensorStatus: PLXDeviceAndSensorStatus? = nil,
    pulseAmplitudeIndex: MedicalFloat16? = nil
  ) {
    self.oximetry = oximetry
    self.timestamp = timestamp
    self.isDeviceClockSet = isDeviceClockSet
    self.measurementStatus = measurementStatus
    self.deviceAndSensorStatus = deviceAndSensorStatus
    self.pulseAmplitudeIndex = pulseAmplitudeIndex
  }

  /// Reads the fields that Flags announce, and keeps what follows them.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    let flags = Flags(rawValue: try reader.uint8(field: "Flags"))
    oximetry = try PulseOximetry(from: &reader, field: "SpO2PR-Spot-Check")
    if flags.contains(.timestampPresent) {
      timestamp = try reader.timestamp(field: "Time Stamp")
    }
    isDeviceClockSet = !flags.contains(.deviceClockNotSet)
    let circumstances = try PLXCircumstances(presence: flags.rawValue >> 1, from: &reader)
    measurementStatus = circumstances.measurementStatus
    deviceAndSensorStatus = circumstances.deviceAndSensorStatus
    pulseAmplitudeIndex = circumstances.pulseAmplitudeIndex
    reservedFlags = flags.intersection(.reserved)
    trailingBytes = reader.remainingBytes()
  }

  /// Writes Flags, the fields that are there, and the trailing bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint8(flags.rawValue)
    oximetry.encode(to: &writer)
    if let timestamp { writer.timestamp(timestamp) }
    circumstances.encode(to: &writer)
    writer.append(trailingBytes)
  }

  /// Flags: which fields are there, whether the clock is set, and the reserved bits.
  public var flags: Flags {
    var flags = Flags(rawValue: circumstances.presence << 1)
    if timestamp != nil { flags.insert(.timestampPresent) }
    if !isDeviceClockSet { flags.insert(.deviceClockNotSet) }
    return flags.union(reservedFlags.intersection(.reserved))
  }

  /// Whether this is a reading: both numbers are there, and no status makes them invalid.
  public var isReading: Bool { oximetry.hasResult && !circumstances.isUnusable }

  /// The time on the device's clock; nil when there is none, it is impossible, or the clock was
  /// never set.
  public var dateTime: DateTime? { isDeviceClockSet ? timestamp?.dateTime : nil }

  package var circumstances: PLXCircumstances {
    PLXCircumstances(
      measurementStatus: measurementStatus, deviceAndSensorStatus: deviceAndSensorStatus,
      pulseAmplitudeIndex: pulseAmplitudeIndex)
  }
}
