// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCryptography
import SantorioSQLite

// Takes what an export holds into the queue of the same user. What is here stays as it is: it is
// at least as new as the export.
extension Outbox {
  /// Checks that an export can be taken by the current session, before anything is.
  ///
  /// - Parameters:
  ///   - owner: The first frame of the export.
  ///   - bytes: How many bytes the records and images have.
  /// - Returns: The number of the session.
  /// - Throws: ``SessionError``: of code `noSession`; `otherUser` when the export is not of the
  ///   session's user; `outboxFull`.
  func admit(_ owner: ExportItem?, bytes: Int) throws(SessionError) -> Int64 {
    try transaction {
      guard let session = try currentSession() else { throw SessionError.needsSession }
      guard case .owner(let userID, let organizationID) = owner else {
        throw SessionError(.exportDamaged, "the export does not say whose records it holds")
      }
      guard session.userID == userID, session.organizationID == organizationID else {
        throw SessionError(
          .otherUser, "the export holds another user's records; start that user's session first")
      }
      unmeasuredRoom = 0
      try takeRoom(bytes)
      return session.id
    }
  }

  /// Takes some of the frames of an export, all or none.
  ///
  /// - Parameters:
  ///   - frames: The frames.
  ///   - number: The session that ``admit(_:bytes:)`` has found.
  ///   - isLast: Whether these are the last ones.
  /// - Returns: What was taken.
  /// - Throws: ``SessionError`` when nothing of them was taken, of code `sessionEnded` when another
  ///   session is current.
  func take(
    _ frames: [ExportFrame], inSession number: Int64, isLast: Bool
  ) throws(SessionError) -> QueueExport {
    do throws(SessionError) {
      return try transaction {
        guard try currentSession()?.id == number else { throw SessionError.otherSession }
        var taken = QueueExport()
        for frame in frames { try take(frame, to: number, &taken) }
        // The record of an image may be missing from the export: the server decides then.
        if isLast { try database.execute(OutboxSchema.releaseImages) }
        return taken
      }
    } catch {
      // Image files were written before the transaction failed.
      try? removeUnusedImages()
      throw error
    }
  }

  private func take(
    _ frame: ExportFrame, to session: Int64, _ taken: inout QueueExport
  ) throws {
    switch frame.item {
    case .record(let logID, let held) where frame.isRecord(logID):
      try takeRoom(frame.bytes.count + RowSeal.overhead)
      // No row has a higher number, so that the row that is here stays.
      let isNew = try readmit(logID, frame.bytes, of: session, held: held, after: .max)
      if isNew { taken.count(held) } else { taken.leftOut += 1 }
    case .record(let logID, _):
      let isNew = try takeRefused(
        logID, milliseconds(), RecordFailure.unreadable.json, frame.bytes, to: session)
      if isNew { taken.refused += 1 } else { taken.leftOut += 1 }
    case .refused(let logID, let date, let failure):
      let isNew = try takeRefused(logID, date, failure, frame.bytes, to: session)
      if isNew { taken.refused += 1 } else { taken.leftOut += 1 }
    case .image(let image) where image.isImage(frame.bytes):
      let isNew = try take(image, frame.bytes, to: session)
      if isNew { taken.images += 1 } else { taken.leftOut += 1 }
    case .remembered(let source, let name, let key):
      try remember(StateName(source: source, device: name, key: key), frame.bytes)
    case .image, .owner, .end: taken.unreadable += 1
    }
  }

  /// Takes what is remembered, unless something is remembered here.
  private func remember(_ name: StateName, _ value: [UInt8]) throws {
    guard let session = try currentSession(), Self.isMemory(name, of: session),
      try readStates(of: name.source, device: name.device).isEmpty
    else { return }
    try write(.fact(name, value))
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
  /// Whether the bytes are the record of this identifier, or its deletion.
  fileprivate func isRecord(_ logID: String) -> Bool {
    if let deletion = RecordDeletion(stored: bytes) { return deletion.logID == logID }
    return (try? HealthRecord(informJSON: bytes).logID) == logID
  }
}

extension ExportedImage {
  /// Whether the bytes are the image that this describes; its digest names a file.
  fileprivate func isImage(_ bytes: [UInt8]) -> Bool {
    bytes.count <= ImageFiles.maximumSize && ImageType(of: bytes)?.rawValue == contentType
      && RecordMedia(of: bytes, contentType: contentType).sha256 == digest
  }
}

extension RecordFailure {
  static let unreadable = RecordFailure(
    status: nil, code: "unreadable", message: "this version cannot read the record", path: nil)
}
