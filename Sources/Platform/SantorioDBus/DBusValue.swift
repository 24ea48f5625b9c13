// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials

/// A value of D-Bus's type system.
package enum DBusValue: Hashable, Sendable {
  case byte(UInt8)
  case boolean(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case objectPath(String)
  case signature(String)
  /// An array of bytes.
  case bytes(Data)
  /// An array of anything but bytes, and the signature of its elements.
  case array([DBusValue], of: String)
  /// A dictionary, and the signatures of its keys (a basic type) and values.
  case dictionary([DBusValue: DBusValue], key: String, value: String)
  case structure([DBusValue])
  indirect case variant(DBusValue)
  case fileDescriptor(DBusFileDescriptor)

  /// The signature as D-Bus writes it.
  package var signature: String {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .bytes: "ay"
    case .array(_, let element): "a" + element
    case .dictionary(_, let key, let value): "a{" + key + value + "}"
    case .structure(let members): "(" + members.map(\.signature).joined() + ")"
    case .variant: "v"
    case .fileDescriptor: "h"
    }
  }
}
