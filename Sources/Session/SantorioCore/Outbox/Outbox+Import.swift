// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCryptography
import SantorioSQLite

// Takes what an export holds into the queue of the same user. What is here stays as it is: it is
// at least as new as the export.
extension Outbox {
  /// Takes all of an export or nothing.
  ///
  /// - Parameters:
  ///   - file: The export.
  ///   - key: Its key.
  ///   - allowingIncomplete: Whether the parts before the damage or the end of a file are taken.
  /// - Returns: What was taken.
  /// - Throws: ``SessionError`` when nothing was taken: of code `noSession`; `otherUser` when the
  ///   export is not of the current session's user; `wrongPassphrase`; `exportDamaged`; `outboxFull`.
  func takeExport(
    _ file: URL, _ key: ExportKey, allowingIncomplete: Bool
  ) throws(SessionError) -> QueueExport {
    let taken: QueueExport
    do throws(SessionError) {
      taken = try transaction {
        guard let session = try currentSession() else { throw SessionError.needsSession }
        return try takeExport(
          ExportReader(file, key), to: session, allowingIncomplete: allowingIncomplete)
      }
    } catch {
      // Image files were written before the transaction failed.
      try? removeUnusedImages()
      throw error
    }
    return taken
  }

  private func takeExport(
    _ reader: consuming ExportReader, to session: StoredSession, allowingIncomplete: Bool
  ) throws -> QueueExport {
    var taken = QueueExport()
    guard case .owner(let userID, let organizationID) = try reader.next()?.item else {
      throw reader.damaged
    }
    guard session.userID == userID, session.organizationID == organizationID else {
      throw SessionError(
        .otherUser, "the export holds another user's records; start that user's session first")
    }
    do {
      while let frame = try reader.next() {
        guard try take(frame, to: session.id, &taken) else { throw reader.damaged }
      }
    } catch let error as SessionError where error.code == .exportDamaged && allowingIncomplete {
      taken.isComplete = false
    }
    return taken
  }

  /// - Returns: False when it is not what a frame may hold.
  private func take(
    _ frame: ExportFrame, to session: Int64, _ taken: inout QueueExport
  ) throws -> Bool {
    switch frame.item {
    case .record(let logID, let held):
      guard frame.isRecord(logID) else { return false }
      let sealed = try seal.seal(frame.bytes, as: SealedPlace.queued(logID))
      try takeRoom(sealed.count)
      // No row has a higher number, so that the row that is here stays.
      let isNew = try readmit(seal.name(of: logID), sealed, held: held, after: .max)
      if isNew { taken.count(held) } else { taken.leftOut += 1 }
    case .refused(let logID, let date, let failure):
      guard frame.isRecord(logID) else { return false }
      let isNew = try takeRefused(logID, date, failure, frame.bytes, to: session)
      if isNew { taken.refused += 1 } else { taken.leftOut += 1 }
    case .image(let image):
      guard image.isImage(frame.bytes) else { return false }
      let isNew = try take(image, frame.bytes, to: session)
      if isNew { taken.images += 1 } else { taken.leftOut += 1 }
    case .owner, .end: return false
    }
    return true
  }

  private func takeRefused(
    _ logID: String, _ date: Int64, _ failure: String?, _ body: [UInt8], to session: Int64
  ) throws -> Bool {
    let seal = try seal
    let place = SealedPlace.quarantined(logID)
    let isHere = try database.prepare("SELECT body FROM quarantine WHERE log_id = ?")
      .all(.blob(seal.name(of: logID))) { seal.open($0.blob(0), as: place) == body }
    guard !isHere.contains(true) else { return false }
    try takeRoom(body.count)
    try quarantine(
      logID, session: session, error: failure, body: body, orDamaged: [], at: date)
    return true
  }

  private func take(_ image: ExportedImage, _ bytes: [UInt8], to session: Int64) throws -> Bool {
    let seal = try seal
    let failure = try seal.seal(
      image.failure, as: SealedPlace.imageRefusal(image.logID, image.digest))
    let inserted = try database.prepare(
      """
      INSERT INTO image(log_id, session, sha256, type, size, released, err)
      VALUES(?, ?, ?, ?, ?, ?, ?) ON CONFLICT(log_id, sha256) DO NOTHING
      """
    ).run(
      .blob(seal.name(of: image.logID)), .integer(session), .text(image.digest),
      .text(image.contentType), .integer(Int64(bytes.count)), .integer(image.isReleased ? 1 : 0),
      SQLiteValue(failure))
    guard inserted == 1 else { return false }
    try takeRoom(bytes.count)
    try images.write(bytes, digest: image.digest, seal)
    return true
  }
}

extension ExportFrame {
  /// Whether the bytes are the record of this identifier.
  fileprivate func isRecord(_ logID: String) -> Bool {
    (try? HealthRecord(informJSON: bytes).logID) == logID
  }
}

extension ExportedImage {
  /// Whether the bytes are the image that this describes; its digest names a file.
  fileprivate func isImage(_ bytes: [UInt8]) -> Bool {
    bytes.count <= ImageFiles.maximumSize && ImageType(of: bytes)?.rawValue == contentType
      && RecordMedia(of: bytes, contentType: contentType).sha256 == digest
  }
}
