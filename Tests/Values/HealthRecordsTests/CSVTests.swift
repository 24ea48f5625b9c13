// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import Foundation
import HealthRecords
import TestSupport
import Testing

@Suite struct `CSV export` {
  private let csv = RecordCSV()

  /// The rows without the columns of the offset, the device's time, the receipt, the drift and the
  /// status.
  private func rows(of record: HealthRecord) throws -> String {
    try csv.rows(of: record).components(separatedBy: "\r\n").map { row in
      var cells = row.components(separatedBy: ",")
      if cells.count > 13 {
        cells.removeSubrange(10...13)
        cells.remove(at: 7)
      }
      return cells.joined(separator: ",")
    }.joined(separator: "\r\n")
  }

  @Test func `begins with the names of the columns`() {
    #expect(
      csv.header
        == "log_id,type,category,name,part,start_time,end_time,offset,utc_offset,time_origin,"
        + "device_time,received,clock_drift,status,metric,value,qualifier,unit,shown_value,"
        + "shown_unit,origin,source,manufacturer,model,device_id,tags,notes\r\n")
  }

  @Test func `has a row for each metric and quotes what needs it`() throws {
    let head =
      "0123456789abcdef0123456789abcdef,measurement,,,,2018-04-17T13:51:00Z,"
      + "2018-04-17T13:51:00Z,7200,device,"
    let tail =
      "device,bluetooth,A&D,UA-651BLE,5160400123,irregular_pulse=true,"
      + "\"message=after \"\"lunch\"\"\n\u{1}é\"\r\n"
    #expect(
      try rows(of: Example.record)
        == "\(head)systolic,120,,mmHg,,,\(tail)\(head)diastolic,80,,mmHg,,,\(tail)"
        + "\(head)pulse,61.5,,bpm,,,\(tail)")
  }

  @Test func `has a row for each point and reading with its own time and sensor`() throws {
    let day = "steps-2023-11-21,intraday,,,,"
    #expect(
      try rows(of: KindExample.intraday.record)
        == "\(day)2023-11-21T06:00:00Z,2023-11-21T06:00:00Z,3600,received,steps,12,,count,,,"
        + "device,apple_health,,,,,\r\n"
        + "\(day)2023-11-21T06:05:00Z,2023-11-21T06:15:00Z,3600,received,steps,0,,count,,,"
        + "device,apple_health,,,,,\r\n"
        + "\(day)2023-11-21T06:10:00.500Z,2023-11-21T06:10:00.500Z,3600,received,steps,40.5,,count,,,"
        + "device,apple_health,,,,,\r\n")
    var record = KindExample.cgm.record
    record.source.devices["b"]?.model = "Two"
    #expect(
      try rows(of: record)
        == "2023-11-21,cgm,,,,2023-11-21T06:00:00Z,2023-11-21T07:00:00Z,3600,device,"
        + "blood_glucose,107.5,,mg/dL,,,device,bluetooth,,,,,\r\n"
        + "2023-11-21,cgm,,,,2023-11-21T06:00:00Z,2023-11-21T06:00:00Z,3600,device,"
        + "blood_glucose,104,,mg/dL,,,device,bluetooth,,Two,b,,\r\n"
        + "2023-11-21,cgm,,,,2023-11-21T06:05:00Z,2023-11-21T06:05:00Z,3600,device,"
        + "blood_glucose,107,,mg/dL,,,device,bluetooth,,,,,\r\n"
        + "2023-11-21,cgm,,,,2023-11-21T06:10:00Z,2023-11-21T06:10:00Z,3600,device,"
        + "blood_glucose,111.5,,mg/dL,,,device,bluetooth,,,,,\r\n")
  }

  @Test func `has the distance of a point from the start, also where no time is believed`() throws {
    var record = FHIRExample.hour(.intraday, [Metric(.perfusionIndex, 3)])
    record.series = [
      MetricSeries(
        .pulse,
        [(0, 60), (4, 61), (8.5, 62)].map {
          DataPoint(time: record.time.start.addingTimeInterval($0.0), value: $0.1)
        })
    ]
    func offsets() throws -> [[String]] {
      try csv.rows(of: record).components(separatedBy: "\r\n").dropLast().map {
        Array($0.components(separatedBy: ",")[5...7])
      }
    }
    #expect(
      try offsets() == [
        ["2018-04-17T13:51:00Z", "2018-04-17T14:51:00Z", ""],
        ["2018-04-17T13:51:00Z", "2018-04-17T13:51:00Z", "0"],
        ["2018-04-17T13:51:04Z", "2018-04-17T13:51:04Z", "4"],
        ["2018-04-17T13:51:08.500Z", "2018-04-17T13:51:08.500Z", "8.5"],
      ])
    record.time.origin = .received
    record.time.deviceTime = LocalDateTime("2015-01-01T00:00:00")
    #expect(try offsets() == [["", "", ""], ["", "", "0"], ["", "", "4"], ["", "", "8.5"]])
  }

  @Test func `says which clock a time came from, and whether a row counts`() throws {
    var record = FHIRExample.measurement([Metric(.pulse, 60)])
    record.time.origin = .deviceCorrected
    record.time.deviceTime = LocalDateTime("2018-04-17T13:51:00")
    record.time.clockDriftSeconds = -7200
    let times = "2018-04-17T13:51:00Z,2018-04-17T13:51:00Z,,7200,device_corrected,"
    let clock = "2018-04-17T13:51:00,2018-04-17T13:51:40.250Z,-7200,"
    #expect(try csv.rows(of: record).hasPrefix("m1,measurement,,,,\(times)\(clock),pulse,60,"))
    record.lastUpdated = record.time.received
    #expect(try csv.rows(of: record).contains(",-7200,corrected,pulse,"))
    record.enteredInError = record.time.received
    #expect(try csv.rows(of: record).contains(",-7200,entered_in_error,pulse,"))
    record.time.origin = .received
    #expect(try csv.rows(of: record).hasPrefix("m1,measurement,,,,,,,7200,received,2018-04-17T13"))
  }

  @Test func `names the part of a meal`() throws {
    let head = "meal-1,nutrition,breakfast,,"
    let middle = ",2023-11-21T06:00:00Z,2023-11-21T06:00:00Z,3600,user,"
    #expect(
      try rows(of: KindExample.nutrition.record)
        == "\(head)\(middle)energy_consumed,312.5,,kcal,,,manual,apple_health,,,,,\r\n"
        + "\(head)Kitchen / Egg\(middle)energy_consumed,155,,kcal,,,manual,apple_health,,,,,\r\n"
        + "\(head)Café\(middle)water,250,,mL,,,manual,apple_health,,,,,\r\n")
  }

  @Test(arguments: [
    ("=1+1", "'=1+1"), ("+49", "'+49"), ("-5", "'-5"), ("@SUM(A1)", "'@SUM(A1)"),
    ("\u{ff1d}1+1", "'\u{ff1d}1+1"), ("\u{ff0b}1", "'\u{ff0b}1"), ("\u{ff0d}1", "'\u{ff0d}1"),
    ("\u{ff20}A1", "'\u{ff20}A1"), (" =1", "' =1"),
    ("\u{a0}\u{200b}\u{feff}=1", "'\u{a0}\u{200b}\u{feff}=1"),
    ("\t=1", "\"'\t'=1\""), ("\r=1", "\"'\r'=1\""), ("\n=1", "\"'\n'=1\""), ("\tx", "\"'\tx\""),
    ("x;=1+1", "\"x;'=1+1\""), ("x; \u{ff1d}1", "\"x;' \u{ff1d}1\""), ("x\t@A1", "\"x\t'@A1\""),
    ("x\r\n+1", "\"x\r\n'+1\""), ("x;;-1;", "\"x;;'-1;\""), ("x;\"=1\"", "\"x;'\"\"=1\"\"\""),
    ("x;y", "\"x;y\""), ("x,=1", "\"x,=1\""), ("\"=1\"", "\"\"\"=1\"\"\""),
    ("=A1,\"x\"", "\"'=A1,\"\"x\"\"\""), ("a=b", "a=b"), ("1-2", "1-2"), ("'x", "'x"),
    ("\"\u{301}", "\"\"\"\u{301}\""), ("a\r\nb", "\"a\r\nb\""), (" x ", " x "), (" ", " "),
  ])
  func `guards spreadsheets against formulas`(name: String, cell: String) throws {
    var record = KindExample.workout.record
    record.name = name
    record.metrics = [Metric(.bodyTemperatureDeviation, -0.5)]
    let rows = try csv.rows(of: record)
    #expect(rows.hasPrefix("run-7,workout,running,\(cell),,2023"))
    // A negative number is a number.
    #expect(rows.contains(",body_temperature_deviation,-0.5,,°C,"))
  }

  @Test func `guards the findings, which it joins with semicolons`() throws {
    var record = KindExample.workout.record
    record.tags = [RecordTag(name: "a", value: "b"), RecordTag(name: "=c", value: "-d")]
    let rows = try csv.rows(of: record)
    #expect(rows.contains(",\"a=b;' =c=-d\","))
  }

  @Test func `leaves texts as they are for programs`() throws {
    var record = KindExample.workout.record
    record.name = "=1+1"
    record.category = "x;=1"
    let rows = try RecordCSV(guardsFormulas: false).rows(of: record)
    #expect(rows.hasPrefix("run-7,workout,\"x;=1\",=1+1,,"))
  }

  @Test func `begins with a byte order mark only if asked to`() throws {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let marked = try RecordCSV(hasByteOrderMark: true).table(of: [Example.record])
    let plain = try csv.table(of: [Example.record])
    #expect(marked == mark + plain)
    #expect(plain.starts(with: "log_id,".utf8))
  }

  /// A spreadsheet that splits at semicolons and does not know where a cell of ours begins.
  @Test func `leaves no formula to who splits at another separator`() throws {
    var random = SeededGenerator(seed: 12)
    let alphabet: [Unicode.Scalar] = [
      "=", "+", "-", "@", ";", "\t", "\r", "\n", "\"", ",", " ", "a", "\u{ff1d}", "\u{a0}",
    ]
    for _ in 0..<2000 {
      var record = KindExample.workout.record
      let scalars = (0..<6).compactMap { _ in alphabet.randomElement(using: &random) }
      record.name = String(String.UnicodeScalarView(scalars))
      let parts = try csv.rows(of: record).unicodeScalars.split {
        [";", "\t", "\r", "\n"].contains($0)
      }
      for part in parts {
        let first = part.first { ![" ", "\u{a0}", "\""].contains($0) }
        #expect(!["=", "+", "-", "@", "\u{ff1d}"].contains(first), "\(scalars)")
      }
    }
  }

  @Test func `joins header and records to a table that reads back`() throws {
    var random = SeededGenerator(seed: 6)
    let records = (0..<200).map { _ in HealthRecord.random(using: &random) }
    let table = try RecordCSV(guardsFormulas: false).table(of: records)
    let rows = CSVReader.rows(String(decoding: table, as: UTF8.self))
    #expect(rows.first == RecordCSV.columns)
    #expect(rows.allSatisfy { $0.count == RecordCSV.columns.count })
    let values = records.flatMap(\.everyValue)
    #expect(rows.dropFirst().map { $0[14] } == values.map(\.type.rawValue))
    #expect(rows.dropFirst().map { Double($0[15]) } == values.map(\.value))
  }

  @Test func `refuses a record that is not valid`() {
    var record = Example.record
    record.metrics[0].value = .nan
    #expect(throws: RecordError.self) { try csv.rows(of: record) }
  }
}

/// A reader of RFC 4180 by the letter, apart from the writer.
enum CSVReader {
  static func rows(_ text: String) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var cell = String.UnicodeScalarView()
    var isQuoted = false
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch (scalar, isQuoted) {
      case ("\"", true) where rest.first == "\"":
        rest.removeFirst()
        cell.append(scalar)
      case ("\"", _): isQuoted.toggle()
      case (",", false):
        row.append(String(cell))
        cell = String.UnicodeScalarView()
      case ("\r", false) where rest.first == "\n":
        rest.removeFirst()
        rows.append(row + [String(cell)])
        row = []
        cell = String.UnicodeScalarView()
      default: cell.append(scalar)
      }
    }
    return rows
  }
}

extension HealthRecord {
  /// The values that rows are made of, in their order.
  fileprivate var everyValue: [Metric] {
    var values = metrics
    for series in series {
      values += series.dataPoints.map { Metric(series.type, $0.value) }
      values += series.readingLog.map(series.metric)
    }
    for segment in segments { values += segment.metrics + segment.food.flatMap(\.metrics) }
    return values
  }
}
