// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
  /// The bytes of hexadecimal digits, two each; nil for an odd number of digits or anything else.
  package init?(hexadecimal text: some StringProtocol) {
    let digits = text.map { $0.isASCII ? $0.hexDigitValue : nil }
    guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
    let values = digits.compactMap { $0 }
    self = stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }

  /// Two digits a byte, in lower case.
  package var hexadecimal: String {
    map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
