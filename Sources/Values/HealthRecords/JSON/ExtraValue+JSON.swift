// SPDX-License-Identifier: Apache-2.0

import SantorioJSON

extension JSONReader {
  /// The members of an object of extras.
  func extras() throws(RecordError) -> [String: ExtraValue] {
    guard case .object(let members) = value else { throw wrongType("an object") }
    return ExtraValue.members(members)
  }
}

extension ExtraValue {
  /// Makes an extra of any JSON; how deep it is nested is checked with its record.
  private init(_ json: JSONValue) {
    switch json {
    case .string(let text): self = .text(text)
    case .number(let number): self = .number(number)
    case .bool(let flag): self = .flag(flag)
    case .null: self = .null
    case .array(let values): self = .list(values.map(ExtraValue.init))
    case .object(let members): self = .object(Self.members(members))
    }
  }

  fileprivate static func members(_ members: [JSONValue.Member]) -> [String: ExtraValue] {
    Dictionary(members.map { ($0.name, ExtraValue($0.value)) }) { first, _ in first }
  }

  /// The extra's JSON text.
  var json: [UInt8] {
    var json = JSONWriter()
    json.extra(self)
    return json.bytes
  }
}

extension JSONWriter {
  /// Writes a member whose value is an object of extras, in the order of their names.
  mutating func extras(_ name: StaticString, _ extras: [String: ExtraValue]) {
    key(name)
    extra(.object(extras))
  }

  /// Writes a member whose value is an extra.
  mutating func extra(_ name: String, _ value: ExtraValue) {
    key(text: name)
    extra(value)
  }

  /// Writes an extra; objects in the order of their names, so that equal ones make equal text.
  mutating func extra(_ value: ExtraValue) {
    switch value {
    case .text(let text): string(text)
    case .number(let number): self.number(number)
    case .flag(let flag): bool(flag)
    case .null: null()
    case .list(let values): array { json in for value in values { json.extra(value) } }
    case .object(let members):
      object { json in
        for (name, value) in members.sorted(by: { $0.key < $1.key }) { json.extra(name, value) }
      }
    }
  }
}
