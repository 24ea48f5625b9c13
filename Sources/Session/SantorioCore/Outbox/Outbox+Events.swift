// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite

extension Outbox {
  /// The kinds of stored events.
  enum EventKind: String {
    case submitted, failed, damaged
    case imageSubmitted = "image_submitted"
    case imageFailed = "image_failed"
    /// The end of a session; `log_id` holds the session's number.
    case ended
    /// A record that the user had declined has left the queue.
    case declined
    /// The server has been told of a deletion.
    case deletionDelivered = "deletion_delivered"
    /// The server will not be told of a deletion.
    case deletionFailed = "deletion_failed"
    /// A damaged file was replaced; `log_id` holds the damaged file's name.
    case recovered
    /// A queue was set aside; `log_id` holds the folder's name.
    case setAside = "set_aside"

    /// The same for the deletion of a record.
    var ofDeletion: EventKind {
      switch self {
      case .submitted: .deletionDelivered
      case .failed: .deletionFailed
      default: self
      }
    }
  }

  /// Stores an event.
  func insertEvent(
    _ kind: EventKind, _ logID: String, serverID: String? = nil, error: String? = nil,
    body: [UInt8]? = nil
  ) throws {
    let seal = try seal
    let error = try seal.seal(error, as: SealedPlace.eventReason(logID))
    let body = try body.map { try seal.seal($0, as: SealedPlace.event(logID)) }
    try statement("INSERT INTO ev(kind, log_id, server_id, err, body) VALUES(?, ?, ?, ?, ?)")
      .run(
        .text(kind.rawValue), .blob(seal.name(of: logID)), SQLiteValue(serverID),
        SQLiteValue(error), SQLiteValue(body))
    hasStoredEvent = true
  }

  /// Events still to be delivered, oldest first, after the given one.
  func events(after id: Int64, count: Int) throws(SessionError) -> [StoredEvent] {
    try access {
      let seal = try seal
      let rows = try database.prepare(
        "SELECT id, kind, log_id, server_id, err, body FROM ev WHERE id > ? ORDER BY id LIMIT ?")
      let found = try rows.all(.integer(id), .integer(Int64(count))) {
        EventRow(
          id: $0.integer(0), kind: EventKind(rawValue: $0.text(1)),
          logID: seal.logID(of: $0.blob(2)) ?? "",
          serverID: $0.optionalText(3), error: $0.blob(4), body: $0.blob(5))
      }
      lastEvent = max(lastEvent, id, found.last?.id ?? 0)
      return try found.map { StoredEvent(id: $0.id, event: try event($0)) }
    }
  }

  private struct EventRow {
    let id: Int64
    let kind: EventKind?
    let logID: String
    let serverID: String?
    let error: [UInt8]
    let body: [UInt8]
  }

  private func event(_ row: EventRow) throws -> SessionEvent {
    let seal = try seal
    let body = seal.open(row.body, as: SealedPlace.event(row.logID))
    let failure = RecordFailure(
      json: seal.open(row.error, as: SealedPlace.eventReason(row.logID)) ?? [])
    switch row.kind {
    case .ended:
      if let id = Int64(row.logID), let ended = try endedSession(id) { return .sessionEnded(ended) }
    case .recovered:
      if let body, let damage = StorageDamage(json: body, file: row.logID, in: folder) {
        return .storageRecovered(damage)
      }
    case .setAside:
      if let body, let queue = SetAsideQueue(json: body, name: row.logID, in: folder) {
        return .queueSetAside(queue)
      }
    case .imageSubmitted:
      if let media = body.flatMap(RecordMedia.init(json:)) {
        return .imageSubmitted(media, logID: row.logID)
      }
    case .imageFailed:
      if let media = body.flatMap(RecordMedia.init(json:)) {
        return .imageFailed(media, logID: row.logID, failure)
      }
    case .submitted, .failed, .declined:
      guard let record = body.flatMap({ try? HealthRecord(informJSON: $0) }) else { break }
      return switch row.kind {
      case .failed: .recordFailed(record, failure)
      case .declined: .declinedRecordRemoved(record)
      default: .recordSubmitted(record, serverID: row.serverID)
      }
    case .deletionDelivered, .deletionFailed:
      guard let deletion = body.flatMap(RecordDeletion.init(stored:)) else { break }
      return row.kind == .deletionFailed
        ? .deletionFailed(deletion, failure) : .deletionDelivered(deletion)
    case .damaged, nil: break
    }
    return .recordDamaged(logID: row.logID)
  }

  /// Removes the events up to and including the given one.
  func discardEvents(through id: Int64) throws(SessionError) {
    try draining { try database.prepare("DELETE FROM ev WHERE id <= ?").run(.integer(id)) }
  }
}
