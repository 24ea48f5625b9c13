// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A strict JSON parser (RFC 8259) that reports where a text is malformed.
///
/// Stricter than Foundation's where two readers could understand one text differently: duplicate
/// names, numbers beyond a Double's range, a byte order mark and lone surrogates are refused.
package struct JSONParser {
  /// The deepest nesting accepted.
  package static let maximumDepth = 64
  /// The most values accepted, each member and element counted.
  ///
  /// A value takes 24 bytes and more: without a bound, four million bytes of `0,0,0` would take
  /// hundreds. No record of four million bytes that means anything comes near.
  package static let maximumValues = 500_000

  private let bytes: [UInt8]
  private var position = 0
  private var count = 0

  /// Parses one value that makes up the whole text.
  ///
  /// - Throws: ``JSONError`` with the offset of the first bad byte.
  package static func parse(_ text: some Collection<UInt8>) throws(JSONError) -> JSONValue {
    var parser = JSONParser(bytes: Array(text))
    parser.skipSpace()
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.position == parser.bytes.count else {
      throw parser.error("something follows the value")
    }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func error(_ message: String) -> JSONError {
    JSONError(message, offset: position)
  }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
      position += 1
    }
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    guard depth < Self.maximumDepth else {
      throw error("nested deeper than \(Self.maximumDepth) levels")
    }
    count += 1
    guard count <= Self.maximumValues else {
      throw error("more than \(Self.maximumValues) values")
    }
    switch current {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case nil: throw error("the text ends where a value should be")
    default: return try number()
    }
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
    for byte in word.utf8 {
      guard current == byte else { throw error("expected \"\(word)\"") }
      position += 1
    }
    return value
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
    position += 1
    skipSpace()
    var members: [JSONValue.Member] = []
    var names: Set<String> = []
    if take("}") { return .object([]) }
    repeat {
      skipSpace()
      guard current == UInt8(ascii: "\"") else { throw error("expected a name in quotes") }
      let start = position
      let name = try string()
      guard names.insert(name).inserted else {
        position = start
        throw error("this name is in the object twice")
      }
      skipSpace()
      guard take(":") else { throw error("expected \":\" after the name") }
      skipSpace()
      members.append(.init(name, try value(depth: depth + 1)))
      skipSpace()
    } while take(",")
    guard take("}") else { throw error("expected \",\" or \"}\"") }
    return .object(members)
  }

  private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
    position += 1
    skipSpace()
    if take("]") { return .array([]) }
    var values: [JSONValue] = []
    repeat {
      skipSpace()
      values.append(try value(depth: depth + 1))
      skipSpace()
    } while take(",")
    guard take("]") else { throw error("expected \",\" or \"]\"") }
    return .array(values)
  }

  private mutating func digits() throws(JSONError) {
    let start = position
    while let byte = current, (48...57).contains(byte) { position += 1 }
    guard position > start else { throw error("expected a digit") }
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = position
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let number = Double(text), number.isFinite else {
      position = start
      throw error("this number is beyond the range of a double")
    }
    return .number(number)
  }

  private mutating func string() throws(JSONError) -> String {
    let start = position
    position += 1
    var isASCII = true
    while let byte = current, byte >= 0x20, byte != UInt8(ascii: "\""),
      byte != UInt8(ascii: "\\")
    {
      isASCII = isASCII && byte < 0x80
      position += 1
    }
    // Nearly all strings are ASCII without escapes: these need no copy and no check.
    let plain = bytes[(start + 1)..<position]
    if isASCII, take("\"") { return String(decoding: plain, as: UTF8.self) }
    return try string(from: start, after: Array(plain))
  }

  /// The string that begins at `start`, whose bytes up to the position are read.
  private mutating func string(
    from start: Int, after read: [UInt8]
  ) throws(JSONError) -> String {
    var content = read
    while let byte = current, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw error("a control character must be escaped") }
      position += 1
      if byte == UInt8(ascii: "\\") {
        try escape(into: &content)
      } else {
        content.append(byte)
      }
    }
    guard take("\"") else { throw error("the string does not end") }
    guard let text = String(bytes: content, encoding: .utf8) else {
      position = start
      throw error("the string is not valid UTF-8")
    }
    return text
  }

  private mutating func escape(into content: inout [UInt8]) throws(JSONError) {
    guard let byte = current else { throw error("the string does not end") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0c)
    case UInt8(ascii: "n"): content.append(0x0a)
    case UInt8(ascii: "r"): content.append(0x0d)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "u"): content += Array(String(try scalar()).utf8)
    default:
      position -= 1
      throw error("unknown escape")
    }
  }

  private mutating func scalar() throws(JSONError) -> Character {
    let start = position
    var code = try unit()
    if (0xd800..<0xdc00).contains(code), take("\\"), take("u") {
      let low = try unit()
      if (0xdc00..<0xe000).contains(low) {
        code = 0x10000 + (code - 0xd800) << 10 + (low - 0xdc00)
      }
    }
    guard let scalar = Unicode.Scalar(code) else {
      position = start
      throw error("a surrogate without its partner")
    }
    return Character(scalar)
  }

  private mutating func unit() throws(JSONError) -> UInt32 {
    guard position + 4 <= bytes.count,
      bytes[position..<position + 4].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let code = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
    else { throw error("expected four hexadecimal digits") }
    position += 4
    return code
  }
}
