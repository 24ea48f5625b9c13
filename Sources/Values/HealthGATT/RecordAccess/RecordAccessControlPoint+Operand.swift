// SPDX-License-Identifier: Apache-2.0

extension RecordAccessControlPoint {
  /// Operand: what follows op code and operator.
  public enum Operand: Hashable, Sendable {
    /// Nothing.
    case empty
    /// A filter by sequence number.
    case sequenceNumbers(RecordRange<UInt16>)
    /// A filter by the time that the user sees.
    case userFacingTimes(RecordRange<DateTime>)
    /// A filter of a type that has no name here, with its parameters as they came.
    case otherFilter(type: UInt8, [UInt8])
    /// A number of records, in two bytes.
    case count(UInt16)
    /// A number of records, in four bytes as some services other than the glucose service send it.
    case wideCount(UInt32)
    /// The answer to a request.
    case response(to: OpCode, ResponseCode)
    /// What belongs to an op code or an operator that has no name.
    case bytes([UInt8])
  }
}

extension RecordAccessControlPoint.Operand {
  typealias ControlPoint = RecordAccessControlPoint

  init(
    _ opCode: ControlPoint.OpCode, _ recordOperator: ControlPoint.Operator,
    from reader: inout PayloadReader
  ) throws(PayloadError) {
    switch opCode {
    case .responseCode:
      self = .response(
        to: ControlPoint.OpCode(rawValue: try reader.uint8(field: "Request Op Code")),
        ControlPoint.ResponseCode(rawValue: try reader.uint8(field: "Response Code Value")))
    case .numberOfStoredRecordsResponse, .combinedReportResponse:
      self =
        reader.remainingCount < 4
        ? .count(try reader.uint16(field: "Number of Records"))
        : .wideCount(try reader.uint32(field: "Number of Records"))
    case _ where opCode.takesSelection:
      self = try Self.selection(recordOperator, from: &reader)
    default:
      self = Self.unknown(reader.remainingBytes())
    }
  }

  /// The operand of a request; for operators that take none, what follows is refused by the caller.
  private static func selection(
    _ recordOperator: ControlPoint.Operator, from reader: inout PayloadReader
  ) throws(PayloadError) -> Self {
    switch recordOperator {
    case .allRecords, .firstRecord, .lastRecord:
      return .empty
    case .lessThanOrEqualTo, .greaterThanOrEqualTo, .withinRangeOf:
      let filterType = try reader.uint8(field: "Filter Type")
      switch ControlPoint.FilterType(rawValue: filterType) {
      case .sequenceNumber:
        return .sequenceNumbers(
          try RecordRange(recordOperator, from: &reader) { reader throws(PayloadError) in
            try reader.uint16(field: "Sequence Number")
          })
      case .userFacingTime:
        return .userFacingTimes(
          try RecordRange(recordOperator, from: &reader) { reader throws(PayloadError) in
            try DateTime(from: &reader)
          })
      case nil:
        return .otherFilter(type: filterType, reader.remainingBytes())
      }
    default:
      return unknown(reader.remainingBytes())
    }
  }

  private static func unknown(_ bytes: [UInt8]) -> Self {
    bytes.isEmpty ? .empty : .bytes(bytes)
  }

  func encode(to writer: inout PayloadWriter) {
    switch self {
    case .empty: break
    case .sequenceNumbers(let range):
      writer.uint8(ControlPoint.FilterType.sequenceNumber.rawValue)
      for bound in range.bounds { writer.uint16(bound) }
    case .userFacingTimes(let range):
      writer.uint8(ControlPoint.FilterType.userFacingTime.rawValue)
      for bound in range.bounds { bound.encode(to: &writer) }
    case .otherFilter(let type, let parameters):
      writer.uint8(type)
      writer.append(parameters)
    case .count(let count): writer.uint16(count)
    case .wideCount(let count): writer.uint32(count)
    case .response(let request, let code):
      writer.uint8(request.rawValue)
      writer.uint8(code.rawValue)
    case .bytes(let bytes): writer.append(bytes)
    }
  }
}
