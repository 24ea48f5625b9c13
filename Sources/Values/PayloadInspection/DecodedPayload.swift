// SPDX-License-Identifier: Apache-2.0

import HealthDevices
package import HealthGATT

/// A payload as named fields in a fixed order, for people and programs that want to look at it.
///
/// Times are lists `[year, month, day, hour, minute, second]` with zeros for what is unknown.
/// Special numbers are the texts `NaN`, `NRes`, `+INF`, `-INF` and `Reserved`.
package struct DecodedPayload: Hashable, Sendable {
  /// A field's value.
  package enum FieldValue: Hashable, Sendable {
    case number(Double)
    case integer(Int)
    case text(String)
    case list([FieldValue])
    case object([Field])
    case bool(Bool)
    case null
  }

  /// A name and a value.
  package struct Field: Hashable, Sendable {
    package let name: String
    package let value: FieldValue

    package init(_ name: String, _ value: FieldValue) {
      self.name = name
      self.value = value
    }
  }

  /// The name of the characteristic in the specification.
  package let name: String
  /// The fields, in their order.
  package let fields: [Field]
  /// The bytes after the last known field.
  package let trailingBytes: [UInt8]

  /// The value of a field; nil when there is no field of this name.
  package subscript(name: String) -> FieldValue? {
    fields.first { $0.name == name }?.value
  }
}

/// A value that is read from a payload and can be shown as named fields.
package protocol FieldRepresentable: Hashable, Sendable {
  /// Reads a whole payload.
  init(payload: some Collection<UInt8>) throws(PayloadError)
  /// The fields, in their order.
  var fields: [DecodedPayload.Field] { get }
  /// The bytes after the last known field.
  var trailingBytes: [UInt8] { get }
}

extension FieldRepresentable {
  package var trailingBytes: [UInt8] { [] }
}
