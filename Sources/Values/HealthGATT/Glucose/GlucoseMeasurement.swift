// SPDX-License-Identifier: Apache-2.0

/// Glucose Measurement (2A18): one record of a blood glucose meter.
///
/// Not every record is a result of the user: see `outcome` and `isControlSolution`.
///
/// ```
/// // 1B  0700  EA0703 01 00 0A 00  3C00  62B0  11  2000
/// // FL  SEQN  YEAR   .. BASE TIME  OFFS  CONC  TL  STAT
/// ```
///
/// Source: GATT Specification Supplement, Glucose Measurement; Glucose Service. The concentration
/// is an SFLOAT in kg/L or mol/L; the word is kept as sent.
public struct GlucoseMeasurement: CharacteristicValue {
  /// The units of the concentration on the wire.
  public enum Unit: String, Hashable, Sendable {
    /// Kilogram in a litre: 100 000 mg/dL.
    case kilogramPerLiter = "kg/L"
    /// Mole in a litre: 1000 mmol/L.
    case molePerLiter = "mol/L"
  }

  /// The number of the record, which grows by one for each record of the device.
  ///
  /// It never changes, even when the clock is set. After 65535 comes 0, and some meters
  /// begin again when their memory is cleared.
  public var sequenceNumber: UInt16
  /// The device's clock at the measurement, without the corrections in `timeOffset`.
  public var baseTime: Timestamp
  /// Time Offset in minutes: what the user has moved the clock by (Flags bit 0).
  public var timeOffset: Int16?
  /// The unit of the concentration (Flags bit 2).
  public var unit: Unit
  /// What was measured (Flags bit 1); nil for a record of an error.
  public var sample: GlucoseSample?
  /// What the device found wrong (Flags bit 3).
  public var sensorStatus: GlucoseSensorStatus?
  /// Whether the device says that a context follows (Flags bit 4).
  ///
  /// Some meters say so and send none, others send one without saying so.
  public var contextFollows: Bool
  /// The reserved bits 5...7 of Flags as sent.
  public package(set) var reservedFlags: GlucoseFlags = []
  /// What follows the last field that Flags announce.
  public package(set) var trailingBytes: [UInt8] = []

  /// Creates a measurement.
  public init(
    sequenceNumber: UInt16, baseTime: Timestamp, timeOffset: Int16? = nil,
    unit: Unit = .kilogramPerLiter, sample: GlucoseSample? = nil,
    sensorStatus: GlucoseSensorStatus? = nil, contextFollows: Bool = false
  ) {
    self.sequenceNumber = sequenceNumber
    self.baseTime = baseTime
    self.timeOffset = timeOffset
    self.unit = unit
    self.sample = sample
    self.sensorStatus = sensorStatus
    self.contextFollows = contextFollows
  }

  /// Reads the fields that Flags announce, and keeps what follows them.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    let flags = GlucoseFlags(rawValue: try reader.uint8(field: "Flags"))
    sequenceNumber = try reader.uint16(field: "Sequence Number")
    baseTime = try reader.timestamp(field: "Base Time")
    if flags.contains(.timeOffsetPresent) {
      timeOffset = try reader.int16(field: "Time Offset")
    }
    unit = flags.contains(.molesPerLiter) ? .molePerLiter : .kilogramPerLiter
    if flags.contains(.samplePresent) { sample = try GlucoseSample(from: &reader) }
    if flags.contains(.sensorStatusPresent) {
      sensorStatus = GlucoseSensorStatus(
        rawValue: try reader.uint16(field: "Sensor Status Annunciation"))
    }
    contextFollows = flags.contains(.contextFollows)
    reservedFlags = flags.intersection(.reserved)
    trailingBytes = reader.remainingBytes()
  }

  /// Writes Flags, the fields that are there, and the trailing bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint8(flags.rawValue)
    writer.uint16(sequenceNumber)
    writer.timestamp(baseTime)
    if let timeOffset { writer.int16(timeOffset) }
    sample?.encode(to: &writer)
    if let sensorStatus { writer.uint16(sensorStatus.rawValue) }
    writer.append(trailingBytes)
  }

  /// Flags: the unit, which fields are there, and the reserved bits.
  public var flags: GlucoseFlags {
    var flags = reservedFlags.intersection(.reserved)
    if timeOffset != nil { flags.insert(.timeOffsetPresent) }
    if sample != nil { flags.insert(.samplePresent) }
    if unit == .molePerLiter { flags.insert(.molesPerLiter) }
    if sensorStatus != nil { flags.insert(.sensorStatusPresent) }
    if contextFollows { flags.insert(.contextFollows) }
    return flags
  }
}
