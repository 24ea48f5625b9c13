// SPDX-License-Identifier: Apache-2.0

import AppleHealthExport
import Testing

/// A record with the attributes that it must have, and more.
private func record(_ attributes: String, type: String = "T") -> String {
  """
   <Record type="\(type)" sourceName="S" startDate="2020-01-01 00:00:00 +0000" \
  endDate="2020-01-01 00:00:00 +0000" \(attributes)/>

  """
}

private func read(_ content: String) throws(HealthExportError) -> Reading {
  try Reading(SampleDocument.document(content))
}

@Suite struct `Tolerance of the reader` {
  @Test func `counts each text that is not UTF-8, and replaces what cannot be read`() throws {
    let name = "Jos\u{E9}’s Watch"
    let text =
      record(#"device="\#(name)""#) + record("") + record(#"device="\#(name)""#)
        + #"""
         <Record type="T" sourceName="S" startDate="2020-01-01 00:00:00 +0000" \#
        endDate="2020-01-01 00:00:00 +0000"><MetadataEntry key="k" value="\#(name)"/></Record>
        """#
    let good = Array(SampleDocument.document(text).utf8)
    #expect(try Reading(good, blocks: { .max }).problems.count == 0)
    // The first letter that is not ASCII as Latin-1 has it.
    let parts = good.split(separator: [0xC3, 0xA9])
    let bad = Array(parts.joined(separator: [0xE9]))
    let reading = try Reading(bad, blocks: { 7 })
    #expect(reading.problems.counts == [.notUTF8: 3])
    #expect(reading.problems.first.map(\.element) == ["Record", "Record", "MetadataEntry"])
    #expect(reading[reading.found.records.first?.sample.device] == "Jos\u{FFFD}’s Watch")
    #expect(reading.found.records.last?.sample.metadata.first?.value == "Jos\u{FFFD}’s Watch")
  }

  @Test func `takes the first of two attributes with one name`() throws {
    let reading = try read(record(#"value="1" value="2" startDate="2021-01-01 00:00:00 +0000""#))
    #expect(reading.found.records.map(\.value) == [.number(1)])
    #expect(reading.found.records.map(\.sample.start.seconds) == [599_529_600])
    let workout = SampleDocument.newWorkout.split(separator: " sum=").joined(
      separator: #" startDate="2000-01-01 00:00:00 +0000" sum="#)
    let twice = try read(workout)
    #expect(
      twice.found.workouts.first?.activities.first?.statistics.first?.start.seconds == 768_414_375)
  }

  @Test func `reads attributes in any order`() throws {
    let reading = try read(
      """
      <Record value='7' endDate='2020-01-01 00:00:01 +0000'
      \tstartDate = "2020-01-01 00:00:00 +0000"   sourceName="S"unit="count" type="T" ></Record>
      """)
    let record = try #require(reading.found.records.first)
    #expect(record.value == .number(7))
    #expect(record.sample.end.seconds - record.sample.start.seconds == 1)
    #expect(reading[record.unit] == "count" && reading[record.sample.type] == "T")
  }

  @Test(arguments: [
    (#"device="a > b""#, "a > b"), (#"device="it's""#, "it's"), (#"device='say "x"'"#, #"say "x""#),
    (#"device="a&amp;b&lt;c&gt;d&quot;e&apos;f""#, #"a&b<c>d"e'f"#),
    (#"device="a&#10;b&#xE4;c&#x1F600;""#, "a\nb\u{E4}c\u{1F600}"),
    (#"device="a&amp;amp;b""#, "a&amp;b"), (#"device="a&unknown;b&c""#, "a&unknown;b&c"),
    (#"device="&#0;&#xD800;&#x110000;&#;""#, "\u{FFFD}\u{FFFD}\u{FFFD}&#;"),
    ("device=\"a\u{B}b\u{1}\"", "a\u{B}b\u{1}"), (#"device="a<b""#, "a<b"),
    (#"device="<<HKDevice: 0x1>, name:X>""#, "name:X"),
    (#"device="&lt;&lt;HKDevice: 0x1&gt;&gt;""#, ""), (#"device="""#, ""),
    (#"device="Sam’s\#u{A0}Watch""#, "Sam’s\u{A0}Watch"),
  ])
  func `reads a value`(attribute: String, text: String) throws {
    let reading = try read(record(attribute) + record(""))
    #expect(reading.found.records.count == 2)
    #expect(reading[reading.found.records.first?.sample.device] == text)
  }

  @Test func `does not take an escaped text for the same text unescaped`() throws {
    let reading = try read(
      record(#"device="a&amp;b""#) + record(#"device="a&amp;amp;b""#)
        + record(#"device="a&#38;b""#))
    #expect(reading.found.records.map { reading[$0.sample.device] } == ["a&b", "a&amp;b", "a&b"])
    #expect(Set(reading.found.records.map(\.sample.device)).count == 2)
  }

  @Test func `repairs invalid UTF-8`() throws {
    var bytes = Array(SampleDocument.document(record(#"device="a#b""#)).utf8)
    let place = try #require(bytes.lastIndex(of: UInt8(ascii: "#")))
    bytes[place] = 0xFF
    let reading = try Reading(bytes, blocks: { .max })
    #expect(reading[reading.found.records.first?.sample.device] == "a\u{FFFD}b")
  }

  @Test func `skips comments, instructions and character data`() throws {
    let reading = try read(
      "<!-- \(record("")) --><?echo '\(record(""))?>" + "<![CDATA[ \(record("")) ]] > ]]]>"
        + "<!---->\(record("")) text & more < 5 << <>")
    // The instruction ends with the first bracket: a lost end must not hide the rest.
    #expect(reading.counts.records == 1)
    #expect(reading.problems.count == 0)
  }

  @Test func `passes over a byte order mark`() throws {
    let reading = try Reading("\u{FEFF}" + SampleDocument.document(SampleDocument.steps))
    #expect(reading.counts.records == 1)
  }

  @Test(
    arguments: [
      [0xFE, 0xFF, 0, 0x3C], [0xFF, 0xFE, 0x3C, 0], [0x3C, 0, 0x3F, 0], [0, 0x3C, 0, 0x3F],
      [0, 0, 0xFE, 0xFF],
    ] as [[UInt8]])
  func `refuses UTF-16`(beginning: [UInt8]) {
    for size in [1, 4] {
      let error = #expect(throws: HealthExportError.self) {
        _ = try Reading(beginning, blocks: { size })
      }
      #expect(error?.code == .unsupportedEncoding)
      #expect(error?.description.contains("UTF-16") == true)
    }
  }

  @Test(arguments: [
    "", "no XML at all", "<ClinicalDocument/>", "<?xml version=\"1.0\"?><Record/>", "<", "<Health",
    "\u{FEFF}", "<!DOCTYPE HealthData [",
  ])
  func `refuses what is not an export`(text: String) {
    let error = #expect(throws: HealthExportError.self) { _ = try Reading(text) }
    #expect(error?.code == .notAHealthExport)
  }

  @Test func `ignores what follows the end of the document`() throws {
    let reading = try Reading(SampleDocument.document(SampleDocument.steps) + record("") + "<Rec")
    #expect(reading.counts.records == 1)
    #expect(reading.isComplete && reading.problems.count == 0)
  }
}

@Suite struct `Problems of single elements` {
  @Test(arguments: [
    (#"value="1,5""#, ExportProblem.Kind.badNumber, "value"),
    (#"value="nan" unit="count""#, .badNumber, "value"), (#"value="0x10""#, .badNumber, "value"),
    (#"value="1e999""#, .badNumber, "value"), (#"value="-""#, .badNumber, "value"),
    (#"creationDate="yesterday""#, .badDate, "creationDate"),
    (#"creationDate="""#, .badDate, "creationDate"),
  ])
  func `refuses a record`(attributes: String, kind: ExportProblem.Kind, name: String) throws {
    let reading = try read(record(attributes) + record(#"value="5""#))
    #expect(reading.found.records.map(\.value) == [.number(5)])
    #expect(reading.counts.unread == 1)
    let problem = try #require(reading.problems.first.first)
    #expect(problem.kind == kind && problem.attribute == name && problem.element == "Record")
    let bytes = Array(SampleDocument.document(record(attributes)).utf8)
    #expect(String(decoding: bytes[problem.offset...].prefix(7), as: UTF8.self) == "<Record")
    #expect(reading.position.elements == 2)
  }

  @Test(arguments: ["type", "startDate", "endDate"])
  func `refuses a record without an attribute that it must have`(name: String) throws {
    let text = record("").split(separator: " \(name)=").joined(separator: " x=")
    let reading = try read(text + record(""))
    #expect(reading.counts.records == 1 && reading.counts.unread == 1)
    #expect(reading.problems.first.map(\.kind) == [.missingAttribute])
    #expect(reading.problems.first.map(\.attribute) == [name])
  }

  @Test func `skips the content of a record that it refuses`() throws {
    let text = SampleDocument.inBed.split(separator: "2025-04-28 01")
      .joined(separator: "2025-13-01 01")
    let reading = try read(text + SampleDocument.steps)
    #expect(reading.counts.records == 1 && reading.counts.unread == 1)
    #expect(reading.found.records.first?.sample.metadata.isEmpty == true)
  }

  @Test func `delivers a correlation without a record that it refuses`() throws {
    let text = SampleDocument.pressure.split(separator: "\"136\"").joined(separator: "\"1 36\"")
    let reading = try read(text)
    let correlation = try #require(reading.found.correlations.first)
    #expect(correlation.records.map(\.value) == [.number(69)])
    #expect(correlation.unreadRecords == 1 && reading.counts.unread == 1)
  }

  @Test func `delivers a workout without a part that it refuses`() throws {
    let text = SampleDocument.newWorkout.split(separator: "\"2025-05-08 17:45").joined(
      separator: "\"2025-05-08 17:65")
    let workout = try #require(try read(text).found.workouts.first)
    #expect(workout.events.isEmpty && workout.activities.count == 1)
    #expect(workout.sample.metadata.map(\.value) == ["0"])
  }

  @Test func `keeps the first hundred problems and counts all`() throws {
    let text = String(repeating: record(#"value="1.2.3""#), count: 150)
    let reading = try read(text)
    #expect(reading.problems.first.count == 100)
    #expect(reading.problems.counts == [.badNumber: 150])
    #expect(reading.counts.unread == 150)
  }

  @Test func `names no value in the description of a problem`() throws {
    let reading = try read(record(#"value="1-SECRET""#) + record(#"creationDate="SECRET""#))
    #expect(reading.problems.count == 2)
    #expect(reading.problems.first.first?.description == "not a number: Record, value (byte 894)")
    #expect(!reading.problems.first.contains { $0.description.contains("SECRET") })
  }

  @Test func `goes on after a tag that is too long`() throws {
    let long = String(repeating: "x", count: 2 << 20)
    let content = SampleDocument.steps + record("device=\"\(long)\"") + SampleDocument.inBed
    for size in [1 << 16, .max] {
      let reading = try Reading(SampleDocument.document(content), blocks: size)
      #expect(reading.counts.records == 2 && reading.counts.unread == 1)
      #expect(reading.problems.first.map(\.kind) == [.tagTooLong])
      #expect(reading.position.elements == 3)
    }
  }

  @Test func `skips the content of an element whose tag is too long`() throws {
    let long = String(repeating: "x", count: 1 << 20)
    let text = SampleDocument.pressure.split(separator: "<Correlation").joined(
      separator: "<Correlation device=\"\(long)\"")
    #expect(text.utf8.count > 1 << 20)
    let reading = try read(text + SampleDocument.steps)
    #expect(reading.counts.records == 1)
    #expect(reading.counts.correlations == 0 && reading.counts.unread == 1)
  }

  @Test func `reads a tag of almost a mebibyte`() throws {
    let long = String(repeating: "x", count: 1 << 20 - 200)
    let reading = try Reading(
      SampleDocument.document(record("device=\"\(long)\"")), blocks: 1 << 16)
    #expect(reading.counts.records == 1)
  }

  @Test func `drops content beyond what is kept`() throws {
    let entry = "<MetadataEntry key=\"k\" value=\"\(String(repeating: "x", count: 900_000))\"/>"
    let tag = record("").split(separator: "/").joined()
    let reading = try read(
      tag + String(repeating: entry, count: 20) + "</Record>" + SampleDocument.steps)
    #expect(reading.counts.records == 2)
    #expect(reading.found.records.first?.sample.metadata.count == 18)
    #expect(reading.problems.counts == [.contentTooLarge: 2])
  }
}

@Suite struct `Documents with broken tags` {
  @Test(arguments: [
    // A lost quotation mark, at the end and at the beginning of a value.
    #"<Record type="T sourceName="S" value="3" unit="count"/>"#, #"<Record type=T" value="3"/>"#,
    #"<Record type="T" value="3/>"#, #"<Record type="T" value="3"#,
    // A lost bracket.
    #"<Record type="T" value="3""#, "<Record", "<Record type=", "<",
    // A quotation mark of the other kind, which is not met again.
    #"<Record type='T" value="3"/>"#,
  ])
  func `go on with the next tag`(text: String) throws {
    let reading = try read(SampleDocument.steps + text + "\n" + SampleDocument.inBed)
    #expect(reading.counts.records == 2)
    #expect(reading.found.records.last?.sample.metadata.count == 1)
    #expect(reading.isComplete)
  }

  @Test func `say where the broken tag is`() throws {
    let before = SampleDocument.type(version: 14) + "<HealthData>\n"
    let reading = try Reading(
      before + #"<Record type="T" value="3/>"# + SampleDocument.steps + "</HealthData>")
    #expect(reading.problems.first.map(\.kind) == [.brokenTag])
    #expect(reading.problems.first.map(\.offset) == [before.utf8.count])
    #expect(reading.counts.unread == 1)
  }

  @Test func `end an element that lacks its end tag before the next one`() throws {
    let text = [SampleDocument.inBed, SampleDocument.pressure, SampleDocument.newWorkout]
      .map { $0.split(separator: "</").dropLast().joined(separator: "</") }
    let reading = try read(text.joined() + SampleDocument.steps + text[0])
    #expect(reading.counts.records == 3 && reading.counts.workouts == 1)
    #expect(reading.counts.correlations == 1)
    #expect(reading.found.correlations.first?.records.count == 2)
    #expect(reading.problems.counts == [.unclosedElement: 4])
    #expect(reading.isComplete && reading.position.elements == 5)
  }

  @Test func `end a nested record that lacks its end tag with its correlation`() throws {
    let parts = SampleDocument.pressure.split(separator: "</Record>")
    let reading = try read(parts.joined() + SampleDocument.steps)
    #expect(reading.found.correlations.first?.records.count == 2)
    #expect(reading.counts.records == 1)
  }

  @Test func `ignore end tags that end nothing`() throws {
    let reading = try read("</Record></X></Correlation>" + SampleDocument.steps + "</Workout>")
    #expect(reading.counts.records == 1 && reading.problems.count == 0)
  }
}
