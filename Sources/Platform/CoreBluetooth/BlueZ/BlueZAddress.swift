// SPDX-License-Identifier: Apache-2.0

/// A Bluetooth device address as bluetoothd writes it.
struct BlueZAddress: Hashable, Sendable {
  /// Six bytes in upper-case hexadecimal digits, `:` between them, the most significant first.
  let text: String
  /// Whether the address was chosen by the device instead of assigned by the IEEE.
  let isRandom: Bool

  /// An address; nil when the text is not one.
  init?(_ text: String, isRandom: Bool) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 6, parts.allSatisfy({ $0.utf8.count == 2 && UInt8($0, radix: 16) != nil })
    else { return nil }
    self.text = text.uppercased()
    self.isRandom = isRandom
  }

  /// The six bytes, as written.
  var bytes: [UInt8] { text.split(separator: ":").compactMap { UInt8($0, radix: 16) } }

  /// Whether the address changes with time, and only bonded peers can resolve it (Core
  /// Specification, Vol 6, Part B, 1.3.2.2).
  var isResolvable: Bool { isRandom && (bytes.first ?? 0) >> 6 == 0b01 }
}

extension BlueZAddress {
  /// The text of six bytes, the most significant first.
  static func text(of bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
      .joined(separator: ":")
  }
}
