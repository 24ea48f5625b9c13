// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioCryptography

/// Encrypts the outbox's data on disk.
///
/// The sealed form is the byte 0x01 and the output of `AESGCM` with a random nonce. The name
/// under which data is sealed, see ``SealedPlace``, is authenticated with it, so that it cannot
/// replace other data. One key may encrypt 2³² messages with random nonces (SP 800-38D §8.3);
/// they are counted.
package struct RowSeal: Sendable {
  /// How many bytes longer the sealed form is.
  static let overhead = 1 + AESGCM.overhead
  static let keySize = 32
  static let sealedForm: UInt8 = 0x01

  /// The maximum number of messages encrypted with the key.
  ///
  /// It is 2²⁴ less than allowed, since the count on disk lags a little.
  static let mostMessages = 1 << 32 - 1 << 24
  /// From this many messages on the log asks for a new key.
  static let manyMessages = 1 << 31

  private let cipher: AESGCM
  private let marks: HMACSHA256
  private let nameCipher: AESGCM
  private let messages = Locked(Messages())

  private struct Messages {
    // Counted by the file when it was opened, plus those since.
    var counted = 0
    // The number of those not yet counted in the file.
    var unsaved = 0
  }

  /// - Parameter key: The key, of 32 bytes.
  package init(key: [UInt8]) {
    cipher = AESGCM(key: key)
    let keys = HMACSHA256(key: key)
    marks = HMACSHA256(key: keys.code(of: Array("santorio marks".utf8)))
    nameCipher = AESGCM(key: keys.code(of: Array("santorio log_ids".utf8)))
  }

  /// A keyed fingerprint of a text, for holders of the key (HMAC-SHA256, RFC 2104).
  func mark(_ text: String) -> [UInt8] { marks.code(of: Array(text.utf8)) }

  // MARK: - Names

  /// The name of a record in the files: its `log_id`, encrypted, always the same.
  ///
  /// A `log_id` often follows from a reading's content, so plain text would allow values to be
  /// guessed. Rows are found by the name; without the key it shows only which rows belong to one
  /// record and how long the `log_id` is. The nonce is a mark of the `log_id`, so that no two of
  /// them share one.
  ///
  /// - Parameter logID: The record's `log_id`.
  /// - Returns: The name, `overhead` bytes longer.
  /// - Throws: ``SessionError`` when it cannot be encrypted.
  package func name(of logID: String) throws(SessionError) -> [UInt8] {
    let nonce = Array(mark("log_id\n" + logID).prefix(AESGCM.nonceSize))
    return try nameCipher.encrypting { encryption throws(SessionError) in
      var name: [UInt8] = []
      try encryption.seal(Array(logID.utf8), as: SealedPlace.name, nonce: nonce, onto: &name)
      return name
    }
  }

  /// The `log_id` of a name; nil when the name is damaged or made with another key.
  package func logID(of name: [UInt8]) -> String? {
    Self.open(name, as: SealedPlace.name, by: nameCipher)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  // MARK: - The count of messages

  /// How many messages were encrypted with the key.
  var messageCount: Int { messages.withLock { $0.counted } }

  /// Adds the count stored in the file.
  func resume(at count: Int) { messages.withLock { $0.counted += count } }

  /// The messages not yet counted in the file, if worth a write; they then count as known.
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
      try encryption.seal(bytes, as: name, onto: &sealed)
      return sealed
    }
  }

  /// Calls `body` with an encryptor for many rows, on this thread.
  func sealing<Result>(
    _ number: Int = 1, _ body: (AESGCM.Encryption) throws(SessionError) -> Result
  ) throws(SessionError) -> Result {
    guard messageCount < Self.mostMessages else { throw SessionError.keyUsedUp }
    count(number)
    return try cipher.encrypting(body)
  }

  /// Whether it is the same instance; another one may have another key.
  func isSame(as other: RowSeal) -> Bool { cipher === other.cipher }

  /// Decrypts bytes sealed under a name; nil when damaged or sealed under another name.
  func open(_ bytes: [UInt8], as name: String) -> [UInt8]? {
    Self.open(bytes, as: name, by: cipher)
  }

  private static func open(_ bytes: [UInt8], as name: String, by cipher: AESGCM) -> [UInt8]? {
    guard bytes.first == sealedForm, bytes.count >= overhead else { return nil }
    return cipher.open(bytes, from: 1, authenticating: name)
  }

  /// The end of the tag: it differs for each sealing, so it distinguishes contents of a row.
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
    _ bytes: [UInt8], as name: String, nonce: [UInt8]? = nil, onto output: inout [UInt8]
  ) throws(SessionError) {
    output.append(RowSeal.sealedForm)
    let isDone = unsafe bytes.withUnsafeBufferPointer {
      unsafe seal($0, authenticating: name, nonce: nonce, onto: &output)
    }
    guard isDone else { throw SessionError.cannotEncrypt }
  }

  /// Encrypts bytes under a name, and appends the sealed form to `output`.
  func seal(
    _ bytes: UnsafeBufferPointer<UInt8>, as name: String, onto output: inout [UInt8]
  ) throws(SessionError) {
    output.append(RowSeal.sealedForm)
    guard unsafe seal(bytes, authenticating: name, onto: &output) else {
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
