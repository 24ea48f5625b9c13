// SPDX-License-Identifier: Apache-2.0

package import SantorioJSON

/// Reads typed values out of JSON and knows the place for its errors.
package struct JSONReader {
  package let value: JSONValue
  /// The place, for instance `metrics[0].value`.
  package let path: String

  package init(_ value: JSONValue, path: String = "") {
    self.value = value
    self.path = path
  }

  /// Parses bytes.
  ///
  /// - Throws: ``RecordError`` of code `malformed_json` with the offset of the first bad byte.
  package init(parsing bytes: some Collection<UInt8>) throws(RecordError) {
    do throws(JSONError) {
      try self.init(JSONParser.parse(bytes))
    } catch {
      throw RecordError(.malformedJSON, error.message, offset: error.offset)
    }
  }

  /// A member that must be there.
  package func member(_ name: String) throws(RecordError) -> JSONReader {
    guard let member = try optional(name) else {
      throw RecordError(.missing, at: place(name), "this member is required")
    }
    return member
  }

  /// A member that may be missing; null counts as missing.
  package func optional(_ name: String) throws(RecordError) -> JSONReader? {
    guard case .object = value else { throw wrongType("an object") }
    guard let member = value[name], member != .null else { return nil }
    return JSONReader(member, path: place(name))
  }

  /// The elements of an array.
  package func elements() throws(RecordError) -> [JSONReader] {
    guard case .array(let values) = value else { throw wrongType("an array") }
    return values.enumerated().map { JSONReader($1, path: "\(path)[\($0)]") }
  }

  /// A member that may be missing and is a string where it is there.
  package func optionalString(_ name: String) throws(RecordError) -> String? {
    try optional(name)?.string()
  }

  /// The members of an object of names that are not ours, in the order of the text; null counts as
  /// missing.
  ///
  /// Such names, for instance of devices, do not enter the places of errors: these count instead.
  package func members() throws(RecordError) -> [(name: String, value: JSONReader)] {
    guard case .object(let members) = value else { throw wrongType("an object") }
    return members.enumerated().filter { $1.value != .null }
      .map { ($1.name, JSONReader($1.value, path: "\(path)[\($0)]")) }
  }

  /// A member that may be missing, read by `read`; null counts as missing.
  package func optional<Value>(
    _ name: String, _ read: (JSONReader) throws(RecordError) -> Value
  ) throws(RecordError) -> Value? {
    guard let member = try optional(name) else { return nil }
    return try read(member)
  }

  /// The elements of an array, each read by `read`.
  package func elements<Value>(
    _ read: (JSONReader) throws(RecordError) -> Value
  ) throws(RecordError) -> [Value] {
    var values: [Value] = []
    for element in try elements() { values.append(try read(element)) }
    return values
  }

  package func string() throws(RecordError) -> String {
    guard case .string(let text) = value else { throw wrongType("a string") }
    return text
  }

  package func number() throws(RecordError) -> Double {
    guard case .number(let number) = value else { throw wrongType("a number") }
    return number
  }

  package func integer() throws(RecordError) -> Int {
    let number = try number()
    guard let integer = Int(exactly: number) else { throw wrongType("a whole number") }
    return integer
  }

  package func bool() throws(RecordError) -> Bool {
    guard case .bool(let bool) = value else { throw wrongType("true or false") }
    return bool
  }

  /// An error about this place.
  package func invalid(_ message: String) -> RecordError {
    RecordError(.invalidValue, at: path, message)
  }

  /// An error about another type than the expected one.
  package func wrongType(_ expected: String) -> RecordError {
    RecordError(.wrongType, at: path, "expected \(expected), found \(value.typeName)")
  }

  private func place(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}
