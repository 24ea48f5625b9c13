// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioSQLite

// Images are sent after their record, so that the server knows which record they belong to.
extension Outbox {
  func insert(_ image: ImageItem, session: Int64) throws {
    // Inside the transaction: a removal of files without a row waits for it.
    try images.write(image.bytes, digest: image.digest, seal)
    try database.prepare(
      """
      INSERT INTO image(log_id, session, sha256, type, size) VALUES(?, ?, ?, ?, ?)
      ON CONFLICT(log_id, sha256) DO UPDATE
      SET session = excluded.session, attempts = 0, not_before = 0, err = NULL, released = 0
      """
    ).run(
      .blob(seal.name(of: image.logID)), .integer(session), .text(image.digest),
      .text(image.contentType), .integer(Int64(image.bytes.count)))
  }

  /// Releases the images of a record that the server now has.
  ///
  /// Includes images that an earlier session of the same user left behind with the record.
  func releaseImages(of logID: String, session: Int64) throws {
    try statement(
      """
      UPDATE image SET released = 1, session = ?1
      WHERE log_id = ?2 AND NOT released AND \(Self.isOfSameUser)
      """
    ).run(.integer(session), .blob(seal.name(of: logID)))
  }

  /// Takes over unsent images of the user's earlier sessions whose records the server has.
  func adoptImages(by session: Int64) throws {
    try database.prepare("UPDATE image SET session = ?1 WHERE released AND \(Self.isOfSameUser)")
      .run(.integer(session))
  }

  /// Whether a row's session belongs to the same user as the first parameter's session.
  static let isOfSameUser = """
    session IN (
      SELECT other.id FROM session AS other JOIN session AS own
      ON other.owner = own.owner WHERE own.id = ?1)
    """

  /// The oldest image that is due and whose record the server has; nil when there is none.
  ///
  /// An image that can no longer be read is reported as failed.
  func claimImage(_ session: Int64) throws(SessionError) -> (row: ImageRow, bytes: [UInt8])? {
    while let row = try access({ try dueImage(session) }) {
      if !row.logID.isEmpty, let bytes = try images.read(row.digest, try seal) {
        return (row, bytes)
      }
      try settle(row, .rejected(.damagedImage))
    }
    return nil
  }

  private func dueImage(_ session: Int64) throws -> ImageRow? {
    let seal = try seal
    let underway = try imagesUnderway()
    return try database.prepare(
      """
      SELECT id, log_id, sha256, type, size, attempts FROM image
      WHERE session = ?1 AND ?1 = (SELECT id FROM session WHERE ended IS NULL AND NOT offline)
        AND released AND err IS NULL AND NOT (not_before > ?2 AND not_before < ?2 + 300000)
      ORDER BY id LIMIT ?3
      """
    ).all(.integer(session), .integer(milliseconds()), .integer(Int64(underway.count + 1))) {
      ImageRow($0, seal)
    }.first { !underway.contains($0.id) }
  }

  /// Applies the server's answer to an image.
  ///
  /// - Parameters:
  ///   - row: The image.
  ///   - result: The result.
  ///   - transfer: The name of the upload that is settled with it, if the system performed it.
  /// - Throws: ``SessionError`` when nothing was changed.
  func settle(
    _ row: ImageRow, _ result: ImageDeliveryResult, ending transfer: String? = nil
  ) throws(SessionError) {
    try draining {
      try forget(transfer: transfer)
      switch result {
      case .stored(let media):
        try database.prepare("DELETE FROM image WHERE id = ?").run(.integer(row.id))
        try insertImageEvent(.imageSubmitted, row, media)
      case .rejected(let failure):
        let error = try seal.seal(
          failure.json, as: SealedPlace.imageRefusal(row.logID, row.digest))
        try database.prepare("UPDATE image SET err = ? WHERE id = ?")
          .run(SQLiteValue(error), .integer(row.id))
        try insertImageEvent(.imageFailed, row, row.media, error: failure.json)
      case .postponed(let wait):
        try database.prepare(
          "UPDATE image SET attempts = attempts + 1, not_before = ? WHERE id = ?"
        )
        .run(.integer(due(after: wait)), .integer(row.id))
      }
    }
    if case .stored = result { try removeUnusedImages(row.digest) }
  }

  private func insertImageEvent(
    _ kind: EventKind, _ row: ImageRow, _ media: RecordMedia, error: String? = nil
  ) throws {
    try insertEvent(kind, row.logID, error: error, body: media.json)
  }

