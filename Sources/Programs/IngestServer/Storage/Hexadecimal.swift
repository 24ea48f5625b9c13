// SPDX-License-Identifier: Apache-2.0

/// Bytes as pairs of lowercase hexadecimal digits.
enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// The bytes of a text; nil when it contains anything but pairs of such digits.
  static func bytes(_ text: String) -> [UInt8]? {
    let values = text.utf8.map { digit in digits.firstIndex(of: digit) }
    guard values.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for pair in stride(from: 0, to: values.count, by: 2) {
      guard let high = values[pair], let low = values[pair + 1] else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    return bytes
  }
}
