// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthRecords

// For code that cannot await: the caller's thread waits until the file is written. It waits for no
// other thread than the file's own, so the main thread may call these, too. A submission takes about
// as long as the disk takes to write, see Documentation/measurements.md.
extension SantorioSession {
  /// Stores records in the queue, all or none; they are on disk when this returns.
  ///
  /// Submissions of one thread are stored in their order. Where `await` is possible,
  /// ``submit(_:)-([HealthRecord])`` leaves the thread to others meanwhile.
  ///
  /// - Parameter records: The records.
  /// - Throws: ``SessionError`` when nothing was stored, see ``submit(_:)-([HealthRecord])``.
  public func submitAndWait(_ records: [HealthRecord]) throws(SessionError) {
    try submitAndWait(records, images: [])
  }

  /// Stores a record and its image in the queue, both or none; they are on disk when this returns.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - image: JPEG, PNG or HEIC, at most 16 MiB.
  /// - Throws: ``SessionError`` when nothing was stored, see ``submit(_:image:)``.
  public func submitAndWait(_ record: HealthRecord, image: Data) throws(SessionError) {
    var record = record
    let item = try Self.add(image, to: &record)
    try submitAndWait([record], images: [item])
  }

  private func submitAndWait(
    _ records: [HealthRecord], images: [ImageItem]
  ) throws(SessionError) {
    do throws(SessionError) {
      try Self.validate(records)
      try outbox.submitAndWait(
        records, images: images, needingUser: SantorioUser.isNeeded(for: records))
    } catch {
      Self.logRefusal(of: records, error)
      throw error
    }
    Self.logStorage(of: records)
    wakeUpload()
  }

  /// The user of the current session, see ``user()``.
  ///
  /// - Returns: The user; nil when there is no session.
  /// - Throws: ``SessionError`` when the file or the token currently cannot be read.
  package func userAndWait() throws(SessionError) -> SantorioUser? {
    try outbox.wait { (outbox: isolated Outbox) throws(SessionError) -> SantorioUser? in
      guard let session = try outbox.session() else { return nil }
      return SantorioUser(
        userID: session.userID, organizationID: session.organizationID,
        accessToken: try outbox.token(of: session),
        marketplaceToken: try outbox.marketplaceToken(of: session))
    }
  }

  /// The user of the current session without the token, which may be missing.
  ///
  /// - Returns: The identifiers; nil when there is no session.
  /// - Throws: ``SessionError`` when the file cannot be read.
  package func storedUserAndWait() throws(SessionError) -> (
    userID: String, organizationID: String
  )? {
    try outbox.wait { (outbox: isolated Outbox) throws(SessionError) in
      try outbox.session().map { ($0.userID, $0.organizationID) }
    }
  }

  /// Starts a user's session, and ends that of another user, without asking the server first: a
  /// session that runs asks it, and ends if the server does not know the user.
  ///
  /// - Parameter user: The user.
  /// - Throws: ``SessionError`` when nothing was changed.
  package func startAndWait(_ user: SantorioUser) throws(SessionError) {
    try user.validate()
    let endpoint = configuration.destination.endpoint
    let session = try outbox.wait { (outbox: isolated Outbox) throws(SessionError) in
      try outbox.begin(user, at: endpoint)
    }
    sessionChanged()
    Self.log("session started")
    guard !session.isOffline else {
      return Self.log("the default user's records are kept and not sent")
    }
    processQueue()
  }

  /// Ends the session, see ``end()``.
  ///
  /// - Returns: What it leaves behind; nil when there was none.
  /// - Throws: ``SessionError`` when the file cannot be written.
  @discardableResult
  package func endAndWait() throws(SessionError) -> EndedSession? {
    let ended = try outbox.wait { (outbox: isolated Outbox) throws(SessionError) in
      try outbox.endSession()
    }
    guard let ended else { return nil }
    sessionChanged()
    Self.log("session ended", .count("unsent", ended.unsentRecords.count))
    return ended
  }

  private func sessionChanged() {
    changed.tell()
    deliverNews()
    Task { await cancelForgottenUploads() }
  }

  /// The number of the current session, see ``currentNumber()``.
  ///
  /// - Returns: The number; nil when there is none.
  /// - Throws: ``SessionError`` when the file cannot be read.
  package func currentNumberAndWait() throws(SessionError) -> Int64? {
    try outbox.wait { (outbox: isolated Outbox) throws(SessionError) in
      try outbox.session()?.id
    }
  }

  /// The state of a source, see ``states(of:device:)``.
  ///
  /// - Parameter source: The source.
  /// - Returns: The state; a piece that is damaged is left out.
  /// - Throws: ``SessionError`` when the file cannot be read.
  package func statesAndWait(of source: String) throws(SessionError) -> [SourceState] {
    try outbox.wait { (outbox: isolated Outbox) throws(SessionError) in
      try outbox.states(of: source, device: nil)
    }
  }
}
