// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// The stored properties of a manufacturer's payload as fields, by the names that they have in Swift.
package struct StoredFields: FieldRepresentable {
  package let fields: [DecodedPayload.Field]
  package let trailingBytes: [UInt8]

  /// Takes the properties of a value.
  init(of value: any CharacteristicValue) {
    let properties = Mirror(reflecting: value).children.map { ($0.label ?? "", $0.value) }
    fields = properties.filter { $0.0 != "trailingBytes" }.map { name, value in
      DecodedPayload.Field(name, Self.fieldValue(value))
    }
    trailingBytes = properties.first { $0.0 == "trailingBytes" }?.1 as? [UInt8] ?? []
  }

  /// Bytes alone do not say which payload they are of.
  package init(payload: some Collection<UInt8>) throws(PayloadError) {
    throw PayloadError(
      .unsupportedCharacteristic, field: "Payload", message: "Decode it by its characteristic.")
  }

  private static func fieldValue(_ value: Any) -> DecodedPayload.FieldValue {
    switch value {
    case let value as Bool: .bool(value)
    case let value as any BinaryInteger: .integer(Int(clamping: value))
    case let value as Double: .number(value)
    case let value as [UInt8]: .list(value.map { .integer(Int($0)) })
    default: .text("\(value)")
    }
  }
}
