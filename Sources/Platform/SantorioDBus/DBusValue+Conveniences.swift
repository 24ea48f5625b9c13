// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials

/// A value as Swift types; each accessor unwraps variants and is nil for other types.
extension DBusValue {
  /// The value without the variants around it.
  private var content: DBusValue {
    var content = self
    while case .variant(let inner) = content { content = inner }
    return content
  }

  /// A string or an object path.
  package var string: String? {
    switch content {
    case .string(let string), .objectPath(let string): string
    default: nil
    }
  }

  package var bool: Bool? {
    if case .boolean(let bool) = content { bool } else { nil }
  }

  /// Any whole number; nil also when it does not fit.
  package var int: Int? {
    switch content {
    case .byte(let number): Int(number)
    case .int16(let number): Int(number)
    case .uint16(let number): Int(number)
    case .int32(let number): Int(number)
    case .uint32(let number): Int(exactly: number)
    case .int64(let number): Int(exactly: number)
    case .uint64(let number): Int(exactly: number)
    default: nil
    }
  }

  package var data: Data? {
    if case .bytes(let data) = content { data } else { nil }
  }

  package var array: [DBusValue]? {
    if case .array(let elements, _) = content { elements } else { nil }
  }

  /// An array of strings or object paths.
  package var strings: [String]? {
    guard case .array(let elements, let element) = content, element == "s" || element == "o" else {
      return nil
    }
    return elements.compactMap(\.string)
  }

  /// Named properties (`a{sv}`), without the variants around them.
  package var properties: [String: DBusValue]? {
    guard case .dictionary(let entries, "s", "v") = content else { return nil }
    var properties: [String: DBusValue] = [:]
    for case (.string(let name), let value) in entries { properties[name] = value.content }
    return properties
  }

  package var descriptor: DBusFileDescriptor? {
    if case .fileDescriptor(let descriptor) = content { descriptor } else { nil }
  }

  /// Named properties (`a{sv}`); the values are put into variants.
  package static func properties(_ properties: [String: DBusValue]) -> DBusValue {
    let entries = properties.map { (DBusValue.string($0), DBusValue.variant($1)) }
    return .dictionary(
      Dictionary(entries) { first, _ in first }, key: "s", value: "v")
  }

  /// An array of strings (`as`).
  package static func strings(_ strings: [String]) -> DBusValue {
    .array(strings.map(DBusValue.string), of: "s")
  }
}
