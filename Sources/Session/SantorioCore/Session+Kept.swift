// SPDX-License-Identifier: Apache-2.0

public import Foundation

// What the session keeps although it is not on its way to the server: nothing of it is deleted but
// on demand.
extension Session {
  /// Records that left the queue although the server does not have them, of all users, oldest
  /// first.
  ///
  /// - Returns: What the server refused and what the disk damaged.
  /// - Throws: ``SessionError`` when the file cannot be read.
  public func quarantinedRecords() async throws(SessionError) -> [QuarantinedRecord] {
    try await outbox.quarantine()
  }

  /// How many records are in the quarantine; known without reading them.
  ///
  /// - Returns: The number of records.
  /// - Throws: ``SessionError`` when the file cannot be read.
  public func quarantinedCount() async throws(SessionError) -> Int {
    try await outbox.quarantineCount()
  }

  /// Puts refused records back into the queue, for instance after the server was mended.
  ///
  /// Damaged records and those of another user than the current one stay where they are.
  ///
  /// - Parameter ids: Which ones, see ``QuarantinedRecord/id``; all when nil.
  /// - Returns: How many went back.
  /// - Throws: ``SessionError``, of code `noSession` when there is none.
  @discardableResult
  public func retryQuarantined(_ ids: [Int64]? = nil) async throws(SessionError) -> Int {
    let count = try await outbox.retryQuarantined(ids)
    Self.log("records put back from the quarantine", .count("records", count))
    wakeUpload()
    return count
  }

  /// Removes records from the quarantine for good, with their images.
  ///
  /// - Parameter ids: Which ones, see ``QuarantinedRecord/id``.
  /// - Returns: How many were removed.
  /// - Throws: ``SessionError`` when the file cannot be written.
  @discardableResult
  public func discardQuarantined(_ ids: [Int64]) async throws(SessionError) -> Int {
    try await outbox.discardQuarantined(ids)
  }

  /// The sessions that ended with unsent records, oldest first, until their archives are removed.
  ///
  /// - Returns: The sessions with their records.
  /// - Throws: ``SessionError`` when the file cannot be read.
  public func archives() async throws(SessionError) -> [EndedSession] {
    try await outbox.archives()
  }

  /// Puts the records of an archive into the queue of the current session, and removes the archive.
  ///
  /// Records that were held back are held back again, damaged ones go to the quarantine. A record
  /// that waits by now under the same `log_id` is newer and stays as it is. Images go along.
  ///
  /// - Parameters:
  ///   - archive: The file, see ``EndedSession/archive``.
  ///   - ofAnyUser: Whether the records of another user, or of nobody that is known, become those
  ///     of the current user.
  /// - Returns: How many records there were.
  /// - Throws: ``SessionError`` when nothing was changed, of code `notFound` when there is no such
  ///   archive, `otherUser` when its records are not the current user's, `noSession` when nobody's
  ///   session is current.
  @discardableResult
  public func retryArchive(
    _ archive: URL, ofAnyUser: Bool = false
  ) async throws(SessionError) -> ReturnedRecords {
    try await retryArchive(archive, inSession: nil, ofAnyUser: ofAnyUser)
  }

  /// The same for one session alone, see ``submit(_:inSession:)``.
  package func retryArchive(
    _ archive: URL, inSession number: Int64?, ofAnyUser: Bool
  ) async throws(SessionError) -> ReturnedRecords {
    let returned = try await outbox.retryArchive(
      archive.lastPathComponent, inSession: number, ofAnyUser: ofAnyUser)
    Self.log("records put back from an archive", .count("records", returned.waiting))
    wakeUpload()
    return returned
  }

  /// Removes the archive of an ended session for good, with the images of its records.
  ///
  /// - Parameter archive: The file, see ``EndedSession/archive``.
  /// - Throws: ``SessionError``, of code `notFound` when there is no such archive.
  public func removeArchive(_ archive: URL) async throws(SessionError) {
    try await outbox.removeArchive(archive)
  }
}
