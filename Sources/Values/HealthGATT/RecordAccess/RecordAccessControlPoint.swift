// SPDX-License-Identifier: Apache-2.0

/// Record Access Control Point (2A52): a request for stored records, or the answer to one.
///
/// ```
/// // 01  03  01 0700      records from number 7 on
/// // OP  OR  FT MIN.
/// // 06  00  01 06        answer to request 1: no records found
/// // OP  OR  RQ CODE
/// ```
///
/// Op codes, operators, filter types and response codes without a name are kept as they came, with
/// their operand. An operand that cannot be right for a known op code and operator is refused.
///
/// Source: GATT Specification Supplement, Record Access Control Point; Glucose Service §3.4;
/// Continuous Glucose Monitoring Service 1.0.2, in which it carries no E2E-CRC.
public struct RecordAccessControlPoint: CharacteristicValue {
  /// Op Code: what is asked or answered.
  public let opCode: OpCode
  /// Operator: how the filter selects records.
  public let recordOperator: Operator
  /// Operand: the filter, the number of records, or the response.
  public let operand: Operand

  init(_ opCode: OpCode, _ recordOperator: Operator, _ operand: Operand) {
    self.opCode = opCode
    self.recordOperator = recordOperator
    self.operand = operand
  }

  /// Reads op code, operator, and the operand that belongs to them.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    opCode = OpCode(rawValue: try reader.uint8(field: "Op Code"))
    recordOperator = Operator(rawValue: try reader.uint8(field: "Operator"))
    operand = try Operand(opCode, recordOperator, from: &reader)
  }

  /// Writes op code, operator and operand.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint8(opCode.rawValue)
    writer.uint8(recordOperator.rawValue)
    operand.encode(to: &writer)
  }
}

extension RecordAccessControlPoint {
  /// Asks for stored records, which come as notifications before the response.
  public static func reportRecords(_ selection: RecordSelection) -> RecordAccessControlPoint {
    RecordAccessControlPoint(.reportStoredRecords, selection.recordOperator, selection.operand)
  }

  /// Asks how many records there are.
  public static func reportNumberOfRecords(
    _ selection: RecordSelection
  ) -> RecordAccessControlPoint {
    RecordAccessControlPoint(
      .reportNumberOfStoredRecords, selection.recordOperator, selection.operand)
  }

  /// Asks for stored records with their number in the response.
  public static func combinedReport(_ selection: RecordSelection) -> RecordAccessControlPoint {
    RecordAccessControlPoint(.combinedReport, selection.recordOperator, selection.operand)
  }

  /// Erases records in the device; readings that were not uploaded are lost with them.
  public static func deleteRecords(_ selection: RecordSelection) -> RecordAccessControlPoint {
    RecordAccessControlPoint(.deleteStoredRecords, selection.recordOperator, selection.operand)
  }

  /// Ends the request in progress.
  public static let abort = RecordAccessControlPoint(.abortOperation, .null, .empty)

  /// Answers a request.
  public static func response(
    to request: OpCode, _ code: ResponseCode
  ) -> RecordAccessControlPoint {
    RecordAccessControlPoint(.responseCode, .null, .response(to: request, code))
  }

  /// Answers how many records there are, in two bytes.
  public static func numberOfRecords(_ count: UInt16) -> RecordAccessControlPoint {
    RecordAccessControlPoint(.numberOfStoredRecordsResponse, .null, .count(count))
  }

  /// Ends a combined report with the number of records that were sent, in two bytes.
  public static func combinedReportResponse(_ count: UInt16) -> RecordAccessControlPoint {
    RecordAccessControlPoint(.combinedReportResponse, .null, .count(count))
  }

  /// The records that a request is about; nil for answers and for what this package does not know.
  public var selection: RecordSelection? {
    guard opCode.takesSelection else { return nil }
    return switch (recordOperator, operand) {
    case (.allRecords, .empty): .all
    case (.firstRecord, .empty): .first
    case (.lastRecord, .empty): .last
    case (_, .sequenceNumbers(let range)): .sequenceNumbers(range)
    case (_, .userFacingTimes(let range)): .userFacingTimes(range)
    default: nil
    }
  }

  /// The number of records in an answer; nil for everything else.
  public var numberOfRecords: Int? {
    switch operand {
    case .count(let count): Int(count)
    case .wideCount(let count): Int(count)
    default: nil
    }
  }
}
