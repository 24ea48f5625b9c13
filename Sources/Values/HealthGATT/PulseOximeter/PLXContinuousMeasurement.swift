// SPDX-License-Identifier: Apache-2.0

/// PLX Continuous Measurement (2A5F): what a pulse oximeter shows at present.
///
/// Frames come about once a second while a finger is in; one alone is not a settled reading.
///
/// ```
/// // 1F  5D00 5100  5C00 5300  5E00 5000  2001  200100  08F0
/// // FL  SPO2 PRAT  FAST FAST  SLOW SLOW  MSTA  DEVSTA  PAIX
/// ```
///
/// Source: Pulse Oximeter Service, PLX Continuous Measurement.
public struct PLXContinuousMeasurement: CharacteristicValue {
  /// Flags of the continuous measurement; those of 2A5E are others.
  public struct Flags: OptionSet, Hashable, Sendable {
    /// The byte.
    public let rawValue: UInt8

    /// Takes any byte.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Bit 0: there is a pair with a fast response.
    public static let fastPresent = Flags(rawValue: 1 << 0)
    /// Bit 1: there is a pair with a slow response.
    public static let slowPresent = Flags(rawValue: 1 << 1)
    /// Bit 2: there is a measurement status.
    public static let measurementStatusPresent = Flags(rawValue: 1 << 2)
    /// Bit 3: there is a device and sensor status.
    public static let deviceAndSensorStatusPresent = Flags(rawValue: 1 << 3)
    /// Bit 4: there is a pulse amplitude index.
    public static let pulseAmplitudeIndexPresent = Flags(rawValue: 1 << 4)

    static let reserved = Flags(rawValue: 0xE0)
  }

  /// Oxygen saturation and pulse rate with the device's normal response.
  public var normal: PulseOximetry
  /// The pair with a fast response (Flags bit 0).
  public var fast: PulseOximetry?
  /// The pair with a slow response (Flags bit 1).
  public var slow: PulseOximetry?
  /// How far the numbers can be relied upon (Flags bit 2).
  public var measurementStatus: PLXMeasurementStatus?
  /// What is known of signal and sensor (Flags bit 3).
  public var deviceAndSensorStatus: PLXDeviceAndSensorStatus?
  /// The pulse amplitude index in percent (Flags bit 4).
  public var pulseAmplitudeIndex: MedicalFloat16?
  /// The reserved bits 5...7 of Flags as sent.
  public package(set) var reservedFlags: Flags = []
  /// What follows the last field that Flags announce.
  public package(set) var trailingBytes: [UInt8] = []

  /// Creates a measurement.
  public init(
    _ normal: PulseOximetry, fast: PulseOximetry? = nil, slow: PulseOximetry? = nil,
    measurementStatus: PLXMeasurementStatus? = nil,
    deviceAndSensorStatus: PLXDeviceAndSensorStatus? = nil,
    pulseAmplitudeIndex: MedicalFloat16? = nil
  ) {
    self.normal = normal
    self.fast = fast
    self.slow = slow
    self.measurementStatus = measurementStatus
    self.deviceAndSensorStatus = deviceAndSensorStatus
    self.pulseAmplitudeIndex = pulseAmplitudeIndex
  }

  /// Reads the fields that Flags announce, and keeps what follows them.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    let flags = Flags(rawValue: try reader.uint8(field: "Flags"))
    normal = try PulseOximetry(from: &reader, field: "SpO2PR-Normal")
    if flags.contains(.fastPresent) {
      fast = try PulseOximetry(from: &reader, field: "SpO2PR-Fast")
    }
    if flags.contains(.slowPresent) {
      slow = try PulseOximetry(from: &reader, field: "SpO2PR-Slow")
    }
    let circumstances = try PLXCircumstances(presence: flags.rawValue >> 2, from: &reader)
    measurementStatus = circumstances.measurementStatus
    deviceAndSensorStatus = circumstances.deviceAndSensorStatus
    pulseAmplitudeIndex = circumstances.pulseAmplitudeIndex
    reservedFlags = flags.intersection(.reserved)
    trailingBytes = reader.remainingBytes()
  }

  /// Writes Flags, the fields that are there, and the trailing bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint8(flags.rawValue)
    normal.encode(to: &writer)
    fast?.encode(to: &writer)
    slow?.encode(to: &writer)
    circumstances.encode(to: &writer)
    writer.append(trailingBytes)
  }

  /// Flags: which fields are there, and the reserved bits.
  public var flags: Flags {
    var flags = Flags(rawValue: circumstances.presence << 2)
    if fast != nil { flags.insert(.fastPresent) }
    if slow != nil { flags.insert(.slowPresent) }
    return flags.union(reservedFlags.intersection(.reserved))
  }

  /// Whether the normal pair is there and no status makes it invalid.
  public var isUsable: Bool { normal.hasResult && !circumstances.isUnusable }

  package var circumstances: PLXCircumstances {
    PLXCircumstances(
      measurementStatus: measurementStatus, deviceAndSensorStatus: deviceAndSensorStatus,
      pulseAmplitudeIndex: pulseAmplitudeIndex)
  }
}
