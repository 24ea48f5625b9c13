// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioJSON
import TestSupport
import Testing

@Suite struct `JSON parser` {
  @Test func `reads every kind of value and keeps the order of members`() throws {
    let text = #" {"b":[1,-0.5,2e3,true,false,null],"a":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"} "#
    let value = try JSONParser.parse(text.utf8)
    #expect(
      value
        == .object([
          .init(
            "b",
            .array([.number(1), .number(-0.5), .number(2000), .bool(true), .bool(false), .null])),
          .init("a", .string("\"\\/\u{8}\u{c}\n\r\té😀")),
        ]))
  }

  @Test(arguments: [
    ("", 0), (" ", 1), ("{", 1), ("[1", 2), ("[1,]", 3), (#"{"a"}"#, 4), (#"{"a":}"#, 5),
    (#"{"a":1,}"#, 7), ("nul", 3), ("tru3", 3), ("01", 1), ("1.", 2), ("1e", 2), ("-", 1),
    ("+1", 0), (".5", 0), ("NaN", 0), ("1e400", 0), ("[1e400]", 1), (#""ab"#, 3), (#""\x""#, 2),
    (#""\u12g4""#, 3), (#""\ud800""#, 3), (#""\ud800\u0041""#, 3), (#""\udc00""#, 3),
    ("\"\n\"", 1), ("1 2", 2), ("{}x", 2), (#"{"a":1,"a":2}"#, 7), ("'a'", 0), ("[1 2]", 3),
    ("\u{feff}1", 0),
  ])
  func `reports where a text is invalid`(text: String, offset: Int) {
    let error = #expect(throws: JSONError.self) { try JSONParser.parse(text.utf8) }
    #expect(error?.offset == offset)
  }

  @Test func `refuses more values than a record has`() throws {
    func list(_ count: Int) -> String {
      "[" + String(repeating: "0,", count: count - 2) + "0]"
    }
    // The list itself is one.
    _ = try JSONParser.parse(list(JSONParser.maximumValues).utf8)
    #expect(throws: JSONError.self) {
      try JSONParser.parse(list(JSONParser.maximumValues + 1).utf8)
    }
  }

  @Test(
    arguments: [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]] as [[UInt8]])
  func `rejects invalid UTF-8`(bytes: [UInt8]) {
    let error = #expect(throws: JSONError.self) {
      try JSONParser.parse([0x5b, 0x22] + bytes + [0x22, 0x5d])
    }
    #expect(error?.offset == 1)
  }

  @Test func `refuses deep nesting without using up the stack`() throws {
    let deepest = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    #expect(throws: Never.self) { try JSONParser.parse(deepest.utf8) }
    let error = #expect(throws: JSONError.self) {
      try JSONParser.parse(String(repeating: "[", count: 100_000).utf8)
    }
    #expect(error?.offset == 64)
  }

  @Test func `agrees with Foundation on mutated texts`() throws {
    var random = SeededGenerator(seed: 1)
    let text = Array(
      #"{"a":[1,-0.5,2e3,true,null,"\u00e9 \" \\ é"],"b":{"c":"2026-03-03T07:15:00Z","d":{}}}"#.utf8
    )
    for _ in 0..<20_000 {
      var mutated = text
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0..<mutated.count, using: &random)
        mutated[index] = UInt8.random(in: 0x20...0x7e, using: &random)
      }
      // Whatever ours accepts, Foundation accepts too.
      guard (try? JSONParser.parse(mutated)) != nil else { continue }
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(mutated)) }
    }
  }
}

@Suite struct `JSON writer` {
  @Test(
    arguments: [
      (0, "0"), (-0.0, "0"), (120, "120"), (36.6, "36.6"), (0.1, "0.1"),
      (1e15, "1000000000000000.0"), (1e16, "1e+16"),
      (999_999_999_999_999, "999999999999999"), (.leastNonzeroMagnitude, "5e-324"),
      (-12.5, "-12.5"),
      (.nan, "null"), (.infinity, "null"),
    ] as [(Double, String)])
  func `writes numbers in their shortest form`(value: Double, text: String) {
    var json = JSONWriter()
    json.number(value)
    #expect(String(decoding: json.bytes, as: UTF8.self) == text)
  }

  @Test func `separates nested containers`() {
    var json = JSONWriter()
    json.object { json in
      json.key("a")
      json.array { json in
        json.integer(1)
        json.object { _ in }
        json.null()
      }
      json.key("b")
      json.bool(false)
    }
    #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"a":[1,{},null],"b":false}"#)
  }

  @Test(arguments: [
    "\u{0}", "\u{1f}", " ", "!", "\"", "#", "[", "\\", "]", "~", "\u{7f}", "ß", "😀",
  ])
  func `writes any character at any position so that it reads back the same`(
    sign: String
  ) throws {
    for length in 0...40 {
      for place in 0...length {
        let text =
          String(repeating: "a", count: place) + sign
          + String(repeating: "é", count: length - place)
        var json = JSONWriter()
        json.object { json in
          json.key(text: text)
          json.string(text)
        }
        let read = try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: String]
        try #require(read == [text: text])
      }
    }
  }

  @Test func `writes a parsed value as it was`() throws {
    let text = #"{"b":[1,-0.5,true,false,null,{}],"a\"":"\\ é","c":{"d":[]}}"#
    var json = JSONWriter()
    json.value(try JSONParser.parse(text.utf8))
    #expect(String(decoding: json.bytes, as: UTF8.self) == text)
  }

  @Test func `reuses its buffer`() {
    var json = JSONWriter(capacity: 1)
    json.array { $0.integer(1) }
    json.removeAll()
    json.string("b")
    #expect(json.bytes == Array(#""b""#.utf8))
    #expect(unsafe json.withBytes { unsafe Array($0) } == json.bytes)
  }

  @Test func `writes random numbers so that they read back the same`() throws {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<20_000 {
      let value = Double(bitPattern: UInt64.random(in: .min ... .max, using: &random))
      guard value.isFinite else { continue }
      var json = JSONWriter()
      json.number(value)
      #expect(try JSONParser.parse(json.bytes) == .number(value))
    }
  }
}
