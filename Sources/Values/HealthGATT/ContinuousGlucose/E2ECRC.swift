// SPDX-License-Identifier: Apache-2.0

/// E2E-CRC: the check by which a continuous glucose monitor protects its values.
///
/// It covers all bytes of a value before it and follows them, least significant byte first. Of a
/// CGM Measurement each record has its own.
///
/// Source: Continuous Glucose Monitoring Service 1.0.2, E2E-CRC: CRC-CCITT, that is the polynomial
/// x^16 + x^12 + x^5 + 1, starting with 0xFFFF; each byte enters with its least significant bit
/// first.
package enum E2ECRC {
  /// The polynomial with its bits in reverse order.
  private static let polynomial: UInt16 = 0x8408

  /// The check over some bytes.
  package static func value(of bytes: some Sequence<UInt8>) -> UInt16 {
    bytes.reduce(0xFFFF) { check, byte in
      (0..<8).reduce(check ^ UInt16(byte)) { check, _ in
        check & 1 == 1 ? check >> 1 ^ polynomial : check >> 1
      }
    }
  }
}

extension PayloadReader {
  /// Reads the check and compares it with that of the bytes before it.
  ///
  /// - Parameter start: The offset of the first byte that it covers.
  /// - Throws: `truncated`; `checksumMismatch` at the offset of the check.
  mutating func e2eCRC(from start: Int = 0) throws(PayloadError) {
    let end = offset
    let sent = try uint16(field: "E2E-CRC")
    guard sent == E2ECRC.value(of: bytes[start..<end]) else {
      throw PayloadError(
        .checksumMismatch, field: "E2E-CRC", offset: end,
        message: "The value was damaged on its way. Refuse it, and ask for it again.")
    }
  }

  /// Whether the value is protected: reads the check of a value that has one, which is its end.
  mutating func endsWithE2ECRC() throws(PayloadError) -> Bool {
    guard remainingCount > 0 else { return false }
    try e2eCRC()
    return true
  }
}

extension PayloadWriter {
  /// Appends the check of the bytes from an offset on.
  mutating func e2eCRC(from start: Int = 0) {
    uint16(E2ECRC.value(of: bytes[start...]))
  }
}
