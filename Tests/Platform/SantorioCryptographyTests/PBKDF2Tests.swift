// SPDX-License-Identifier: Apache-2.0

import SantorioCryptography
import TestSupport
import Testing

@Suite struct `Keys of passphrases` {
  /// RFC 7914 section 11; the last was computed by Python's hashlib.
  @Test(arguments: [
    (
      "passwd", "salt", 1, 64,
      "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
        + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"
    ),
    (
      "Password", "NaCl", 80000, 64,
      "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
        + "a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d"
    ),
    ("pässword", "salt", 4096, 20, "68f6337f46ac3dab4f793e1839b9047ba579f01c"),
  ])
  func `gives the keys of RFC 7914`(
    passphrase: String, salt: String, iterations: Int, count: Int, expected: String
  ) throws {
    let key = try PBKDF2.key(
      of: passphrase, salt: Array(salt.utf8), iterations: iterations, count: count)
    #expect(try key == bytes(expected))
  }

  @Test(arguments: [(0, 32), (-1, 32), (1 << 31, 32), (1, 0)])
  func `refuses numbers out of range`(iterations: Int, count: Int) {
    #expect {
      try PBKDF2.key(of: "passwd", salt: [1], iterations: iterations, count: count)
    } throws: { ($0 as? CryptographyError)?.code == .invalidLength }
  }
}
