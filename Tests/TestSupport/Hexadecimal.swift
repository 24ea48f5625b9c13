// SPDX-License-Identifier: Apache-2.0

/// Text that is not a number of whole bytes in hexadecimal digits.
package struct HexadecimalError: Error, CustomStringConvertible {
  package let description: String
}

/// The bytes written as hexadecimal digits; blanks are there for the reader.
package func bytes(_ hexadecimal: String) throws -> [UInt8] {
  let digits = try hexadecimal.filter { !$0.isWhitespace }.map { character in
    guard let digit = character.hexDigitValue else {
      throw HexadecimalError(description: "not a digit: \(character)")
    }
    return digit
  }
  guard digits.count.isMultiple(of: 2) else {
    throw HexadecimalError(description: "odd number of digits")
  }
  return stride(from: 0, to: digits.count, by: 2).map {
    UInt8(digits[$0] << 4 | digits[$0 + 1])
  }
}
