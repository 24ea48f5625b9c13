// SPDX-License-Identifier: Apache-2.0

import SantorioJSON

extension JSONReader {
  /// The members of an object of extras; null counts as missing.
  func extras() throws(RecordError) -> [String: ExtraValue] {
    var extras: [String: ExtraValue] = [:]
    for (name, value) in try members() { extras[name] = try value.extra() }
    return extras
  }

  private func extra() throws(RecordError) -> ExtraValue {
    switch value {
    case .string(let text): .text(text)
    case .number(let number): .number(number)
    case .bool(let flag): .flag(flag)
    default: throw wrongType("a string, a number, true or false")
    }
  }
}

extension JSONWriter {
  /// Writes a member whose value is an object of extras, in the order of their names.
  mutating func extras(_ name: StaticString, _ extras: [String: ExtraValue]) {
    key(name)
    object { json in
      for (name, value) in extras.sorted(by: { $0.key < $1.key }) { json.extra(name, value) }
    }
  }

  /// Writes a member whose value is an extra.
  mutating func extra(_ name: String, _ value: ExtraValue) {
    key(text: name)
    extra(value)
  }

  /// Writes an extra.
  mutating func extra(_ value: ExtraValue) {
    switch value {
    case .text(let text): string(text)
    case .number(let number): self.number(number)
    case .flag(let flag): bool(flag)
    }
  }
}
