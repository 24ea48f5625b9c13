// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import HealthRecords
import SantorioJSON

/// Finds the members of an already validated JSON object without reading their values.
///
/// A page of records consists of text that the parser has already accepted; parsing it again costs
/// a hundred times as much as skipping over it.
@safe struct MemberScanner {
  private let text: UnsafeBufferPointer<UInt8>
  private var position = 0

  /// Takes a text, which must outlive the scanner.
  @unsafe private init(_ text: UnsafeBufferPointer<UInt8>) { unsafe self.text = text }

  /// Calls `body` with the ranges of each member until it returns false.
  ///
  /// The ranges are those of the name, without quotation marks, and of the whole member, without
  /// commas.
  ///
  /// - Returns: Whether the text, as far as it was read, is an object.
  @discardableResult
  static func members(
    of bytes: [UInt8], _ body: (_ name: Range<Int>, _ member: Range<Int>) -> Bool
  ) -> Bool {
    unsafe bytes.withUnsafeBufferPointer { text in
      var scanner = unsafe MemberScanner(text)
      return scanner.scan(body)
    }
  }

  private mutating func scan(_ body: (Range<Int>, Range<Int>) -> Bool) -> Bool {
    skipSpace()
    guard take("{") else { return false }
    skipSpace()
    if take("}") { return true }
    repeat {
      skipSpace()
      let start = position
      guard skipString() else { return false }
      let name = start + 1..<position - 1
      skipSpace()
      guard take(":"), skipValue() else { return false }
      guard body(name, start..<position) else { return true }
      skipSpace()
    } while take(",")
    return take("}")
  }

  private var current: UInt8? {
    unsafe position < text.count ? text[position] : nil
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
      position += 1
    }
  }

  /// Skips a string, up to the byte after its end.
  private mutating func skipString() -> Bool {
    guard take("\"") else { return false }
    while unsafe position < text.count, let start = unsafe text.baseAddress {
      let rest = unsafe memchr(start + position, Int32(UInt8(ascii: "\"")), text.count - position)
      guard let end = unsafe rest else { return false }
      position = unsafe start.distance(to: end.assumingMemoryBound(to: UInt8.self)) + 1
      if !isEscaped(position - 1) { return true }
    }
    return false
  }

  /// Whether an odd number of backslashes precedes a position.
  private func isEscaped(_ place: Int) -> Bool {
    var first = place
    while first > 0, unsafe text[first - 1] == UInt8(ascii: "\\") { first -= 1 }
    return (place - first).isMultiple(of: 2) == false
  }

  /// Skips a value, up to the byte after its end or after trailing blanks.
  private mutating func skipValue() -> Bool {
    var depth = 0
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        guard skipString() else { return false }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return true }
        depth -= 1
      case UInt8(ascii: ","): if depth == 0 { return true }
      default: break
      }
      position += 1
    }
    return false
  }
}

extension StoredRecord {
  /// The names of the members that the server adds to a record.
  private static let added = ["id", "revision", "created_at"]

  /// Writes the record as sent, with the members that the server adds.
  ///
  /// The sent bytes are copied, so that no digit changes. A sender's own members with the added
  /// names are omitted.
  func write(to json: inout JSONWriter) {
    var collides = false
    var isEmpty = true
    let isObject = MemberScanner.members(of: bytes) { name, _ in
      isEmpty = false
      collides = collides || isAdded(name)
      return !collides
    }
    guard isObject else { return json.null() }
    var record = head
    guard !isEmpty else { return json.value(record) }
    record.removeLast()
    if collides {
      MemberScanner.members(of: bytes) { name, member in
        if !isAdded(name) { record += [UInt8(ascii: ",")] + bytes[member] }
        return true
      }
      record.append(UInt8(ascii: "}"))
    } else if let start = bytes.firstIndex(of: UInt8(ascii: "{")) {
      record.append(UInt8(ascii: ","))
      record += bytes[(start + 1)...]
    }
    json.value(record)
  }

  /// An object of the added members.
  private var head: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.optional("id", String(id))
      json.optional("revision", Int(revision))
      json.key("created_at")
      json.instant(.init(timeIntervalSince1970: Double(createdMilliseconds) / 1000))
    }
    return json.bytes
  }

  /// Whether a name in the text, with or without escapes, is one that the server adds.
  private func isAdded(_ name: Range<Int>) -> Bool {
    let text = bytes[name]
    guard text.contains(UInt8(ascii: "\\")) else {
      return Self.added.contains { $0.utf8.elementsEqual(text) }
    }
    let quote = UInt8(ascii: "\"")
    guard case .string(let plain)? = try? JSONParser.parse([quote] + text + [quote]) else {
      return false
    }
    return Self.added.contains(plain)
  }
}
