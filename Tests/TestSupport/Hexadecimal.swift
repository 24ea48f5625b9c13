// SPDX-License-Identifier: Apache-2.0

import Testing

/// The bytes written as hexadecimal digits; blanks are there for the reader.
package func bytes(_ hexadecimal: String) throws -> [UInt8] {
  let digits = try hexadecimal.filter { !$0.isWhitespace }
    .map { try #require($0.hexDigitValue, "not a digit: \($0)") }
  try #require(digits.count.isMultiple(of: 2), "odd number of digits")
  return stride(from: 0, to: digits.count, by: 2).map {
    UInt8(digits[$0] << 4 | digits[$0 + 1])
  }
}
