// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Encrypts what the outbox keeps on disk: AES-256-GCM (NIST SP 800-38D).
///
/// The sealed form is the octet 0x01, a random nonce of 12 octets, the ciphertext, and a tag of 16
/// octets. The name under which something is sealed is authenticated with it, so that nothing can
/// take the place of something else. One key serves for 2³² rows.
struct RowSeal: Sendable {
  /// How many octets longer the sealed form is.
  static let overhead = 1 + nonceSize + tagSize
  static let keySize = 32
  static let sealedForm: UInt8 = 0x01
  static let nonceSize = 12
  static let tagSize = 16

  private let cipher: RowCipher

  init(key: [UInt8]) { cipher = RowCipher(key: key) }

  /// A new key of the system's random generator.
  static func newKey() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<keySize).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// Encrypts octets under a name.
  func seal(_ octets: [UInt8], as name: String) throws(SessionError) -> [UInt8] {
    try sealing { encryption throws(SessionError) in
      var sealed: [UInt8] = []
      let isDone = unsafe octets.withUnsafeBufferPointer {
        unsafe encryption.encrypt($0, name: name, onto: &sealed)
      }
      guard isDone else { throw SessionError.cannotEncrypt }
      return sealed
    }
  }

  /// Calls `body` with what encrypts many rows, on this thread.
  func sealing<Result>(
    _ body: (RowEncryption) throws(SessionError) -> Result
  ) throws(SessionError) -> Result {
    try cipher.encrypting(body)
  }

  /// Whether it is this very seal; another one may have another key.
  func isSame(as other: RowSeal) -> Bool { cipher === other.cipher }

  /// Decrypts what was sealed under a name; nil when it is damaged or was sealed under another.
  func open(_ octets: [UInt8], as name: String) -> [UInt8]? {
    guard octets.first == Self.sealedForm, octets.count >= Self.overhead else { return nil }
    return cipher.decrypt(octets, name: name)
  }

  /// The end of the tag: another one for each sealing, so it tells one content of a row from the next.
  static func mark(of sealed: [UInt8]) -> Int64 {
    Int64(bitPattern: sealed.suffix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// Encrypts a text under a name.
  func seal(_ text: String?, as name: String) throws(SessionError) -> [UInt8]? {
    guard let text else { return nil }
    return try seal(Array(text.utf8), as: name)
  }
}

extension RowEncryption {
  /// Encrypts octets under a name, and appends the sealed form to `output`.
  func seal(
    _ octets: UnsafeBufferPointer<UInt8>, as name: String, onto output: inout [UInt8]
  ) throws(SessionError) {
    guard unsafe encrypt(octets, name: name, onto: &output) else {
      throw SessionError.cannotEncrypt
    }
  }
}

extension SessionError {
  fileprivate static let cannotEncrypt = SessionError(
    .storageFailed, "the record cannot be encrypted")
}
