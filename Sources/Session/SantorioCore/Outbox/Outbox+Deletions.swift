// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioSQLite

// Deletions are rows of the queue like records: a row has the name of its record, so that there is
// one decision for each. A deletion takes the place of a record that waits or is held back. One
// that is on its way to the server meanwhile is not settled by the answer, since the row has
// another content by then: the deletion is sent after it.
extension Outbox {
  /// Stores a deletion that is later than all that waits, inside the current transaction.
  func store(_ deletion: RecordDeletion, session: Int64) throws {
    try store(deletion, session: session) { deletion.after($0) }
    try removeImages(of: deletion.logID, session: session)
  }

  /// Stores a deletion of an archive, an export or the quarantine, inside the current transaction.
  ///
  /// - Returns: Whether it waits now; false when a later content of the record does.
  func putBack(_ deletion: RecordDeletion, session: Int64) throws -> Bool {
    let isStored = try store(deletion, session: session) { record in
      deletion.supersedes(record) ? deletion : nil
    }
    if isStored { try removeImages(of: deletion.logID, session: session) }
    return isStored
  }

  /// Stores a deletion; `over` gives what a waiting record is replaced by, nil when it stays.
  @discardableResult
  private func store(
    _ deletion: RecordDeletion, session: Int64, over: (HealthRecord) -> RecordDeletion?
  ) throws -> Bool {
    guard let row = try row(of: deletion.logID) else {
      try insert(deletion)
      return true
    }
    if let other = row.deletion {
      // Repeated deletions are one; the later one says until when the record was deleted.
      guard deletion.noticed > other.noticed else { return false }
      try replace(row, by: deletion.completed(by: other))
      return true
    }
    guard row.isSound, let record = try? HealthRecord(informJSON: row.body) else {
      // Nothing is known of it that could be later; what is left of it is kept.
      try remove(row, session: session, kind: .damaged)
      try insert(deletion)
      return true
    }
    guard let deletion = over(record) else { return false }
    let known = RecordDeletion(of: record, noticed: deletion.noticed)
    try replace(row, by: deletion.completed(by: known))
    return true
  }

  private func insert(_ deletion: RecordDeletion) throws {
    let (name, sealed) = try sealed(deletion)
    try takeRoom(name.count + sealed.count)
    try statement(Self.insertionSQL[0]).run(
      .blob(name), .integer(RowSeal.mark(of: sealed)), .blob(sealed))
  }

  private func replace(_ row: OutboxRow, by deletion: RecordDeletion) throws {
    let (name, sealed) = try sealed(deletion)
    // It is shorter than most records.
    if sealed.count > row.sealed.count { try takeRoom(sealed.count - row.sealed.count) }
    try statement(Self.replacementSQL).run(
      .blob(name), .integer(RowSeal.mark(of: sealed)), .blob(sealed))
  }

  private func sealed(_ deletion: RecordDeletion) throws -> (name: [UInt8], bytes: [UInt8]) {
    let bytes = try deletion.json()
    let seal = try seal
    return (
      try seal.name(of: deletion.logID),
      try seal.seal(bytes, as: SealedPlace.queued(deletion.logID))
    )
  }

  private func row(of logID: String) throws -> OutboxRow? {
    let seal = try seal
    return try database.prepare(
      "SELECT seq, log_id, body, attempts, sum, held FROM q WHERE log_id = ?"
    ).first(.blob(seal.name(of: logID))) { OutboxRow($0, seal, isHeld: $0.integer(5) != 0) }
  }

  /// The deletion that waits for a record; nil when none does.
  func waitingDeletion(of logID: String) throws -> RecordDeletion? {
    try row(of: logID)?.deletion
  }

  /// The deletions that wait for the server, in order.
  func deletions() throws(SessionError) -> [RecordDeletion] {
    try access {
      let seal = try seal
      return try database.prepare("SELECT log_id, body FROM q WHERE NOT held ORDER BY seq")
        .all { row in
          seal.logID(of: row.blob(0)).flatMap { seal.open(row.blob(1), as: SealedPlace.queued($0)) }
        }
        .compactMap { $0.flatMap(RecordDeletion.init(stored:)) }
    }
  }

  // MARK: - Images

  /// Removes the images of a deleted record that wait; those that were refused stay to be looked at.
  ///
  /// Their files are removed after the transaction.
  func removeImages(of logID: String, session: Int64) throws {
    let underway = try imagesUnderway()
    let found = try statement(
      """
      SELECT id, sha256 FROM image
      WHERE log_id = ?2 AND err IS NULL AND \(Self.isOfSameUser)
      """
    ).all(.integer(session), .blob(seal.name(of: logID))) { (id: $0.integer(0), $0.text(1)) }
    for (id, digest) in found where !underway.contains(id) {
      try statement("DELETE FROM image WHERE id = ?").run(.integer(id))
      unusedImages.insert(digest)
    }
  }

  /// Removes the files of images that a transaction has removed; a later one finds what is left.
  func removeFilesOfDeleted() {
    let digests = unusedImages
    unusedImages = []
    for digest in digests { try? removeUnusedImages(digest) }
  }
}

extension RecordDeletion {
  /// Reads what the outbox stores; nil when it is a record.
  init?(stored bytes: [UInt8]) {
    guard RecordDeletion.isForm(bytes), let deletion = try? RecordDeletion(json: bytes) else {
      return nil
    }
    self = deletion
  }
}

extension OutboxRow {
  /// Whether it is the deletion of a record.
  var isDeletion: Bool { RecordDeletion.isForm(body) }
  /// The deletion; nil when it is a record, or damaged.
  var deletion: RecordDeletion? { RecordDeletion(stored: body) }
}
