// SPDX-License-Identifier: Apache-2.0

import SantorioCryptography

/// UUIDs of version 8 (RFC 9562 §5.8) that are the digest of a text: equal texts have equal UUIDs.
package enum DigestUUID {
  /// The first half of the text's SHA-256 as a UUID, in lower case.
  package static func text(of name: String) -> String {
    var bytes = Array(SHA256Digest.bytes(Array(name.utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0f | 0x80
    bytes[8] = bytes[8] & 0x3f | 0x80
    let digits = bytes.map { String(Int($0) + 256, radix: 16).dropFirst() }
    let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
    return groups.joined(separator: "-")
  }
}
