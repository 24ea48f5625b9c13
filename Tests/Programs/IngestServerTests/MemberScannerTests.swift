// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import Testing

@testable import IngestServer
import SantorioJSON

@Suite struct `Members of a stored record` {
  private func members(_ text: String) -> [String]? {
    let bytes = Array(text.utf8)
    var found: [String] = []
    let isObject = MemberScanner.members(of: bytes) { name, member in
      let name = String(decoding: bytes[name], as: UTF8.self)
      found.append("\(name)|" + String(decoding: bytes[member], as: UTF8.self))
      return true
    }
    return isObject ? found : nil
  }

  @Test func `are found without reading their values`() {
    #expect(members("{}") == [])
    #expect(members(#"{"a":1}"#) == [#"a|"a":1"#])
    #expect(
      members("{ \"a\" : [1, {\"x\":\"},]\"}] ,\n\"b\":\"\\\\\\\"},\" ,\"\\u0063\":null }")
        == [
          "a|\"a\" : [1, {\"x\":\"},]\"}] ", "b|\"b\":\"\\\\\\\"},\" ", "\\u0063|\"\\u0063\":null ",
        ])
    #expect(members(#"{"":"","a\\":{}}"#) == [#"|"":"""#, #"a\\|"a\\":{}"#])
  }

  @Test(arguments: ["", "[1]", "1", "\0\0\0", "{", #"{"a"}"#, #"{"a":"#, #"{"a":1"#, #"{"a":"x}"#])
  func `are none in data that is not an object`(text: String) {
    #expect(members(text) == nil)
  }

  private func written(_ text: String) -> String {
    var json = JSONWriter()
    StoredRecord(
      id: 7, revision: 2, position: 9, createdMilliseconds: 0, bytes: Array(text.utf8)
    ).write(to: &json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private static let head = #"{"id":"7","revision":2,"created_at":"1970-01-01T00:00:00Z""#

  @Test(arguments: [
    (#"{"a":1.50}"#, #","a":1.50}"#), ("{}", "}"), (#" { "a" : 1 } "#, #", "a" : 1 } "#),
    (#"{"id":1,"a":{"id":2},"revision":[3],"b":1e2}"#, #","a":{"id":2},"b":1e2}"#),
    (#"{"i\u0064":1,"a":"\u0064"}"#, #","a":"\u0064"}"#),
    (#"{"created_at":"x"}"#, "}"), (#"{"id\n":1}"#, #","id\n":1}"#),
  ])
  func `are written as sent, except those that the server adds`(
    text: String, rest: String
  ) {
    #expect(written(text) == Self.head + rest)
  }

  @Test func `are null when the content was wiped`() {
    #expect(written("\0\0\0\0") == "null")
  }
}
