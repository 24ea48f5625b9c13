// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The passphrase of an export.
enum ExportPassphrase {
  /// The least number of characters.
  static let least = 12
  // Letters and digits that are not taken for others.
  private static let characters = Array("abcdefghjkmnpqrstuvwxyz23456789")

  /// The passphrase as it counts: without spaces around it, and in one form of Unicode (NFC), since
  /// keyboards differ in how they enter accents.
  static func normalized(_ passphrase: String) -> String {
    passphrase.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
  }

  static func isLongEnough(_ passphrase: String) -> Bool {
    normalized(passphrase).count >= least
  }

  /// A new one of four groups of five characters: 99 bits.
  static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    let groups = (0..<4).map { _ in
      String((0..<5).map { _ in characters[Int.random(in: characters.indices, using: &generator)] })
    }
    return groups.joined(separator: "-")
  }
}
