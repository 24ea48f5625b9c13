// SPDX-License-Identifier: Apache-2.0

public import HealthRecords

extension SantorioSession {
  /// Stores deletions in the queue, all or none; they are on disk when this returns.
  ///
  /// A deletion takes the place of its record if that waits or is held back: the record is not sent
  /// any more, nor are its images. It is sent in any case, since the server may have the record: from
  /// before, from another phone, or in an earlier form. If the record is on its way at this moment, the
  /// deletion goes after it.
  ///
  /// A record that is submitted again while its deletion waits stays deleted, unless it says that it
  /// was changed after the deletion was noticed (`HealthRecord.lastUpdated`); then it takes the place
  /// of the deletion.
  ///
  /// - Parameter deletions: The deletions.
  /// - Throws: ``SessionError`` when nothing was stored: of code `noSession`, `invalidRecord`,
  ///   `outboxFull`, `diskFull` or `storageFailed`.
  public func submit(deletions: [RecordDeletion]) async throws(SessionError) {
    try await submit([], deletions: deletions, inSession: nil)
  }

  /// Stores the deletion of a record in the queue; it is on disk when this returns.
  ///
  /// - Parameters:
  ///   - record: The record; its identifier, kind and metrics are kept, none of its values.
  ///   - reason: Why it was deleted.
  /// - Throws: ``SessionError`` when it was not stored, see ``submit(deletions:)``.
  public func submit(
    deletionOf record: HealthRecord, reason: RecordDeletion.Reason = .atSource
  ) async throws(SessionError) {
    try await submit(deletions: [
      RecordDeletion(of: record, noticed: configuration.now(), reason: reason)
    ])
  }

  /// Submits records and then deletions for one session only, and changes state in the same
  /// transaction, see ``submit(_:changing:inSession:leavingHeld:)``.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - deletions: The deletions, each later than these records.
  ///   - changes: What a source keeps from now on: a position vouches for both.
  ///   - number: See ``currentNumber()``; nil for the current session.
  ///   - leavingHeld: Whether records that are held back stay held and unchanged; those that are
  ///     deleted do not.
  /// - Throws: ``SessionError``, of code `sessionEnded` when another session is current.
  package func submit(
    _ records: [HealthRecord], deletions: [RecordDeletion], changing changes: [StateChange] = [],
    inSession number: Int64?, leavingHeld: Bool = false
  ) async throws(SessionError) {
    for (index, deletion) in deletions.enumerated() {
      do throws(RecordError) {
        try deletion.validate()
      } catch {
        throw SessionError(error, index: index, of: "deletion")
      }
    }
    try await submit(
      records, images: [], deletions: deletions, changing: changes, inSession: number,
      leavingHeld: leavingHeld)
  }

  /// The deletions that wait for the server, in order.
  ///
  /// - Returns: The deletions.
  /// - Throws: ``SessionError`` when the file cannot be read.
  public func pendingDeletions() async throws(SessionError) -> [RecordDeletion] {
    try await outbox.deletions()
  }
}
