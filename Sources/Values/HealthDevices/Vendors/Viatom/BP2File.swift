// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// The list of measurements that a Viatom BP2 keeps, the file `bp2nibp.list`.
///
/// Ten bytes of header, then 37 for each measurement in the order of a ring, the newest anywhere:
///
/// ```
/// // 10A19E69  07000000  01  00000000  8F00  5B00  6C00  4D00  00 × 16
/// // UNIX      USER      IR  ?         SYST  DIAS  MAP   PULS  ?
/// ```
///
/// Source: chalimov/viatom_bp2_ha. The file is always sent whole, so measurements come again and
/// again. Places without pressures are empty, and bytes that make no whole measurement are kept.
package struct BP2File: Hashable, Sendable {
  /// The name of the file on the device.
  package static let name = "bp2nibp.list"

  /// A measurement.
  package struct Record: Hashable, Sendable {
    /// Seconds since 1970, counted by the device's clock, which shows local time.
    package let seconds: UInt32
    /// The user.
    package let user: UInt32
    /// Whether the pulse was irregular.
    package let hasIrregularPulse: Bool
    /// In mmHg.
    package let systolic: UInt16
    /// In mmHg.
    package let diastolic: UInt16
    /// In mmHg.
    package let meanArterialPressure: UInt16
    /// Beats per minute.
    package let pulseRate: UInt16

    /// The 37 bytes that it was read from.
    package let bytes: [UInt8]

    /// The time on the device's clock.
    package var time: LocalDateTime { LocalDateTime(secondsSince1970: Int(seconds)) }
  }

  private static let headerCount = 10
  private static let recordCount = 37

  /// The measurements, in the order of the file.
  package let records: [Record]
  /// The bytes after the last whole measurement.
  package let trailingBytes: [UInt8]

  /// Reads the whole file.
  ///
  /// - Throws: `truncated` when the file has no whole header.
  package init(payload: some Collection<UInt8>) throws(PayloadError) {
    var reader = PayloadReader(payload)
    _ = try reader.bytes(Self.headerCount, field: "Header")
    var records: [Record] = []
    while reader.remainingCount >= Self.recordCount {
      let record = try Record(bytes: try reader.bytes(Self.recordCount, field: "Record"))
      if record.systolic != 0, record.diastolic != 0 { records.append(record) }
    }
    self.records = records
    trailingBytes = reader.remainingBytes()
  }
}

extension BP2File.Record {
  init(bytes: [UInt8]) throws(PayloadError) {
    var reader = PayloadReader(bytes)
    self.bytes = bytes
    seconds = try reader.uint32(field: "Time")
    user = try reader.uint32(field: "User")
    hasIrregularPulse = try reader.uint8(field: "Irregular Pulse") == 1
    _ = try reader.bytes(4, field: "Reserved")
    systolic = try reader.uint16(field: "Systolic")
    diastolic = try reader.uint16(field: "Diastolic")
    meanArterialPressure = try reader.uint16(field: "Mean Arterial Pressure")
    pulseRate = try reader.uint16(field: "Pulse Rate")
  }
}
