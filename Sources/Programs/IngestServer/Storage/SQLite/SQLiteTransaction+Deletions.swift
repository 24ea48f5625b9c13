// SPDX-License-Identifier: Apache-2.0

import SantorioSQLite

/// What a revision holds: a record, or its deletion at the source.
protocol ReceivedContent {
  var logID: String { get }
  var digest: [UInt8] { get }
  var bytes: [UInt8] { get }
  /// When its deletion was noticed; 0 for a record.
  var withdrawal: Int64 { get }
  /// When it says that it was last changed, in milliseconds since 1970.
  var changed: Int64? { get }
}

extension IncomingRecord: ReceivedContent {
  var withdrawal: Int64 { 0 }
}

extension IncomingDeletion: ReceivedContent {
  var withdrawal: Int64 { noticed }
  var changed: Int64? { nil }
}

// Deletions at the source. Of a record and its deletion the later one counts, in whichever order
// they come: a record counts as earlier unless it says that it was changed after the deletion was
// noticed. A deletion is a revision, so that nothing of what was there before is lost; a DELETE
// wipes it with the others.
extension SQLiteTransaction {
  /// Stores the deletion of a record, whether it is known or not.
  mutating func store(
    _ deletion: IncomingDeletion, _ change: Change, of account: Account
  ) throws(SQLiteError) -> ItemResult {
    let name = KeyedName.of(deletion.logID, key: account.nameKey)
    guard let known = try known(name, of: account) else {
      let ordinal = try add(deletion, name, change, isCorrection: false, of: account)
      return .deleted(logID: deletion.logID, id: ordinal, revision: 1)
    }
    if let withdrawn = known.withdrawn {
      try extend(known, from: withdrawn, by: deletion)
      return duplicate(deletion.logID, known)
    }
    guard let revision = known.revision, try !hadContent(deletion.digest, known) else {
      return duplicate(deletion.logID, known)
    }
    guard !known.isCorrected, known.changed <= deletion.noticed else {
      return try keepSuperseded(deletion, known, currentRevision: revision, change)
    }
    totals.deleted += 1
    let last = try replace(deletion, known, change, isCorrection: false, of: account)
    return .deleted(logID: deletion.logID, id: known.ordinal, revision: last)
  }

  /// Notes that a deleted record was still deleted later.
  private func extend(
    _ known: KnownRecord, from withdrawn: Int64, by deletion: IncomingDeletion
  ) throws(SQLiteError) {
    guard deletion.noticed > withdrawn else { return }
    try connection.run(
      "UPDATE record SET withdrawn = ? WHERE number = ?", .integer(deletion.noticed),
      .integer(known.number))
  }

  /// Stores a record that was deleted at its source if it was changed later.
  mutating func storeDeleted(
    _ record: IncomingRecord, _ known: KnownRecord, since withdrawn: Int64, _ change: Change,
    of account: Account
  ) throws(SQLiteError) -> ItemResult {
    guard let changed = record.changed, changed > withdrawn else {
      return duplicate(record.logID, known)
    }
    totals.created += 1
    let revision = try replace(record, known, change, isCorrection: false, of: account)
    return .created(logID: record.logID, id: known.ordinal, revision: revision)
  }
}
