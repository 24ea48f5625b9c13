// SPDX-License-Identifier: Apache-2.0

import SantorioSQLite

extension SQLiteTransaction {
  /// Wipes the content of a record, all its revisions, what was rejected under its `log_id`, and its
  /// images; see `StorageSchema.steps` for the way.
  mutating func delete(
    _ logID: String, of account: Account
  ) throws(SQLiteError) -> Change.Outcome {
    guard let known = try known(logID, of: account), known.digest != nil else { return .absent }
    totals.arrival += 1
    totals.deleted += 1
    try connection.run(
      """
      UPDATE revision SET digest = zeroblob(length(digest)), body = zeroblob(length(body))
      WHERE record = ?
      """, .integer(known.number))
    try connection.run(
      "UPDATE rejection SET body = zeroblob(length(body)) WHERE user = ? AND log_id = ?",
      .integer(account.number), .text(logID))
    let media = try connection.rows(
      "DELETE FROM media WHERE record = ? RETURNING \(StoredMedia.columns)",
      .integer(known.number), map: StoredMedia.init)
    try connection.run(
      "UPDATE record SET arrival = ?, deletion = ? WHERE number = ?", .integer(totals.arrival),
      .integer(totals.arrival), .integer(known.number))
    return .deleted(media: media.compactMap { $0?.description.digest })
  }

  /// Notes that a record has an image.
  func attach(
    _ media: MediaDescription, to logID: String, of account: Account, at now: Int64
  ) throws(SQLiteError) -> Change.Outcome {
    guard let known = try known(logID, of: account), known.digest != nil else { return .absent }
    let isNew =
      try connection.run(
        """
        INSERT INTO media(record, digest, content_type, size, created_at) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (record, digest) DO NOTHING
        """, .integer(known.number), .text(media.digest.hex), .text(media.type.rawValue),
        .integer(Int64(media.size)), .integer(now)) == 1
    let stored = try connection.rows(
      "SELECT \(StoredMedia.columns) FROM media WHERE record = ? AND digest = ?",
      .integer(known.number), .text(media.digest.hex), map: StoredMedia.init)
    guard case let media?? = stored.first else {
      throw SQLiteError(extendedCode: 1, message: "an image that was just written is not there")
    }
    return .attached(media, isNew: isNew)
  }
}
