// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing
import SantorioJSON
import CivilCalendar

/// Every member of every kind is taken away, made null and given another type in turn.
@Suite struct `Malformed record` {
  private static let texts = KindExample.all.map(\.json) + [Example.json]

  /// The members without which a record is refused; `#` stands for any index.
  private static let required: Set<String> = [
    "log_id", "type", "start_time", "source", "source.type", "metrics", "metrics[#].type",
    "metrics[#].unit", "metrics[#].value", "time.origin", "tags[#].name", "tags[#].value",
    "user_notes[#].type", "user_notes[#].value", "granularity.interval", "granularity.unit",
    "metrics[#].data_points[#].time", "metrics[#].data_points[#].value",
    "metrics[#].reading_log[#].time", "metrics[#].reading_log[#].value", "segments[#].name",
    "segments[#].metrics[#].type", "segments[#].metrics[#].unit", "segments[#].metrics[#].value",
    "segments[#].food[#].name", "segments[#].food[#].metrics[#].type",
    "segments[#].food[#].metrics[#].unit", "segments[#].food[#].metrics[#].value",
    "segments[#].food[#].serving.amount", "segments[#].food[#].serving.unit_name",
    "media[#].sha256", "media[#].content_type", "media[#].size",
  ]

  /// The members that stand for a metric's value, and that its value is missed without.
  private static let inPlaceOfValue = ["metrics[#].data_points", "metrics[#].reading_log"]

  /// The only member that is written and never read.
  private static let unread = "version"

  @Test(arguments: texts)
  func `is refused without a required member and only then`(text: String) throws {
    let json = try JSONParser.parse(text.utf8)
    for place in json.places() {
      let pattern = place.pattern
      for changed in [json.replacing(place, by: nil), json.replacing(place, by: .null)] {
        let error = error(of: changed)
        if Self.required.contains(pattern) {
          #expect(error?.code == .missing, "\(place)")
          #expect(error?.path == place.description)
        } else if Self.inPlaceOfValue.contains(pattern) {
          #expect(error?.code == .missing)
          #expect(error?.path == place.dropLast.description + ".value")
        } else {
          #expect(error == nil, "\(place)")
        }
      }
    }
  }

  @Test(arguments: texts)
  func `is refused where a member has another type`(text: String) throws {
    let json = try JSONParser.parse(text.utf8)
    // Extras may be of any type; everything else is of one, and that is never this.
    let places = json.places().filter { !$0.pattern.hasPrefix("extras[") }
    for place in places where place.description != Self.unread {
      let isBool = if case .bool = json[place] { true } else { false }
      let wrong: JSONValue = isBool ? .string("true") : .bool(true)
      let error = error(of: json.replacing(place, by: wrong))
      #expect(error?.code == .wrongType, "\(place)")
      #expect(error?.path == place.description)
    }
  }

