// SPDX-License-Identifier: Apache-2.0

/// A Bluetooth UUID as a value.
///
/// Two are equal when their 128-bit forms are equal, whatever the written length.
package struct BluetoothUUID: Hashable, Sendable {
  /// The big-endian bytes as given: 2, 4 or 16 of them.
  package let bytes: [UInt8]

  private let high: UInt64
  private let low: UInt64

  // 0000xxxx-0000-1000-8000-00805F9B34FB (Core Specification, Vol 3, Part B, 2.5.1)
  private static let baseHigh: UInt64 = 0x0000_0000_0000_1000
  private static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB

  /// A UUID made of 2, 4 or 16 big-endian bytes; nil for any other count.
  package init?(bytes: [UInt8]) {
    switch bytes.count {
    case 2, 4:
      let short = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      high = short << 32 | Self.baseHigh
      low = Self.baseLow
    case 16:
      high = bytes[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      low = bytes[8...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    default:
      return nil
    }
    self.bytes = bytes
  }

  /// A UUID assigned by the Bluetooth SIG.
  package init(_ assigned: UInt16) {
    bytes = [UInt8(assigned >> 8), UInt8(assigned & 0xFF)]
    high = UInt64(assigned) << 32 | Self.baseHigh
    low = Self.baseLow
  }

  /// A UUID from its text; nil for any other text.
  ///
  /// The text has 4 or 8 hexadecimal digits, with or without `0x` before them, or 32 digits and 4
  /// hyphens.
  package init?(_ string: String) {
    var digits = Array(string.utf8)
    // Not documented by Apple, but much code relies on it, the tests of RxBluetoothKit among it.
    if [6, 10].contains(digits.count), string.hasPrefix("0x") { digits.removeFirst(2) }
    if digits.count == 36 {
      guard [8, 13, 18, 23].allSatisfy({ digits[$0] == UInt8(ascii: "-") }) else { return nil }
      digits.removeAll { $0 == UInt8(ascii: "-") }
      guard digits.count == 32 else { return nil }
    } else if digits.count != 4 && digits.count != 8 {
      return nil
    }
    let nibbles = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard nibbles.count == digits.count else { return nil }
    self.init(
      bytes: stride(from: 0, to: nibbles.count, by: 2).map {
        UInt8(nibbles[$0] << 4 | nibbles[$0 + 1])
      })
  }

  /// Compares the 128-bit forms.
  package static func == (left: Self, right: Self) -> Bool {
    left.high == right.high && left.low == right.low
  }

  /// Hashes the 128-bit form.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(high)
    hasher.combine(low)
  }

  /// The 16-bit value when this is a UUID of the SIG's 16-bit range.
  package var assigned: UInt16? {
    guard low == Self.baseLow, high & 0xFFFF_FFFF == Self.baseHigh else { return nil }
    return UInt16(exactly: high >> 32)
  }

  /// Upper-case digits of the given length.
  package var string: String {
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
    guard digits.count == 16 else { return digits.joined() }
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
      .joined(separator: "-")
  }
}

extension BluetoothUUID: Codable {
  /// Reads what ``string`` gives.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let uuid = Self(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "This is not a UUID of 4, 8 or 32 digits.")
    }
    self = uuid
  }

  /// Writes ``string``.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(string)
  }
}
