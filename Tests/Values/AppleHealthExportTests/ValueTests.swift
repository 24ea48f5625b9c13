// SPDX-License-Identifier: Apache-2.0

import AppleHealthExport
import TestSupport
import Testing

/// Reads records that begin at dates.
private func read(dates: [String]) throws -> Reading {
  let records = dates.map {
    """
     <Record type="T" sourceName="S" startDate="\($0)" endDate="2020-01-01 00:00:00 +0000"/>

    """
  }
  return try Reading(SampleDocument.document(records.joined()))
}

/// Reads records with values.
private func read(values: [String]) throws -> Reading {
  let records = values.map {
    """
     <Record type="T" unit="count" startDate="2020-01-01 00:00:00 +0000" \
    endDate="2020-01-01 00:00:00 +0000" value="\($0)"/>

    """
  }
  return try Reading(SampleDocument.document(records.joined()))
}

@Suite struct `Dates of an export` {
  // The expected numbers are those of Python's datetime.
  private static let dates: [(text: String, seconds: Int, offset: Int)] = [
    ("2019-05-14 20:37:51 -0400", 579_573_471, -14_400),
    ("2001-01-01 00:00:00 +0000", 0, 0),
    ("2000-12-31 23:59:59 +0000", -1, 0),
    ("2024-02-29 12:00:00 +0530", 730_881_000, 19_800),
    ("1900-03-01 00:00:00 +0000", -3_182_198_400, 0),
    ("2000-02-29 00:00:00 -0930", -26_490_600, -34_200),
    ("1969-12-31 16:00:00 -0800", -978_307_200, -28_800),
    ("9999-12-31 23:59:59 +0000", 252_423_993_599, 0),
    ("0001-01-01 00:00:00 +0000", -63_113_904_000, 0),
    ("2023-01-01 00:30:00 +1400", 694_175_400, 50_400),
    ("2019-05-14T20:37:51-04:00", 579_573_471, -14_400),
    ("2019-05-15 00:37:51Z", 579_573_471, 0), ("2019-05-15 00:37:51 Z", 579_573_471, 0),
    ("2019-05-14 20:37:51.999 -0400", 579_573_471, -14_400),
    ("2019-05-15 02:37:51,5 +02", 579_573_471, 7200),
    ("2019-05-15 02:37:51.123456+02:00", 579_573_471, 7200),
  ]

  @Test func `are instants with an offset`() throws {
    let reading = try read(dates: Self.dates.map(\.text))
    #expect(reading.problems.count == 0)
    #expect(reading.found.records.map(\.sample.start.seconds) == Self.dates.map(\.seconds))
    #expect(reading.found.records.map(\.sample.start.utcOffsetSeconds) == Self.dates.map(\.offset))
  }

  @Test func `do not depend on the dates before them`() throws {
    for seed in 0..<40 {
      var random = SeededGenerator(seed: UInt64(seed))
      let dates = (0..<60).map { _ in
        Self.dates.randomElement(using: &random) ?? Self.dates[0]
      }
      let reading = try read(dates: dates.map(\.text))
      #expect(reading.found.records.map(\.sample.start.seconds) == dates.map(\.seconds))
    }
  }

  @Test(arguments: [
    "2019-13-14 20:37:51 -0400", "2019-00-14 20:37:51 -0400", "2019-02-29 20:37:51 -0400",
    "1900-02-29 20:37:51 -0400", "2019-04-31 20:37:51 -0400", "2019-05-00 20:37:51 -0400",
    "2019-05-14 25:00:00 -0400", "2019-05-14 24:00:00 -0400", "2019-05-14 20:60:51 -0400",
    "2019-05-14 20:37:60 -0400", "2019-05-14 20:37:51 -0460", "2019-05-14 20:37:51 -1900",
    "2019-05-14 20:37:51", "2019-05-14 20:37:51 0400", "2019-05-14 20:37:51 -04000",
    "2019-05-14 20:37:51 -040", "2019-05-14 20.37:51 -0400", "2019/05/14 20:37:51 -0400",
    "19-05-14 20:37:51 -0400", "0000-05-14 20:37:51 -0400", "2019-05-14 20:3a:51 -0400",
    "2019-05-14 20:37:51 -04:0", "2019-05-14 20:37:51.", "2019-05-14 20:37:51 ", "2019-05-14",
    "", "yesterday", "2019-05-14 2 :37:51 -0400", "２019-05-14 20:37:51 -0400",
  ])
  func `are refused when no calendar has them`(text: String) throws {
    // Between two dates of the same day, which are remembered.
    let right = "2019-05-14 20:37:51 -0400"
    let reading = try read(dates: [right, text, right])
    #expect(reading.found.records.map(\.sample.start.seconds) == [579_573_471, 579_573_471])
    #expect(reading.problems.first.map(\.kind) == [.badDate])
    #expect(reading.problems.first.map(\.attribute) == ["startDate"])
  }
}

