// SPDX-License-Identifier: Apache-2.0

/// CGM Measurement (2AA7): one or more records of a continuous glucose monitor.
///
/// It is notified at intervals, and for records that the Record Access Control Point was asked for.
///
/// ```
/// // 06 00 7800 1E00  0F E3 7800 1E00 01 02 03 5000 6000 ECAC
/// // SZ FL GLUC OFFS  SZ FL GLUC OFFS ST CT WA TREN QUAL E2ECRC
/// ```
///
/// Source: GATT Specification Supplement, CGM Measurement; Continuous Glucose Monitoring Service
/// 1.0.2.
public struct CGMMeasurement: CharacteristicValue {
  /// The records, in the order of the payload; at least one.
  public let records: [CGMRecord]

  /// Creates a measurement of one record.
  public init(_ record: CGMRecord) {
    records = [record]
  }

  /// Creates a measurement of several records.
  ///
  /// - Parameter records: The records; a device sends as many as one notification holds.
  /// - Throws: `outOfRange` when there is none.
  public init(_ records: [CGMRecord]) throws(PayloadError) {
    guard !records.isEmpty else {
      throw PayloadError(
        .outOfRange, field: "CGM Measurement", message: "It has no record. Give it one.")
    }
    self.records = records
  }

  /// Reads records to the end of the payload.
  ///
  /// - Throws: What is wrong with the first record that cannot be read; then none is returned.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    var records = [try CGMRecord(from: &reader)]
    while reader.remainingCount > 0 { records.append(try CGMRecord(from: &reader)) }
    self.records = records
  }

  /// Writes the records.
  public func encode(to writer: inout PayloadWriter) {
    for record in records { record.encode(to: &writer) }
  }
}
