// SPDX-License-Identifier: Apache-2.0

/// Writes JSON text (RFC 8259) straight into bytes.
///
/// Faster than Foundation's encoder by an order of magnitude, and the order of keys is the order of
/// the calls, so that equal records produce equal bytes.
package struct JSONWriter: ~Copyable {
  private var buffer: ByteBuffer
  private var needsComma = false

  /// Makes an empty writer with room for so many bytes before it grows.
  package init(capacity: Int = 256) { buffer = ByteBuffer(capacity: capacity) }

  /// What has been written.
  package var bytes: [UInt8] { buffer.bytes }

  /// Calls `body` with what has been written, without a copy.
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe buffer.withBytes(body)
  }

  /// Starts over, reusing the buffer.
  package mutating func removeAll() {
    buffer.removeAll()
    needsComma = false
  }

  // Inlinable, because a generic function of another module is slow unless it is specialised there.

  /// Writes an object, whose members `body` writes by ``key(_:)`` and a value each.
  @inlinable package mutating func object<Failure: Error>(
    _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    open(UInt8(ascii: "{"))
    try body(&self)
    close(UInt8(ascii: "}"))
  }

  /// Writes an array, whose elements `body` writes.
  @inlinable package mutating func array<Failure: Error>(
    _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    open(UInt8(ascii: "["))
    try body(&self)
    close(UInt8(ascii: "]"))
  }

  /// Writes a member's name, which may need no escape; its value must follow.
  package mutating func key(_ name: StaticString) {
    buffer.append(key: name, comma: needsComma)
    needsComma = false
  }

  /// Writes a member's name that may need escapes; its value must follow.
  package mutating func key(text name: String) {
    separate()
    quote(name)
    buffer.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a string.
  package mutating func string(_ value: String) {
    separate()
    quote(value)
    needsComma = true
  }

  /// Writes an integer.
  package mutating func integer(_ value: Int) {
    guard value >= 0 else { return raw(String(value)) }
    separate()
    buffer.append(value)
    needsComma = true
  }

  /// Writes a number; one that is not finite becomes null.
  package mutating func number(_ value: Double) {
    guard value.isFinite else { return null() }
    guard (0..<1e15).contains(value), Double(Int(value)) == value else {
      return raw(Self.text(value))
    }
    separate()
    buffer.append(Int(value))
    needsComma = true
  }

  /// Writes a number with the digits that its text has: `2.0`, not `2`.
  ///
  /// - Parameter text: A number of JSON, which is not checked.
  package mutating func decimal(_ text: String) { raw(text) }

  /// The text of a finite number.
  ///
  /// A whole number has no fraction, any other is the shortest text that reads back as the same.
  package static func text(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : value.description
  }

  /// Writes true or false.
  package mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

  /// Writes null.
  package mutating func null() { raw("null") }

  /// Writes bytes that are a JSON value already.
  package mutating func value(_ json: [UInt8]) {
    separate()
    buffer.append(contentsOf: json)
    needsComma = true
  }

  /// Writes a parsed value.
  package mutating func value(_ json: JSONValue) {
    switch json {
    case .object(let members):
      object { json in
        for member in members {
          json.key(text: member.name)
          json.value(member.value)
        }
      }
    case .array(let values): array { json in for value in values { json.value(value) } }
    case .string(let text): string(text)
    case .number(let number): self.number(number)
    case .bool(let flag): bool(flag)
    case .null: null()
    }
  }

  private mutating func raw(_ text: String) {
    separate()
    buffer.append(text)
    needsComma = true
  }

  @usableFromInline package mutating func open(_ bracket: UInt8) {
    separate()
    buffer.append(bracket)
    needsComma = false
  }

  @usableFromInline package mutating func close(_ bracket: UInt8) {
    buffer.append(bracket)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { buffer.append(UInt8(ascii: ",")) }
    needsComma = false
  }

  /// Writes a string whose bytes `body` appends; none of them may need an escape.
  package mutating func plain(_ body: (inout ByteBuffer) -> Void) {
    separate()
    buffer.append(UInt8(ascii: "\""))
    body(&buffer)
    buffer.append(UInt8(ascii: "\""))
    needsComma = true
  }

  private mutating func quote(_ text: String) {
    guard !buffer.append(quoted: text) else { return }
    buffer.append(UInt8(ascii: "\""))
    escape(text)
    buffer.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ text: String) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        buffer.append(UInt8(ascii: "\\"))
        buffer.append(byte)
      case 0..<0x20:
        let digits = Array("0123456789abcdef".utf8)
        buffer.append(contentsOf: [
          0x5c, 0x75, 0x30, 0x30, digits[Int(byte >> 4)], digits[Int(byte & 15)],
        ])
      default: buffer.append(byte)
      }
    }
  }
}
