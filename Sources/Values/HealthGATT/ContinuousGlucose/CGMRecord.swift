// SPDX-License-Identifier: Apache-2.0

/// One record of a continuous glucose monitor: the glucose some minutes after the session began.
///
/// Not every record is a result of the user: see ``outcome-swift.property``.
///
/// Source: GATT Specification Supplement, CGM Measurement. Glucose is an SFLOAT in mg/dL, its trend
/// in mg/dL per minute, its quality in per cent; the words are kept as sent.
public struct CGMRecord: Hashable, Sendable {
  /// CGM Glucose Concentration as sent, in mg/dL.
  public var concentration: MedicalFloat16
  /// Time Offset: minutes since the session began, see ``CGMSessionStartTime``.
  public var timeOffset: UInt16
  /// Sensor Status Annunciation; a byte that was not sent counts as 0.
  public var sensorStatus: CGMSensorStatus
  /// CGM Trend Information as sent, in mg/dL per minute (Flags bit 0).
  public var trend: MedicalFloat16?
  /// CGM Quality as sent, in per cent (Flags bit 1).
  public var quality: MedicalFloat16?
  /// Whether the record carries its own E2E-CRC.
  public var hasCRC: Bool
  /// The reserved bits 2...4 of Flags as sent.
  public package(set) var reservedFlags: CGMFlags = []
  /// What follows the last field that Flags announce, without the E2E-CRC.
  public package(set) var trailingBytes: [UInt8] = []
  /// The bytes of the sensor status that are sent although they are 0.
  private var emptyStatusBytes: CGMFlags = []

  /// Creates a record; of the sensor status it has the bytes that are not 0.
  ///
  /// - Parameters:
  ///   - concentration: The glucose in mg/dL.
  ///   - timeOffset: Minutes since the session began.
  ///   - sensorStatus: What the device says of sensor and result.
  ///   - trend: The change in mg/dL per minute.
  ///   - quality: The quality in per cent.
  ///   - hasCRC: Whether the record carries an E2E-CRC.
  public init(
    concentration: MedicalFloat16, timeOffset: UInt16, sensorStatus: CGMSensorStatus = [],
    trend: MedicalFloat16? = nil, quality: MedicalFloat16? = nil, hasCRC: Bool = false
  ) {
    self.concentration = concentration
    self.timeOffset = timeOffset
    self.sensorStatus = sensorStatus
    self.trend = trend
    self.quality = quality
    self.hasCRC = hasCRC
  }

  /// Flags: which fields are there, and the reserved bits.
  public var flags: CGMFlags {
    var flags = reservedFlags.intersection(.reserved).union(emptyStatusBytes)
    if trend != nil { flags.insert(.trendPresent) }
    if quality != nil { flags.insert(.qualityPresent) }
    for byte in CGMFlags.statusBytes where statusByte(byte.shift) != 0 { flags.insert(byte.flag) }
    return flags
  }

  private func statusByte(_ shift: UInt32) -> UInt8 {
    UInt8(truncatingIfNeeded: sensorStatus.rawValue >> shift)
  }
}

// MARK: - The wire

extension CGMRecord {
  /// Reads one record, as long as its size says.
  ///
  /// Two bytes or more after the last field that Flags announce end in the E2E-CRC: whether there
  /// is one is nowhere else in the record.
  init(from reader: inout PayloadReader) throws(PayloadError) {
    let start = reader.offset
    let size = Int(try reader.uint8(field: "Size"))
    let flags = CGMFlags(rawValue: try reader.uint8(field: "Flags"))
    guard size >= flags.recordSize else {
      throw PayloadError(
        .outOfRange, field: "Size", offset: start,
        message: "The fields that Flags announce take \(flags.recordSize) bytes. Refuse the value.")
    }
    self.init(
      concentration: try reader.medicalFloat16(field: "CGM Glucose Concentration"),
      timeOffset: try reader.uint16(field: "Time Offset"))
    reservedFlags = flags.intersection(.reserved)
    try readStatus(flags, from: &reader)
    if flags.contains(.trendPresent) {
      trend = try reader.medicalFloat16(field: "CGM Trend Information")
    }
    if flags.contains(.qualityPresent) {
      quality = try reader.medicalFloat16(field: "CGM Quality")
    }
    try readEnd(size - (reader.offset - start), from: &reader, recordStart: start)
  }

  private mutating func readStatus(
    _ flags: CGMFlags, from reader: inout PayloadReader
  ) throws(PayloadError) {
    for byte in CGMFlags.statusBytes where flags.contains(byte.flag) {
      let value = try reader.uint8(field: byte.field)
      sensorStatus.insert(CGMSensorStatus(rawValue: UInt32(value) << byte.shift))
      if value == 0 { emptyStatusBytes.insert(byte.flag) }
    }
  }

  private mutating func readEnd(
    _ count: Int, from reader: inout PayloadReader, recordStart: Int
  ) throws(PayloadError) {
    hasCRC = count >= 2
    trailingBytes = try reader.bytes(hasCRC ? count - 2 : count, field: "CGM Measurement Record")
    if hasCRC { try reader.e2eCRC(from: recordStart) }
  }

  func encode(to writer: inout PayloadWriter) {
    let start = writer.bytes.count
    let flags = flags
    writer.uint8(UInt8(clamping: flags.recordSize + trailingBytes.count + (hasCRC ? 2 : 0)))
    writer.uint8(flags.rawValue)
    writer.medicalFloat16(concentration)
    writer.uint16(timeOffset)
    for byte in CGMFlags.statusBytes where flags.contains(byte.flag) {
      writer.uint8(statusByte(byte.shift))
    }
    if let trend { writer.medicalFloat16(trend) }
    if let quality { writer.medicalFloat16(quality) }
    writer.append(trailingBytes)
    if hasCRC { writer.e2eCRC(from: start) }
  }
}
