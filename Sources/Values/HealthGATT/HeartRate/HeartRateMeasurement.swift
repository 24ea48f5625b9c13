// SPDX-License-Identifier: Apache-2.0

/// Heart Rate Measurement (2A37): what a heart rate sensor finds, about once a second.
///
/// ```
/// // 1E  3A  3201  0A04  1004
/// // FL  HR  ENER  RR0   RR1
/// ```
///
/// Source: GATT Specification Supplement, Heart Rate Measurement.
public struct HeartRateMeasurement: CharacteristicValue {
  /// The heart rate in beats per minute.
  public var beatsPerMinute: UInt16 {
    didSet { if beatsPerMinute > UInt8.max { isTwoByteRate = true } }
  }
  /// Whether the heart rate has two bytes on the wire (Flags bit 0); always so above 255.
  public private(set) var isTwoByteRate: Bool
  /// Energy Expended in kilojoules since it was last reset (Flags bit 3); it stays at 65535.
  public var energyExpended: UInt16?
  /// The intervals between beats, oldest first (Flags bit 4); the list may be empty.
  public var rrIntervals: [RRInterval]?
  /// Bits 1 and 2 as sent: one of the two values that mean "not supported" included.
  private var contactFlags: HeartRateFlags
  /// The reserved bits 5...7 of Flags as sent.
  public package(set) var reservedFlags: HeartRateFlags = []
  /// What follows the last field, when there are no intervals to fill the packet.
  public package(set) var trailingBytes: [UInt8] = []

  /// Creates a measurement.
  public init(
    beatsPerMinute: UInt16, sensorContact: SensorContact = .unsupported,
    energyExpended: UInt16? = nil, rrIntervals: [RRInterval]? = nil
  ) {
    self.beatsPerMinute = beatsPerMinute
    isTwoByteRate = beatsPerMinute > UInt8.max
    contactFlags = sensorContact.flags
    self.energyExpended = energyExpended
    self.rrIntervals = rrIntervals
  }

  /// Reads the fields that Flags announce.
  ///
  /// - Throws: `truncated`, also for half an interval at the end.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    let flags = HeartRateFlags(rawValue: try reader.uint8(field: "Flags"))
    isTwoByteRate = flags.contains(.twoByteRate)
    beatsPerMinute =
      isTwoByteRate
      ? try reader.uint16(field: "Heart Rate Measurement Value")
      : UInt16(try reader.uint8(field: "Heart Rate Measurement Value"))
    contactFlags = flags.intersection(.sensorContact)
    if flags.contains(.energyExpendedPresent) {
      energyExpended = try reader.uint16(field: "Energy Expended")
    }
    if flags.contains(.rrIntervalPresent) {
      rrIntervals = try Self.rrIntervals(from: &reader)
    }
    reservedFlags = flags.intersection(.reserved)
    trailingBytes = reader.remainingBytes()
  }

  private static func rrIntervals(
    from reader: inout PayloadReader
  ) throws(PayloadError) -> [RRInterval] {
    var intervals: [RRInterval] = []
    intervals.reserveCapacity(reader.remainingCount / 2)
    while reader.remainingCount > 0 {
      intervals.append(RRInterval(rawValue: try reader.uint16(field: "RR-Interval")))
    }
    return intervals
  }

  /// Writes Flags, the fields that are there, and the trailing bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint8(flags.rawValue)
    if isTwoByteRate {
      writer.uint16(beatsPerMinute)
    } else {
      writer.uint8(UInt8(truncatingIfNeeded: beatsPerMinute))
    }
    if let energyExpended { writer.uint16(energyExpended) }
    for interval in rrIntervals ?? [] { writer.uint16(interval.rawValue) }
    writer.append(trailingBytes)
  }

  /// Flags: the width of the rate, the contact, which fields are there, and the reserved bits.
  public var flags: HeartRateFlags {
    var flags = contactFlags.union(reservedFlags.intersection(.reserved))
    if isTwoByteRate { flags.insert(.twoByteRate) }
    if energyExpended != nil { flags.insert(.energyExpendedPresent) }
    if rrIntervals != nil { flags.insert(.rrIntervalPresent) }
    return flags
  }

  /// Whether the sensor touches the skin.
  public var sensorContact: SensorContact {
    get { SensorContact(contactFlags) }
    set { contactFlags = newValue.flags }
  }

  /// Whether this is the rate of a beating heart: above 0, and the sensor is not off the skin.
  public var isReading: Bool { beatsPerMinute > 0 && sensorContact != .notDetected }

  /// The energy expended in kilocalories, not rounded.
  public var energyExpendedKilocalories: Double? {
    energyExpended.map { Double($0) / BodyCompositionMeasurement.kilojoulesPerKilocalorie }
  }
}
