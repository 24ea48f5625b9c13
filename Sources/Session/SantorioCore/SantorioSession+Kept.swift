// SPDX-License-Identifier: Apache-2.0

public import Foundation

// What the session keeps although it is not on its way to the server; it is deleted only on
// request.
extension SantorioSession {
  /// Records of all users that left the queue although the server does not have them, oldest first.
  ///
  /// - Returns: The records that the server refused or that were damaged on disk.
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

  /// Puts refused records back into the queue, for instance after the server was fixed.
  ///
  /// Damaged records and those of users other than the current one stay where they are.
  ///
  /// - Parameter ids: The records to retry, see ``QuarantinedRecord/id``; nil for all.
  /// - Returns: How many went back.
  /// - Throws: ``SessionError``, of code `noSession` when there is none.
  @discardableResult
  public func retryQuarantined(_ ids: [Int64]? = nil) async throws(SessionError) -> Int {
    let count = try await outbox.retryQuarantined(ids)
    Self.log(.outbox, "records put back from the quarantine", .count("records", count))
    wakeUpload()
    return count
  }

  /// Removes records from the quarantine permanently, with their images.
  ///
  /// - Parameter ids: The records to remove, see ``QuarantinedRecord/id``.
  /// - Returns: How many were removed.
  /// - Throws: ``SessionError`` when the file cannot be written.
  @discardableResult
  public func discardQuarantined(_ ids: [Int64]) async throws(SessionError) -> Int {
    try await outbox.discardQuarantined(ids)
  }

  /// The queues that were set aside because their keys did not exist any more, oldest first.
  ///
  /// - Returns: The queues, until their folders are removed.
  /// - Throws: ``SessionError`` when the folder cannot be opened.
  public func setAsideQueues() async throws(SessionError) -> [SetAsideQueue] {
    try await outbox.setAsideQueues()
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
  /// Records that were held back are held back again, and damaged ones go to the quarantine. A
  /// record that now waits under the same `log_id` is newer and stays as it is. Images go along.
  ///
  /// - Parameters:
  ///   - archive: The file, see ``EndedSession/archive``.
  ///   - ofAnyUser: Whether records of another user, or of an unknown one, become those of the
  ///     current user.
  /// - Returns: How many records there were.
  /// - Throws: ``SessionError`` when nothing was changed, of code `notFound` when there is no such
  ///   archive, `otherUser` when its records are not the current user's, `noSession` when there is
  ///   no current session.
  @discardableResult
  public func retryArchive(
    _ archive: URL, ofAnyUser: Bool = false
  ) async throws(SessionError) -> ReturnedRecords {
    try await retryArchive(archive, inSession: nil, ofAnyUser: ofAnyUser)
  }

  /// The same for one session only, see ``submit(_:inSession:)``.
  package func retryArchive(
    _ archive: URL, inSession number: Int64?, ofAnyUser: Bool
  ) async throws(SessionError) -> ReturnedRecords {
    let returned = try await outbox.retryArchive(
      archive.lastPathComponent, inSession: number, ofAnyUser: ofAnyUser)
    Self.log(.outbox, "records put back from an archive", .count("records", returned.waiting))
    wakeUpload()
    return returned
  }

  /// Removes the archive of an ended session permanently, with the images of its records.
  ///
  /// - Parameter archive: The file, see ``EndedSession/archive``.
  /// - Throws: ``SessionError``, of code `notFound` when there is no such archive.
  public func removeArchive(_ archive: URL) async throws(SessionError) {
    try await outbox.removeArchive(archive)
  }
}
