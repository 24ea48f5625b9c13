// SPDX-License-Identifier: Apache-2.0

extension JSONWriter {
  /// Writes a member whose value is text, if there is one.
  package mutating func optional(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    key(name)
    string(value)
  }

  /// Writes a member whose value is a whole number, if there is one.
  package mutating func optional(_ name: StaticString, _ value: Int?) {
    guard let value else { return }
    key(name)
    integer(value)
  }

  /// Writes a member whose value is a number, if there is one.
  package mutating func optional(_ name: StaticString, _ value: Double?) {
    guard let value else { return }
    key(name)
    number(value)
  }

  /// Writes a member whose value is a number, with the digits of its text where there is one.
  package mutating func number(_ name: StaticString, _ value: Double, digits: String?) {
    key(name)
    if let digits { decimal(digits) } else { number(value) }
  }

  /// Writes a member whose value is true or false, if there is one.
  package mutating func optional(_ name: StaticString, _ value: Bool?) {
    guard let value else { return }
    key(name)
    bool(value)
  }

  /// Writes a member whose value is an array.
  @inlinable package mutating func list<Element>(
    _ name: StaticString, _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
  ) {
    key(name)
    array { json in
      for element in elements { write(&json, element) }
    }
  }

  /// Writes an object of two texts.
  package mutating func pair(
    _ name: StaticString, _ value: String, _ otherName: StaticString, _ otherValue: String
  ) {
    object { json in
      json.key(name)
      json.string(value)
      json.key(otherName)
      json.string(otherValue)
    }
  }
}
