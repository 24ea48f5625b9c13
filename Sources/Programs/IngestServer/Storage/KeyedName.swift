// SPDX-License-Identifier: Apache-2.0

import SantorioCryptography

/// A name in the place of a text that may not stand in the file: the first half of its
/// HMAC-SHA-256.
///
/// A `log_id` is a digest of device, time and values, and a `uid` may be a person's name: whoever
/// has guesses could test them, also on pages where SQLite has left a copy of a row that was
/// removed. Without the key a name says nothing, and the key of a user goes when the user is
/// erased.
enum KeyedName {
  static let keySize = 32

  static func of(_ text: String, key: [UInt8]) -> [UInt8] {
    Array(HMACSHA256(key: key).code(of: Array(text.utf8)).prefix(16))
  }
}
