// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

extension DBusValue {
  /// At least the number of bytes that the value takes in a message, padding included.
  var size: Int {
    switch self {
    case .string(let string), .objectPath(let string), .signature(let string):
      string.utf8.count + 8
    case .bytes(let data): data.count + 8
    case .array(let elements, _), .structure(let elements):
      elements.reduce(16) { $0 + $1.size }
    case .dictionary(let entries, _, _):
      entries.reduce(16) { $0 + $1.key.size + $1.value.size + 8 }
    case .variant(let content): content.signature.utf8.count + content.size + 8
    default: 8
    }
  }
}
