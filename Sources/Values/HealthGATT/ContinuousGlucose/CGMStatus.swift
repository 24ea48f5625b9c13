// SPDX-License-Identifier: Apache-2.0

/// CGM Status (2AA9): how a continuous glucose monitor is now, also when it does not measure.
///
/// ```
/// // 0500  3F 3F FF  A7E0
/// // OFFS  ST CT WA  E2ECRC
/// ```
///
/// Source: GATT Specification Supplement, CGM Status. The E2E-CRC is there where CGM Feature
/// announces it.
public struct CGMStatus: CharacteristicValue {
  /// Time Offset: minutes since the session began.
  public var timeOffset: UInt16
  /// CGM Status: the same bits as in a record.
  public var sensorStatus: CGMSensorStatus
  /// Whether the value carries an E2E-CRC.
  public var hasCRC: Bool

  /// Creates a status.
  public init(timeOffset: UInt16, sensorStatus: CGMSensorStatus = [], hasCRC: Bool = false) {
    self.timeOffset = timeOffset
    self.sensorStatus = sensorStatus
    self.hasCRC = hasCRC
  }

  /// Reads five bytes, and the E2E-CRC where it follows.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    timeOffset = try reader.uint16(field: "Time Offset")
    sensorStatus = CGMSensorStatus(rawValue: try reader.uint24(field: "CGM Status"))
    hasCRC = try reader.endsWithE2ECRC()
  }

  /// Writes the fields, and the E2E-CRC of a value that has one.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint16(timeOffset)
    writer.uint24(sensorStatus.rawValue)
    if hasCRC { writer.e2eCRC() }
  }
}
