// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioCryptography

/// Encrypts what the outbox keeps on disk.
///
/// The sealed form is the byte 0x01 and what ``AESGCM`` makes under a random nonce. The name under which something is sealed, see ``SealedPlace``, is authenticated with it,
/// so that nothing can take the place of something else. One key serves for 2³² messages, as random
/// nonces allow (SP 800-38D §8.3); they are counted.
package struct RowSeal: Sendable {
  /// How many bytes longer the sealed form is.
  static let overhead = 1 + AESGCM.overhead
  static let keySize = 32
  static let sealedForm: UInt8 = 0x01

  /// From so many messages on nothing more is encrypted with the key; 2²⁴ less than allowed, since
  /// the count on the disk is a little behind.
  static let mostMessages = 1 << 32 - 1 << 24
  /// From so many messages on the log asks for a new key.
  static let manyMessages = 1 << 31

  private let cipher: AESGCM
  private let marks: HMACSHA256
  private let nameCipher: AESGCM
  private let messages = Locked(Messages())

  private struct Messages {
    // Counted by the file when it was opened, and since.
    var counted = 0
    // Of those, how many the file does not know of yet.
    var unsaved = 0
  }

  /// - Parameter key: The key, of 32 bytes.
  package init(key: [UInt8]) {
    cipher = AESGCM(key: key)
    let keys = HMACSHA256(key: key)
    marks = HMACSHA256(key: keys.code(of: Array("santorio marks".utf8)))
    nameCipher = AESGCM(key: keys.code(of: Array("santorio log_ids".utf8)))
  }

  /// Tells something from everything else, for those who have the key (HMAC-SHA256, RFC 2104).
  func mark(_ text: String) -> [UInt8] { marks.code(of: Array(text.utf8)) }

  // MARK: - Names

  /// The name of a record in the files: its `log_id`, encrypted, the same each time.
  ///
  /// A `log_id` often follows from a reading's content, so in clear it would let values be tried.
  /// Rows are found by the name; without the key it says no more than which rows are of one record,
  /// and how long the `log_id` is. The nonce is a mark of the `log_id`, so that no two of them
  /// share one.
  ///
  /// - Parameter logID: The record's `log_id`.
  /// - Returns: The name, `overhead` bytes longer.
  /// - Throws: ``SessionError`` when it cannot be encrypted.
  package func name(of logID: String) throws(SessionError) -> [UInt8] {
    let nonce = Array(mark("log_id\n" + logID).prefix(AESGCM.nonceSize))
    return try nameCipher.encrypting { encryption throws(SessionError) in
      var name: [UInt8] = []
      try unsafe Array(logID.utf8).withUnsafeBufferPointer { bytes throws(SessionError) in
        try unsafe encryption.seal(bytes, as: SealedPlace.name, nonce: nonce, onto: &name)
      }
      return name
    }
  }

  /// The `log_id` that a name was made of; nil when the name is damaged or another key's.
  package func logID(of name: [UInt8]) -> String? {
    Self.open(name, as: SealedPlace.name, by: nameCipher)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  // MARK: - The count of messages

  /// How many messages were encrypted with the key.
  var messageCount: Int { messages.withLock { $0.counted } }

  /// Counts what the file knows of.
  func resume(at count: Int) { messages.withLock { $0.counted += count } }

  /// The messages that the file does not know of, if they are worth a write; they count as known
  /// then.
  func takeUnsaved(from least: Int) -> Int? {
    messages.withLock { messages in
      guard messages.unsaved >= least else { return nil }
      defer { messages.unsaved = 0 }
      return messages.unsaved
    }
  }

  fileprivate func count(_ number: Int) {
    messages.withLock { messages in
      messages.counted += number
      messages.unsaved += number
    }
  }

  /// A new key of the system's random generator.
  static func newKey() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<keySize).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// Encrypts bytes under a name.
  func seal(_ bytes: [UInt8], as name: String) throws(SessionError) -> [UInt8] {
    try sealing { encryption throws(SessionError) in
      var sealed: [UInt8] = []
      try unsafe bytes.withUnsafeBufferPointer { bytes throws(SessionError) in
        try unsafe encryption.seal(bytes, as: name, onto: &sealed)
      }
      return sealed
    }
  }

  /// Calls `body` with what encrypts many rows, on this thread.
  func sealing<Result>(
    _ number: Int = 1, _ body: (AESGCM.Encryption) throws(SessionError) -> Result
  ) throws(SessionError) -> Result {
    guard messageCount < Self.mostMessages else { throw SessionError.keyUsedUp }
    count(number)
    return try cipher.encrypting(body)
  }

  /// Whether it is this very seal; another one may have another key.
  func isSame(as other: RowSeal) -> Bool { cipher === other.cipher }

  /// Decrypts what was sealed under a name; nil when it is damaged or was sealed under another.
  func open(_ bytes: [UInt8], as name: String) -> [UInt8]? {
    Self.open(bytes, as: name, by: cipher)
  }

  private static func open(_ bytes: [UInt8], as name: String, by cipher: AESGCM) -> [UInt8]? {
    guard bytes.first == sealedForm, bytes.count >= overhead else { return nil }
    return cipher.open(bytes, from: 1, authenticating: name)
  }

  /// The end of the tag: another one for each sealing, so it tells one content of a row from the
  /// next.
  static func mark(of sealed: [UInt8]) -> Int64 {
    Int64(bitPattern: sealed.suffix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// Encrypts a text under a name.
  func seal(_ text: String?, as name: String) throws(SessionError) -> [UInt8]? {
    guard let text else { return nil }
    return try seal(Array(text.utf8), as: name)
  }
}

extension AESGCM.Encryption {
  /// Encrypts bytes under a name, and appends the sealed form to `output`.
  func seal(
    _ bytes: UnsafeBufferPointer<UInt8>, as name: String, nonce: [UInt8]? = nil,
    onto output: inout [UInt8]
  ) throws(SessionError) {
    output.append(RowSeal.sealedForm)
    guard unsafe seal(bytes, authenticating: name, nonce: nonce, onto: &output) else {
      throw SessionError.cannotEncrypt
    }
  }
}

extension SessionError {
  fileprivate static let keyUsedUp = SessionError(
    .keyUsedUp, "the key of the records has encrypted all that one key may; change it")

  fileprivate static let cannotEncrypt = SessionError(
    .storageFailed, "the record cannot be encrypted")
}