  /// The images that the server refused or that are damaged, oldest first.
  func refusedImages() throws(SessionError) -> [QuarantinedImage] {
    try access {
      let seal = try seal
      return try database.prepare(
        """
        SELECT id, log_id, sha256, type, size, attempts, err FROM image WHERE err IS NOT NULL
        ORDER BY id
        """
      ).all { row in
        let image = ImageRow(row, seal)
        return QuarantinedImage(
          logID: image.logID, media: image.media,
          failure: RecordFailure(
            json: seal.open(
              row.blob(6), as: SealedPlace.imageRefusal(image.logID, image.digest)) ?? []))
      }
    }
  }

  /// Queues refused images of the current session's user to be sent again.
  ///
  /// - Returns: How many there were.
  func retryImages() throws(SessionError) -> Int {
    try transaction {
      guard let session = try currentSession() else { return 0 }
      return try database.prepare(
        """
        UPDATE image SET session = ?1, err = NULL, attempts = 0, not_before = 0
        WHERE err IS NOT NULL AND \(Self.isOfSameUser)
        """
      ).run(.integer(session.id))
    }
  }

  /// Removes refused images; their records stay where they are.
  ///
  /// - Returns: How many were removed.
  func discardImages(_ images: [QuarantinedImage]) throws(SessionError) -> Int {
    let count = try draining {
      try images.reduce(0) { count, image in try count + discard(image) }
    }
    try removeUnusedImages()
    return count
  }

  /// Compares `log_id`s and not names: a damaged name has no other form to compare.
  private func discard(_ image: QuarantinedImage) throws -> Int {
    let seal = try seal
    let ids = try database.prepare(
      "SELECT id, log_id FROM image WHERE sha256 = ? AND err IS NOT NULL"
    ).all(.text(image.media.sha256)) { row in
      (seal.logID(of: row.blob(1)) ?? "") == image.logID ? row.integer(0) : nil
    }.compactMap(\.self)
    for id in ids { try database.prepare("DELETE FROM image WHERE id = ?").run(.integer(id)) }
    return ids.count
  }

  /// How many images wait for the server or for their record; those in an archive do not count.
  func imageCount() throws(SessionError) -> Int {
    try access {
      Int(
        try database.integer(
          """
          SELECT count(*) FROM image WHERE err IS NULL
            AND (released OR session = (SELECT id FROM session WHERE ended IS NULL))
          """))
    }
  }

  /// The bytes of an image that has not been sent.
  func imageBytes(_ digest: String) throws(SessionError) -> [UInt8]? {
    try images.read(digest, try seal)
  }

  /// Removes image files that no row names; of one digest, or all.
  ///
  /// Not all of them while a damaged file is kept: it may name them, and it may still be repaired.
  func removeUnusedImages(_ digest: String? = nil) throws(SessionError) {
    guard digest != nil || !OutboxReplacement.hasDamagedFile(beside: Self.databasePath(in: folder))
    else { return }
    try transaction {
      let use = try database.prepare("SELECT 1 FROM image WHERE sha256 = ? LIMIT 1")
      for digest in digest.map({ [$0] }) ?? images.digests() {
        guard try use.first(.text(digest), map: { _ in true }) == nil else { continue }
        images.remove(digest)
      }
    }
  }
}

/// The result for a claimed image.
enum ImageDeliveryResult: Hashable, Sendable {
  case stored(RecordMedia)
  case rejected(RecordFailure)
  /// The image is not claimed before this time has passed.
  case postponed(Duration)
}

extension ImageRow {
  /// Reads the columns id, log_id, sha256, type, size, attempts.
  init(_ row: SQLiteRow, _ seal: RowSeal) {
    self.init(
      id: row.integer(0), logID: seal.logID(of: row.blob(1)) ?? "", digest: row.text(2),
      contentType: row.text(3), size: Int(row.integer(4)), attempts: Int(row.integer(5)))
  }

  var media: RecordMedia {
    RecordMedia(sha256: digest, contentType: contentType, byteCount: size)
  }
}

extension RecordFailure {
  static let damagedImage = RecordFailure(
    status: nil, code: "damaged", message: "the image's file is damaged or missing", path: nil)
  static let imagesNotTaken = RecordFailure(
    status: nil, code: "images_not_taken", message: "the destination does not accept images",
    path: nil)
}