  @Test(arguments: [
    ("intraday", #""interval":5"#, #""interval":0"#, "granularity.interval"),
    ("intraday", #""unit":"min""#, #""unit":"""#, "granularity.unit"),
    ("intraday", #""unit":"count""#, #""unit":"""#, "metrics[0]"),
    ("intraday", "2023-11-21T06:05:00Z", "06:05", "metrics[0].data_points[1].time"),
    ("intraday", "2023-11-21T06:05:00Z", "1066-10-14T06:05:00Z", "metrics[0].data_points[1].time"),
    ("intraday", "06:15:00Z", "06:04:59Z", "metrics[0].data_points[1].end_time"),
    ("intraday", "2023-11-21T06:15:00Z", "soon", "metrics[0].data_points[1].end_time"),
    ("cgm", "07:00:09+01:00", "07:00:09+1", "metrics[1].reading_log[0].display_time"),
    ("cgm", "2023-11-21T07:00:09+01:00", "today", "metrics[1].reading_log[0].display_time"),
    ("cgm", #""origin":"device","unit""#, #""origin":"moon","unit""#, "metrics[0].origin"),
    ("nutrition", #""amount":1.5"#, #""amount":-1"#, "segments[0].food[1].serving.amount"),
    ("nutrition", #""unit":"mL""#, #""unit":"""#, "segments[1].metrics[0]"),
    ("measurement", "ba7816bf", "BA7816BF", "media[0].sha256"),
    ("measurement", "ba7816bf", "ba7816b", "media[0].sha256"),
    ("measurement", "image/jpeg", "", "media[0].content_type"),
    ("measurement", #""size":3"#, #""size":-3"#, "media[0].size"),
    ("summary", "T22:00:00.250Z", "T22:00:61Z", "updated_at"),
    ("summary", #""utc_offset":3600"#, #""utc_offset":86341"#, "utc_offset"),
  ])
  func `is refused for a value out of range`(
    kind: String, part: String, replacement: String, path: String
  ) throws {
    let example = try #require(KindExample.all.first { $0.record.kind.rawValue == kind })
    let text = example.json.replacingOccurrences(of: part, with: replacement)
    try #require(text != example.json)
    let error = #expect(throws: RecordError.self) { try HealthRecord(informJSON: text.utf8) }
    #expect(error?.code == .invalidValue)
    #expect(error?.path == path)
  }

  private static let never = LocalDateTime(
    year: 12_024, month: -1, day: 1, hour: 0, minute: 0, second: 0)

  @Test func `is refused before it is written`() {
    func path(_ example: KindExample, _ change: (inout HealthRecord) -> Void) -> String? {
      var record = example.record
      change(&record)
      return #expect(throws: RecordError.self) { try record.informJSON() }?.path
    }
    #expect(
      path(.workout) { $0.segments = [NutritionSegment(name: "", metrics: [])] } == "segments")
    #expect(path(.workout) { $0.extras = ["a": .number(.nan)] } == "extras[0]")
    #expect(path(.workout) { $0.time.clockDriftSeconds = .infinity } == "time.clock_drift")
    #expect(path(.workout) { $0.time.start = .distantPast } == "start_time")
    #expect(path(.workout) { $0.time.deviceTime = Self.never } == "time.device_time")
    #expect(path(.workout) { $0.lastUpdated = .distantPast } == "updated_at")
    #expect(
      path(.intraday) { $0.series[0].dataPoints[2].value = .nan }
        == "metrics[0].data_points[2].value")
    for end in [Date(timeIntervalSince1970: .nan), .distantPast, KindExample.morning - 1] {
      #expect(
        path(.intraday) { $0.series[0].dataPoints[0].end = end }
          == "metrics[0].data_points[0].end_time")
    }
    #expect(path(.intraday) { $0.series[0].dataPoints = [] } == "metrics[0].data_points")
    #expect(
      path(.cgm) { $0.series[0].readingLog[1].value = -.infinity }
        == "metrics[1].reading_log[1].value")
    #expect(
      path(.cgm) { $0.series[0].readingLog[2].displayUTCOffsetMinutes = 60 }
        == "metrics[1].reading_log[2].display_time")
    #expect(
      path(.cgm) { $0.series[0].readingLog[2].displayTime = Self.never }
        == "metrics[1].reading_log[2].display_time")
    #expect(
      path(.nutrition) { $0.segments[0].food[0].metrics[0].value = .nan }
        == "segments[0].food[0].metrics[0].value")
  }

  private func error(of json: JSONValue) -> RecordError? {
    do throws(RecordError) {
      _ = try HealthRecord(JSONReader(json))
      return nil
    } catch {
      return error
    }
  }
}

/// The way to a member of an object.
private struct Place: CustomStringConvertible {
  enum Step: Hashable {
    case name(String)
    case foreign(String, number: Int)
    case index(Int)

    /// The member's name.
    var name: String? {
      switch self {
      case .name(let name), .foreign(let name, _): name
      case .index: nil
      }
    }
  }
  var steps: [Step] = []

  var description: String { text { "[\($0)]" } }
  var pattern: String { text { _ in "[#]" } }
  var dropLast: Place { Place(steps: steps.dropLast()) }

  /// Names of extras and devices may be personal: the path has their position instead.
  private func text(_ index: (Int) -> String) -> String {
    steps.reduce("") { text, step in
      switch step {
      case .foreign(_, let number): text + index(number)
      case .name(let name): text.isEmpty ? name : "\(text).\(name)"
      case .index(let number): text + index(number)
      }
    }
  }
}

extension JSONValue {
  /// The places of all members of objects in this value.
  fileprivate func places(_ here: Place = Place()) -> [Place] {
    switch self {
    case .object(let members):
      members.enumerated().flatMap { number, member in
        let isForeign = ["extras", "source.devices"].contains(here.description)
        let step: Place.Step =
          isForeign ? .foreign(member.name, number: number) : .name(member.name)
        let place = Place(steps: here.steps + [step])
        return [place] + member.value.places(place)
      }
    case .array(let values):
      values.enumerated().flatMap { $1.places(Place(steps: here.steps + [.index($0)])) }
    default: []
    }
  }

  fileprivate subscript(place: Place) -> JSONValue? {
    place.steps.reduce(self) { value, step in
      if let name = step.name { return value?[name] }
      guard case .index(let index) = step, case .array(let values)? = value else { return nil }
      return values[index]
    }
  }

  /// This value with another at a place, or without that member when there is none.
  fileprivate func replacing(_ place: Place, by other: JSONValue?) -> JSONValue {
    guard let step = place.steps.first else { return other ?? .null }
    let rest = Place(steps: Array(place.steps.dropFirst()))
    switch (step, self) {
    case (.index(let index), .array(var values)):
      values[index] = values[index].replacing(rest, by: other)
      return .array(values)
    case (_, .object(let members)):
      return .object(
        members.compactMap { member in
          guard member.name == step.name else { return member }
          guard !rest.steps.isEmpty else { return other.map { Member(member.name, $0) } }
          return Member(member.name, member.value.replacing(rest, by: other))
        })
    default: return self
    }
  }
}
