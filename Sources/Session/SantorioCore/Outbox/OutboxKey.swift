// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import SantorioCryptography

/// The key of a file's rows, and the check that it is the right one.
///
/// The credential store keeps the key; the file keeps a sample that only the right key opens. A
/// wrong or missing key is an error of the whole file: it must never look like damage of every row.
enum OutboxKey {
  /// The name of the key in the credential store.
  static let credential = "outbox-key"
  private static let sample = Array("santorio outbox".utf8)

  /// The seal of a file; a new one gets a new key, inside the current transaction.
  ///
  /// - Throws: `SQLiteError` when the sample is damaged, ``SessionError`` when it is whole and the
  ///   key does not open it.
  static func seal(
    of database: SQLiteDatabase, isNew: Bool, in credentials: any CredentialStoring
  ) throws -> RowSeal {
    guard !isNew else { return try make(for: database, in: credentials) }
    let seal = try RowSeal(key: key(in: credentials))
    guard try opens(seal, database) else {
      throw SessionError(
        .keyMismatch, "the key in the credential store is not the key of these records")
    }
    seal.resume(at: messagesAhead + Int(try database.integer("SELECT messages FROM seal")))
    return seal
  }

  /// The file counts this many messages in advance when it is opened.
  ///
  /// A kill may lose the count of messages encrypted since it was last written. An app may open the
  /// file for each call, so this is also what an opening costs of the key: a million of them.
  static let messagesAhead = 1 << 12

  /// Counts ahead; on a full disk the file is still opened.
  static func countAhead(in database: SQLiteDatabase) {
    try? database.execute("UPDATE seal SET messages = messages + \(messagesAhead)")
  }

  /// Whether a seal belongs to the file.
  static func opens(_ seal: RowSeal, _ database: SQLiteDatabase) throws -> Bool {
    let row = try database.prepare("SELECT sample, digest FROM seal").first {
      ($0.blob(0), $0.blob(1))
    }
    guard let (stored, digest) = row, SHA256Digest.bytes(stored) == digest else {
      throw SQLiteError.damaged("the sample of the key is damaged")
    }
    return seal.open(stored, as: credential) == sample
  }

  /// Throws if the key cannot be read because the device has not been unlocked since its start.
  ///
  /// Asked before any file is touched: a file that is locked fails in many ways.
  static func checkUnlocked(_ credentials: any CredentialStoring) throws(SessionError) {
    do throws(SessionError) {
      _ = try credentials.token(for: credential)
    } catch {
      if error.code == .storageLocked { throw error }
    }
  }

  static func key(
    in credentials: any CredentialStoring, named name: String = credential
  ) throws(SessionError) -> [UInt8] {
    let text: String
    do throws(SessionError) {
      text = try credentials.token(for: name)
    } catch {
      guard error.code == .credentialsUnavailable || error.code == .credentialsMissing else {
        throw error
      }
      throw SessionError(
        error.code,
        error.code == .credentialsMissing
          ? "the key of the records does not exist; restore it, or give the queue up for now: "
            + "startsAnewWithoutKey, \"santorio queue set-aside\""
          : "the key of the records cannot be read now: \(error.message)",
        systemCode: error.systemCode)
    }
    guard let key = Data(base64Encoded: text), key.count == RowSeal.keySize else {
      throw SessionError(.keyMismatch, "the key in the credential store is not valid for records")
    }
    return Array(key)
  }

  /// A key that is already in the store is used: the file may be new and replace a damaged one.
  private static func make(
    for database: SQLiteDatabase, in credentials: any CredentialStoring
  ) throws -> RowSeal {
    let key: [UInt8]
    do throws(SessionError) {
      key = try self.key(in: credentials)
    } catch {
      guard error.code == .credentialsMissing else { throw error }
      key = RowSeal.newKey()
      // Before the commit: no row is ever sealed with a key that could be lost.
      try credentials.save(Data(key).base64EncodedString(), for: credential)
    }
    let seal = RowSeal(key: key)
    try write(seal, to: database)
    return seal
  }

  /// Makes a seal the file's own, inside the current transaction.
  static func write(_ seal: RowSeal, to database: SQLiteDatabase) throws {
    let sealed = try seal.seal(sample, as: credential)
    try database.prepare(
      """
      INSERT INTO seal(id, sample, digest, messages) VALUES(1, ?, ?, ?) ON CONFLICT DO UPDATE
      SET sample = excluded.sample, digest = excluded.digest, messages = excluded.messages
      """
    ).run(
      .blob(sealed), .blob(SHA256Digest.bytes(sealed)), .integer(Int64(seal.messageCount)))
  }
}
