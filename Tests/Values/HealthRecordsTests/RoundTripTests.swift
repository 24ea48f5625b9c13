// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import TestSupport
import Testing
import SantorioJSON

@Suite struct `Written records` {
  @Test(arguments: [1, 2, 3, 4])
  func `survive writing and reading whatever they hold`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let record = HealthRecord.random(using: &random)
      let bytes = try record.informJSON()
      let read = try HealthRecord(informJSON: bytes)
      try #require(read == record)
      try #require(try read.informJSON() == bytes)
    }
  }

  @Test func `are the same JSON to Foundation as to our parser`() throws {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<100 {
      let record = HealthRecord.random(using: &random)
      let legacy = record.hasLegacyForm ? [try record.legacyForm().json] : []
      for bytes in [try record.informJSON()] + legacy {
        let theirs = try JSONDecoder().decode(DecodedJSON.self, from: Data(bytes))
        try #require(try JSONParser.parse(bytes).isSame(as: theirs))
      }
    }
  }

  @Test func `give every number to Foundation bit by bit`() throws {
    var random = SeededGenerator(seed: 7)
    var record = Example.record
    record.metrics = (0..<5000).map { index in
      Metric(MetricType(rawValue: "m\(index)"), random.double(), unit: "1")
    }
    let bits = record.metrics.map(\.value?.bitPattern)
    let inform = try JSONDecoder().decode(DecodedJSON.self, from: Data(record.informJSON()))
    #expect(inform["metrics"]?.elements.map { $0["value"]?.number?.bitPattern } == bits)
    let legacy = try JSONDecoder().decode(DecodedJSON.self, from: Data(record.legacyForm().json))
    let extras = try #require(legacy["extras"])
    #expect(record.metrics.map { extras[$0.type.rawValue]?.number?.bitPattern } == bits)
  }

  @Test func `give every character to Foundation as it is`() throws {
    struct Decoded: Decodable {
      struct Note: Decodable { let value: String }
      let user_notes: [Note]
      let extras: [String: String]
    }
    let scalars =
      (0...0x2fff).compactMap(Unicode.Scalar.init) + Array("漢😀\u{10ffff}".unicodeScalars)
    let text = String(String.UnicodeScalarView(scalars))
    var record = Example.record
    record.comment = text
    record.extras = [text: .text(text)]
    let decoded = try JSONDecoder().decode(Decoded.self, from: Data(record.informJSON()))
    #expect(decoded.user_notes.map { Array($0.value.utf8) } == [Array(text.utf8)])
    #expect(decoded.extras.first.map { Array($0.key.utf8) } == Array(text.utf8))
    #expect(decoded.extras.first.map { Array($0.value.utf8) } == Array(text.utf8))
    #expect(try HealthRecord(informJSON: record.informJSON()) == record)
  }

  @Test func `write minus zero as zero, since equal records must have equal text`()
    throws
  {
    var record = Example.record
    record.metrics = [Metric(.bodyTemperatureDeviation, -0.0)]
    let zero = try record.informJSON()
    record.metrics = [Metric(.bodyTemperatureDeviation, 0)]
    #expect(try record.informJSON() == zero)
  }
}

/// A JSON value as Foundation decodes it; JSONSerialization would lose the last bits of numbers.
private indirect enum DecodedJSON: Decodable {
  case object([String: DecodedJSON])
  case array([DecodedJSON])
  case string(String)
  case number(Double)
  case bool(Bool)
  case null

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let array = try? container.decode([DecodedJSON].self) {
      self = .array(array)
    } else {
      self = .object(try container.decode([String: DecodedJSON].self))
    }
  }

  subscript(name: String) -> DecodedJSON? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  var elements: [DecodedJSON] { if case .array(let values) = self { values } else { [] } }

  var number: Double? { if case .number(let number) = self { number } else { nil } }
}

extension JSONValue {
  /// Whether a value that Foundation decoded is this one, bit by bit.
  fileprivate func isSame(as other: DecodedJSON) -> Bool {
    switch (self, other) {
    case (.object(let members), .object(let object)):
      members.count == object.count
        && members.allSatisfy { member in
          object[member.name].map { member.value.isSame(as: $0) } ?? false
        }
    case (.array(let values), .array(let others)):
      values.count == others.count && zip(values, others).allSatisfy { $0.isSame(as: $1) }
    case (.string(let text), .string(let other)): Array(text.utf8) == Array(other.utf8)
    case (.number(let number), .number(let other)): number.bitPattern == other.bitPattern
    case (.bool(let bool), .bool(let other)): bool == other
    case (.null, .null): true
    default: false
    }
  }
}
