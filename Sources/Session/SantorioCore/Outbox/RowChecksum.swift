// SPDX-License-Identifier: Apache-2.0

/// FNV-1a, 64 bits, over a record's identifier and its stored octets: finds what a failing disk did.
enum RowChecksum {
  static func of(logID: String, body: [UInt8]) -> Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for octet in logID.utf8 { hash = (hash ^ UInt64(octet)) &* 0x0000_0100_0000_01b3 }
    for octet in body { hash = (hash ^ UInt64(octet)) &* 0x0000_0100_0000_01b3 }
    return Int64(bitPattern: hash)
  }
}
