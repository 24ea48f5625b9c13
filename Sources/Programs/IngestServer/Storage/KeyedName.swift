// SPDX-License-Identifier: Apache-2.0

import SantorioCryptography

/// A keyed substitute for a text that must not be in the file: half of its HMAC-SHA-256.
///
/// A `log_id` is a digest of device, time and values, and a `uid` may be a person's name: an
/// attacker could test guesses, even on pages where SQLite has left a copy of a removed row.
/// Without the key a name reveals nothing, and the key of a user is wiped when the user is erased.
enum KeyedName {
  static let keySize = 32

  static func of(_ text: String, key: [UInt8]) -> [UInt8] {
    Array(HMACSHA256(key: key).code(of: Array(text.utf8)).prefix(16))
  }
}
