// SPDX-License-Identifier: Apache-2.0

import CSystemd
import FoundationEssentials
import Glibc

/// Appends values to a message; after an error the message must not be used.
@safe struct MessageWriter {
  let message: OpaquePointer
  /// How many containers are open; more than 64 are not allowed (D-Bus Specification, "Valid
  /// Signatures" and "Marshaling"), but sd-bus sends them, and the bus ends the connection.
  private var depth = 0

  init(message: OpaquePointer) { unsafe self.message = unsafe message }

  mutating func append(_ value: DBusValue) throws(DBusError) {
    switch value {
    case .byte(let number): try append(number, as: "y")
    case .boolean(let bool): try append(Int32(bool ? 1 : 0), as: "b")
    case .int16(let number): try append(number, as: "n")
    case .uint16(let number): try append(number, as: "q")
    case .int32(let number): try append(number, as: "i")
    case .uint32(let number): try append(number, as: "u")
    case .int64(let number): try append(number, as: "x")
    case .uint64(let number): try append(number, as: "t")
    case .double(let number): try append(number, as: "d")
    case .string(let string): try append(string, as: "s")
    case .objectPath(let path): try append(path, as: "o")
    case .signature(let signature): try append(signature, as: "g")
    case .fileDescriptor(let descriptor): try append(descriptor.value, as: "h")
    default: try appendContainer(value)
    }
  }

  private mutating func appendContainer(_ value: DBusValue) throws(DBusError) {
    switch value {
    case .bytes(let data):
      try append(data)
    case .array(let elements, let element):
      try open("a", element)
      for element in elements { try append(element) }
      try close()
    case .dictionary(let entries, let key, let value):
      try append(entries, key + value)
    case .structure(let members):
      // An empty structure is valid for sd-bus, but not for the bus.
      guard !members.isEmpty else { throw DBusError(code: -EINVAL) }
      try open("r", members.map(\.signature).joined())
      for member in members { try append(member) }
      try close()
    case .variant(let content):
      try open("v", content.signature)
      try append(content)
      try close()
    default:
      throw DBusError(code: -EINVAL)
    }
  }

  /// Writes the entries in the order of their keys: a reader of a list of objects, such as
  /// bluetoothd, may depend on their order.
  private mutating func append(
    _ entries: [DBusValue: DBusValue], _ entry: String
  ) throws(DBusError) {
    try open("a", "{" + entry + "}")
    for (key, value) in entries.sorted(by: { $0.key.precedes($1.key) }) {
      try open("e", entry)
      try append(key)
      try append(value)
      try close()
    }
    try close()
  }

  private func append(_ number: some BitwiseCopyable, as type: Unicode.Scalar) throws(DBusError) {
    let code = unsafe withUnsafePointer(to: number) { number in
      unsafe sd_bus_message_append_basic(message, type.code, number)
    }
    try DBusError.check(code)
  }

  private func append(_ string: String, as type: Unicode.Scalar) throws(DBusError) {
    try refuseZero(in: string)
    let code = unsafe string.withCString { string in
      unsafe sd_bus_message_append_basic(message, type.code, string)
    }
    try DBusError.check(code)
  }

  private func append(_ data: Data) throws(DBusError) {
    let code = unsafe data.withUnsafeBytes { bytes in
      unsafe sd_bus_message_append_array(
        message, ("y" as Unicode.Scalar).code, bytes.baseAddress, bytes.count)
    }
    try DBusError.check(code)
  }

  private mutating func open(_ type: Unicode.Scalar, _ contents: String) throws(DBusError) {
    depth += 1
    guard depth <= 64 else { throw DBusError(DBusError.limitsExceeded, "A value nests too deep.") }
    try refuseZero(in: contents)
    try DBusError.check(unsafe sd_bus_message_open_container(message, type.code, contents))
  }

  private mutating func close() throws(DBusError) {
    depth -= 1
    try DBusError.check(unsafe sd_bus_message_close_container(message))
  }

  private func refuseZero(in string: String) throws(DBusError) {
    guard !string.utf8.contains(0) else {
      throw DBusError(DBusError.invalidArguments, "A string contains a zero byte.")
    }
  }
}

extension DBusValue {
  /// The order of strings and of numbers.
  fileprivate func precedes(_ other: DBusValue) -> Bool {
    if let string, let other = other.string { return string < other }
    if let int, let other = other.int { return int < other }
    return false
  }
}

extension Unicode.Scalar {
  /// A type's letter as C passes it.
  var code: CChar { CChar(truncatingIfNeeded: value) }
}
