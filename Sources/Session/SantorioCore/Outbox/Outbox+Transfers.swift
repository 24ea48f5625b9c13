// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioSQLite

// Uploads that the system performs. What each of them carries is in the file before it begins, so
// that an answer counts in a later launch too, and no row is in two uploads at once: of two
// contents of one record the older one could arrive last.
extension Outbox {
  /// The uploads that were begun and not settled, of all sessions; damaged ones are left out.
  func transfers() throws(SessionError) -> [StoredTransfer] {
    try access { try storedTransfers() }
  }

  private func storedTransfers() throws -> [StoredTransfer] {
    let seal = try seal
    return try statement("SELECT id, session, content FROM transfer").all { row in
      let id = row.text(0)
      guard let json = seal.open(row.blob(2), as: SealedPlace.transfer(id)),
        let content = try? JSONDecoder().decode(StoredTransfer.Content.self, from: Data(json))
      else { return nil }
      return StoredTransfer(id: id, session: row.integer(1), content: content)
    }
    .compactMap(\.self)
  }

  /// The rows that uploads carry.
  func rowsUnderway() throws -> Set<Int64> {
    Set(try storedTransfers().flatMap { $0.content.rows.map(\.sequence) })
  }

  /// The images that uploads carry.
  func imagesUnderway() throws -> Set<Int64> {
    Set(try storedTransfers().compactMap { $0.content.image?.id })
  }

  /// Notes what an upload will carry, before it begins.
  func begin(_ transfer: StoredTransfer) throws(SessionError) {
    try transaction {
      let json = try JSONEncoder().encode(transfer.content)
      try statement("INSERT INTO transfer(id, session, content) VALUES(?, ?, ?)").run(
        .text(transfer.id), .integer(transfer.session),
        .blob(try seal.seal(Array(json), as: SealedPlace.transfer(transfer.id))))
      // What waited for its time does not wait for it any more.
      for row in transfer.content.rows {
        try statement("UPDATE q SET not_before = 0 WHERE seq = ? AND not_before > 0")
          .run(.integer(row.sequence))
      }
      if let image = transfer.content.image {
        try statement("UPDATE image SET not_before = 0 WHERE id = ?").run(.integer(image.id))
      }
    }
  }

  /// Forgets uploads, whose rows may then be sent again.
  func end(transfers ids: some Sequence<String>) throws(SessionError) {
    try draining { for id in ids { try forget(transfer: id) } }
  }

  /// Forgets an upload, inside the current transaction.
  func forget(transfer id: String?) throws {
    guard let id else { return }
    try statement("DELETE FROM transfer WHERE id = ?").run(.text(id))
  }

  /// The rows of an upload, in its order; nil for one that is gone or has another content by now.
  func rows(of transfer: StoredTransfer) throws(SessionError) -> [OutboxRow?] {
    try access {
      let file = try file
      return try transfer.content.rows.map { row in
        let found = try file.statement(
          "SELECT seq, log_id, body, attempts, sum FROM q WHERE seq = ?"
        ).first(.integer(row.sequence)) { OutboxRow($0, file.seal) }
        guard var found, found.isSound, found.sum == row.sum else { return nil }
        found.part = row.part
        return found
      }
    }
  }

  /// A mark of a token, by which the file shows nothing of it.
  func mark(ofToken token: String) throws(SessionError) -> [UInt8] {
    try seal.mark("token\n" + token)
  }
}
