// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite

/// The key of a file's rows, and how it is known to be the right one.
///
/// The credential store keeps the key; the file keeps a sample that only the right key opens. A wrong
/// or missing key is an error of the whole file: it must never look like damage of every row.
enum OutboxKey {
  /// The name of the key in the credential store.
  static let credential = "outbox-key"
  private static let sample = Array("santorio outbox".utf8)

  /// The seal of a file; a new one gets a new key, inside the transaction under way.
  ///
  /// - Throws: `SQLiteError` when the sample is damaged, ``SessionError`` when it is whole and the key
  ///   does not open it.
  static func seal(
    of database: SQLiteDatabase, isNew: Bool, in credentials: any CredentialStoring
  ) throws -> RowSeal {
    guard !isNew else { return try make(for: database, in: credentials) }
    let row = try database.prepare("SELECT sample, digest FROM seal").first {
      ($0.blob(0), $0.blob(1))
    }
    guard let (stored, digest) = row, SHA256Digest.octets(stored) == digest else {
      throw SQLiteError.damaged("the sample of the key is damaged")
    }
    let seal = try RowSeal(key: key(in: credentials))
    guard seal.open(stored, as: credential) == sample else {
      throw SessionError(
        .keyMismatch, "the key in the credential store is another one than the records' own")
    }
    return seal
  }

  private static func key(in credentials: any CredentialStoring) throws(SessionError) -> [UInt8] {
    let text: String
    do throws(SessionError) {
      text = try credentials.token(for: credential)
    } catch {
      guard error.code == .credentialsUnavailable || error.code == .credentialsMissing else {
        throw error
      }
      throw SessionError(
        error.code,
        "the key of the records cannot be read; unlock the device or bring the key back",
        systemCode: error.systemCode)
    }
    guard let key = Data(base64Encoded: text), key.count == RowSeal.keySize else {
      throw SessionError(.keyMismatch, "the key in the credential store is no key of this library")
    }
    return Array(key)
  }

  /// A key that is in the store already is taken: the file may be a new one in the place of a
  /// damaged one.
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
    let sealed = try seal.seal(sample, as: credential)
    try database.prepare("INSERT INTO seal(id, sample, digest) VALUES(1, ?, ?)")
      .run(.blob(sealed), .blob(SHA256Digest.octets(sealed)))
    return seal
  }
}
