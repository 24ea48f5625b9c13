// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension PayloadReader {
  /// Reads a byte that has one value only, as at the start of a frame.
  ///
  /// - Throws: `truncated`; `reservedValue` at the byte.
  mutating func constant(_ value: UInt8, field: String) throws(PayloadError) {
    let start = offset
    guard try uint8(field: field) == value else {
      throw PayloadError(
        .reservedValue, field: field, offset: start,
        message: "It has one value only. Refuse the frame.")
    }
  }
}