@Suite struct `Numbers of an export` {
  @Test(
    arguments: [
      ("0", 0), ("-0.5", -0.5), (".5", 0.5), ("5.", 5), ("+7", 7), ("417", 417), ("1e3", 1000),
      ("1.5E-2", 0.015), ("5.19412346680959", 5.19412346680959), ("0.1", 0.1),
      ("9007199254740993", 9_007_199_254_740_992),
      ("123456789012345678901234567890", 1.2345678901234568e29),
      ("0.000000000000000000000001", 1e-24), ("00012", 12),
      ("1.7976931348623157e308", .greatestFiniteMagnitude),
    ] as [(String, Double)])
  func `are read`(text: String, number: Double) throws {
    #expect(try read(values: [text]).found.records.map(\.value) == [.number(number)])
  }

  @Test func `are rounded as the C library does`() throws {
    var random = SeededGenerator(seed: 7)
    let texts = (0..<5000).map { _ in
      let digits = (0..<Int.random(in: 1...20, using: &random)).map { _ in
        String(Int.random(in: 0...9, using: &random))
      }
      let point = Int.random(in: 0...digits.count, using: &random)
      return digits[..<point].joined() + "." + digits[point...].joined()
    }
    let expected = texts.map { text in
      Double(text.hasPrefix(".") ? "0" + text : text.hasSuffix(".") ? text + "0" : text)
    }
    let records = try read(values: texts).found.records
    #expect(records.map(\.value) == expected.map { .number($0 ?? .nan) })
  }

  @Test(arguments: [
    "1.2.3", "1,5", "--1", "1-", "1e", "e5", "nan", "inf", "-inf", "0x10", "1e400", "1 ", " 1", ".",
    "-", "+", "１",
  ])
  func `are refused when they are none`(text: String) throws {
    let reading = try read(values: [text, "2"])
    #expect(reading.found.records.map(\.value) == [.number(2)])
    #expect(reading.problems.counts == [.badNumber: 1])
  }

  @Test func `are told from names by their first character`() throws {
    let text = SampleDocument.mindful.split(separator: "/>").joined(separator: " value=\"nan\"/>")
    let reading = try Reading(SampleDocument.document(text))
    guard case .name(let name) = reading.found.records.first?.value else {
      Issue.record("the value is no name")
      return
    }
    #expect(reading[name] == "nan")
  }
}

@Suite struct `Strings of an export` {
  @Test func `are bounded in memory`() throws {
    // More than are kept, in 70 strings of a million bytes that differ at their beginning.
    let text = String(repeating: "x", count: 1_000_000)
    var reader = HealthExportReader(handler: Collector())
    try reader.feed(Array("<HealthData>".utf8))
    for number in 0..<70 {
      let record = """
        <Record type="\(number)\(text)" startDate="2020-01-01 00:00:00 +0000" \
        endDate="2020-01-01 00:00:00 +0000"/>
        """
      try reader.feed(Array(record.utf8))
    }
    #expect(reader.counts.records == 67)
    #expect(reader.problems.counts == [.tooManyStrings: 3])
  }

  @Test func `are found again among many`() throws {
    let names = (0..<20_000).map { "name \($0 % 10_000)" }
    let records = names.map {
      """
      <Record type="T" sourceName="\($0)" startDate="2020-01-01 00:00:00 +0000" \
      endDate="2020-01-01 00:00:00 +0000"/>
      """
    }
    let reading = try Reading(SampleDocument.document(records.joined()))
    #expect(reading.found.records.map { reading[$0.sample.source] } == names)
    // And the empty string, and the type.
    #expect(reading.strings.count == 10_002)
  }
}
