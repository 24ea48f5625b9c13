// SPDX-License-Identifier: Apache-2.0

import PayloadInspection
import PayloadTesting
import HealthGATT
import TestSupport
import Testing

private typealias ControlPoint = RecordAccessControlPoint

@Suite struct `Record access control point` {
  @Test(
    arguments: [
      ("01 01", .reportRecords(.all)), ("01 05", .reportRecords(.first)),
      ("01 06", .reportRecords(.last)), ("04 01", .reportNumberOfRecords(.all)),
      ("02 01", .deleteRecords(.all)), ("07 01", .combinedReport(.all)), ("03 00", .abort),
      ("01 02 01 0900", .reportRecords(.sequenceNumbers(.through(9)))),
      ("01 03 01 0102", .reportRecords(.sequenceNumbers(.from(0x0201)))),
      ("04 04 01 0100 FFFF", .reportNumberOfRecords(.sequenceNumbers(.within(1, 65_535)))),
      ("06 00 01 06", .response(to: .reportStoredRecords, .noRecordsFound)),
      ("06 00 03 07", .response(to: .abortOperation, .abortUnsuccessful)),
      ("05 00 FF01", .numberOfRecords(511)), ("08 00 0700", .combinedReportResponse(7)),
    ] as [(String, RecordAccessControlPoint)])
  func `has these bytes`(hexadecimal: String, message: RecordAccessControlPoint) throws {
    let payload = try bytes(hexadecimal)

    #expect(message.payload == payload)
    #expect(try ControlPoint(payload: payload) == message)
  }

  @Test func `filters by the time that the user sees`() throws {
    let first = try DateTime(payload: try bytes("EA07 03 01 00 0A 00"))
    let last = try DateTime(payload: try bytes("EA07 03 02 17 3B 3B"))

    #expect(
      ControlPoint.reportRecords(.userFacingTimes(.from(first))).payload
        == (try bytes("01 03 02 EA070301000A00")))
    #expect(
      try ControlPoint(payload: try bytes("01 04 02 EA070301000A00 EA070302173B3B")).selection
        == .userFacingTimes(.within(first, last)))
  }

  @Test func `refuses an impossible time in a filter`() throws {
    let error = try refusal(of: try bytes("01 03 02 EA070D01000A00"), as: "2A52")

    #expect(error.code == .outOfRange)
    #expect(error.field == "Month")
    #expect(error.offset == 5)
  }

  @Test(
    arguments: [
      (
        "06 00 01 01", ["Op Code", "Operator", "Request Op Code", "Response Code Value"],
        [0, 1, 2, 3]
      ),
      ("05 00 0700", ["Op Code", "Operator", "Number of Records"], [0, 1, 2]),
      ("08 00 0700", ["Op Code", "Operator", "Number of Records"], [0, 1, 2]),
      (
        "01 04 01 0100 0200",
        ["Op Code", "Operator", "Filter Type", "Sequence Number", "Sequence Number"],
        [0, 1, 2, 3, 5]
      ),
      (
        "04 03 02 EA070301000A00", ["Op Code", "Operator", "Filter Type", "Date Time"],
        [0, 1, 2, 3]
      ),
      ("01 01", ["Op Code", "Operator"], [0, 1]),
    ] as [(String, [String], [Int])])
  func `names the field that is cut`(
    hexadecimal: String, fields: [String], starts: [Int]
  ) throws {
    let payload = try bytes(hexadecimal)
    for length in 0..<payload.count {
      let error = try refusal(of: Array(payload[..<length]), as: "2A52")
      let cut = try #require(starts.lastIndex { $0 <= length })

      #expect(error.code == .truncated, "\(length) bytes")
      #expect(error.field == fields[cut], "\(length) bytes")
      #expect(error.offset == starts[cut], "\(length) bytes")
    }
  }

  @Test(arguments: [
    ("01 01 00", 2), ("01 05 01", 2), ("04 06 01 0700", 2), ("02 01 FF", 2),
    ("01 03 01 0700 00", 5), ("01 04 01 0700 0900 0B", 7), ("06 00 01 01 00", 4),
    ("05 00 0700 00", 4), ("05 00 07000000 00", 6),
  ])
  func `refuses an operand that is too long`(hexadecimal: String, offset: Int) throws {
    let error = try refusal(of: try bytes(hexadecimal), as: "2A52")

    #expect(error.code == .trailingBytes)
    #expect(error.offset == offset)
  }

  @Test(arguments: [
    "09 00 AB CD", "1C 01", "01 07 01 02", "01 00", "01 03 07 01 02 03", "03 00 01", "03 01",
  ])
  func `keeps what it does not know`(hexadecimal: String) throws {
    let payload = try bytes(hexadecimal)
    let message = try ControlPoint(payload: payload)

    #expect(message.selection == nil)
    #expect(message.numberOfRecords == nil)
    #expect(message.payload == payload)
  }

  @Test func `reads a number of records of two or four bytes`() throws {
    #expect(try ControlPoint(payload: try bytes("05 00 0000")).numberOfRecords == 0)
    #expect(try ControlPoint(payload: try bytes("05 00 FFFF")).numberOfRecords == 65_535)
    #expect(try ControlPoint(payload: try bytes("05 00 01000100")).numberOfRecords == 65_537)
    #expect(try ControlPoint(payload: try bytes("08 00 03000000")).numberOfRecords == 3)
    #expect(
      try ControlPoint(payload: try bytes("05 00 01000100")).payload
        == (try bytes("05 00 01000100")))
  }

  @Test func `an unknown response is not success`() throws {
    let message = try ControlPoint(payload: try bytes("06 00 01 2A"))

    #expect(
      message.operand
        == .response(to: .reportStoredRecords, ControlPoint.ResponseCode(rawValue: 0x2A)))
    #expect(message != .response(to: .reportStoredRecords, .success))
  }

  @Test func `shows the filter of a request`() throws {
    let decoded = try CharacteristicCodec.decode(
      characteristic: "2A52", payload: try bytes("01 04 01 0A00 1401"))

    #expect(
      decoded.fields == [
        .init("opcode", .integer(1)), .init("operator", .integer(4)),
        .init("operand", .text("010a001401")), .init("filter_type", .integer(1)),
        .init("min", .integer(10)), .init("max", .integer(276)),
      ])
  }

  @Test func `gives the selection of each kind of request`() throws {
    for opCode in ["01", "02", "04", "07"] {
      #expect(try ControlPoint(payload: try bytes("\(opCode) 01")).selection == .all)
      #expect(try ControlPoint(payload: try bytes("\(opCode) 05")).selection == .first)
      #expect(try ControlPoint(payload: try bytes("\(opCode) 06")).selection == .last)
      #expect(
        try ControlPoint(payload: try bytes("\(opCode) 02 01 0500")).selection
          == .sequenceNumbers(.through(5)))
    }
  }
}
