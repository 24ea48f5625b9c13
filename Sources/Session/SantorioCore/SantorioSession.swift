// SPDX-License-Identifier: Apache-2.0

package import Foundation
public import HealthRecords
package import SantorioConcurrency
import SantorioFiles

/// One user's session: keeps records on disk until the server has them.
///
/// A record is safe once ``submit(_:)-([HealthRecord])`` has returned: it survives a crash, a kill
/// and a relaunch, is sent until the server has answered for it, and is stored by the server once,
/// however often it is sent. Nothing is sent unless ``run()`` runs:
///
/// ```swift
/// let session = SantorioSession(.init(directory: folder, endpoint: server))
/// let events = session.events
/// try await withThrowingTaskGroup(of: Void.self) { group in
///   group.addTask { try await session.run() }  // a program on Linux
///   group.addTask { for await event in events { print(event) } }
///   try await group.waitForAll()
/// }
/// ```
///
/// An app keeps the session in a `static let`, asks for ``events`` or observes the notifications
/// first, then calls ``resume()`` at launch and ``suspend()`` when it goes to the background.
///
/// Making a session touches no file. The first call opens the folder, away from the caller's
/// thread; what prevents that is thrown by each call until it is over, see ``open()``.
///
/// Sessions are independent of each other if their folders differ; a process may have one per
/// folder. Several processes may submit to one folder, but only one of them runs. The session, its
/// user and its records are restored from the folder. Records and images are encrypted there, with
/// a key that the credential store keeps.
public final class SantorioSession: Sendable {
  let configuration: Configuration
  private let folder: SessionFolder
  let outbox: Outbox
  let uploading = WakeUp()
  let delivering: WakeUp
  let hub = SessionEventHub()
  let changed = SessionChanges()
  let rests = RestSignal()
  let state = ObservedUploadState()
  let background = BackgroundRun()
  /// The `log_id`s of records about which a user is being asked in this process, or will be.
  package let questioned = Locked<Set<String>>([])

  /// Makes a session; nothing is read or written before the first call.
  ///
  /// - Parameter configuration: Where the session lives and where its records go.
  public init(_ configuration: Configuration) {
    self.configuration = configuration
    let folder = SessionFolder(configuration)
    self.folder = folder
    let delivering = WakeUp()
    self.delivering = delivering
    // Work that the outbox still does must not keep the folder from the next session.
    outbox = Outbox(
      folder: configuration.directory, maximumBytes: configuration.maximumBytes,
      credentials: configuration.credentials, now: configuration.now,
      startsAnewWithoutKey: configuration.startsAnewWithoutKey,
      closesBetweenCalls: configuration.closesUnusedFile,
      eventsStored: { delivering.call(.work) }
    ) { [weak folder] () throws(SessionError) in try folder?.prepare() }
  }

  deinit { hub.finish() }

  /// Opens or creates the folder; not needed, since every call does.
  ///
  /// - Throws: ``SessionError``: of code `storageLocked` until the device has been unlocked for the
  ///   first time since it was started; `invalidEndpoint` and `insecureEndpoint` for the server's
  ///   address; `folderInUse` when another session of this process uses the folder; `storageIsNewer`
  ///   when a newer version has written it; `credentialsExposed` when others may read the user's
  ///   token; `credentialsMissing` when the key of the records does not exist; or `storageFailed`. A
  ///   damaged file is not an error: it is set aside and replaced, see
  ///   ``SessionEvent/storageRecovered(_:)``.
  public func open() async throws(SessionError) { try await outbox.open() }

  /// The folder of the session's files.
  package var directory: URL { configuration.directory }
  /// Stores tokens and keys.
  package var credentials: any CredentialStoring { configuration.credentials }
  /// Carries its requests.
  package var transport: any HTTPTransport { configuration.transport }
  /// Whether readings may be sent unencrypted to another machine.
  package var allowsPlainHTTP: Bool { configuration.allowsPlainHTTP }
  /// Where its events are posted.
  package var notificationCenter: NotificationCenter { configuration.notificationCenter }

  // MARK: - User

  /// The user of the current session.
  ///
  /// - Returns: The user; nil when there is no session.
  /// - Throws: ``SessionError`` when the file or the token currently cannot be read.
  public func user() async throws(SessionError) -> SantorioUser? {
    guard let session = try await outbox.session() else { return nil }
    return SantorioUser(
      userID: session.userID, organizationID: session.organizationID,
      accessToken: try await outbox.token(of: session),
      marketplaceToken: try await outbox.marketplaceToken(of: session))
  }

  /// The user of the current session without the token, which may be missing.
  package func storedUser() async throws(SessionError) -> (
    userID: String, organizationID: String
  )? {
    try await outbox.session().map { ($0.userID, $0.organizationID) }
  }

  /// Starts a user's session and asks the server whether it knows the user.
  ///
  /// A session of another user ends, see ``end()``. For the user of the current session the tokens
  /// are replaced and the records keep waiting. Records of the user's earlier sessions that this
  /// server refused go back into the queue. If the server does not answer, the session is current
  /// and ``run()`` asks later; if the server still refuses then, the session ends with an event.
  ///
  /// - Parameter user: The user.
  /// - Throws: ``SessionError``, of code `credentialsRefused` when the server does not know the
  ///   user or the token. The existing session, also that of another user, then stays unchanged,
  ///   see ``end()``; but one with no waiting records that already had this token has ended.
  public func start(_ user: SantorioUser) async throws(SessionError) {
    try user.validate()
    var acceptance: Acceptance?
    // A mistyped user or token must not replace a working session.
    if try await takesPlace(user) {
      acceptance = await self.acceptance(of: user)
      if case .refused(let status) = acceptance {
        throw SessionError(
          .credentialsRefused,
          "the server does not know the user or the token; the existing session is kept",
          status: status)
      }
    }
    let session = try await outbox.begin(user, at: configuration.destination.endpoint)
    changed.tell()
    await cancelForgottenUploads()
    delivering.call(.work)
    Self.log("session started")
    guard !session.isOffline else {
      return Self.log("the default user's records are kept and not sent")
    }
    defer { uploading.call(.retry) }
    if acceptance == nil { acceptance = await self.acceptance(of: user) }
    switch acceptance {
    case .known:
      try await outbox.markValidated(session.id)
      Self.log("the server knows the user")
    case .refused(let status): try await refuse(user, of: session.id, status: status)
    case .unanswered, nil: break
    }
  }

  /// Starts the session of a user whose token is not known yet: records wait for it.
  ///
  /// A session of another user ends, see ``end()``.
  ///
  /// - Parameters:
  ///   - userID: The user.
  ///   - organizationID: The user's organisation.
  /// - Throws: ``SessionError``, of code `invalidUser` for an identifier that cannot be one.
  package func startWithoutToken(
    of userID: String, in organizationID: String
  ) async throws(SessionError) {
    var user = SantorioUser(userID: userID, organizationID: organizationID, accessToken: "none")
    try user.validate()
    user.accessToken = ""
    _ = try await outbox.begin(user)
    changed.tell()
    await cancelForgottenUploads()
    delivering.call(.work)
    Self.log("session started without a token")
  }

  /// The server's answer about a user and a token.
  private enum Acceptance {
    case known
    case refused(status: Int)
    case unanswered
  }

  /// Asks the server; one that cannot be asked counts as accepting.
  private func acceptance(of user: SantorioUser) async -> Acceptance {
    guard var request = configuration.destination.validation(of: user) else { return .known }
    request.timeout = configuration.requestTimeout
    guard let answer = try? await configuration.transport.send(request) else {
      return .unanswered
    }
    switch answer.status {
    case 200...299 where configuration.destination.isKnown(by: answer): return .known
    case 401, 403:
      let isItsOwn = configuration.destination.failure(in: answer) != nil
      return isItsOwn ? .refused(status: answer.status) : .unanswered
    default: return .unanswered
    }
  }

  /// Whether there is already a session, of another user or with another token.
  private func takesPlace(_ user: SantorioUser) async throws(SessionError) -> Bool {
    guard !user.isDefault, let session = try await outbox.session() else { return false }
    guard user.isUser(of: session) else { return true }
    guard let token = try? await outbox.token(of: session) else { return false }
    return token != user.accessToken
  }

  private func refuse(_ user: SantorioUser, of session: Int64, status: Int)
    async throws(SessionError)
  {
    let ended = try await outbox.endRefusedSession(
      session, token: user.accessToken, by: configuration.destination.endpoint, ifEmpty: true)
    await cancelForgottenUploads()
    delivering.call(.work)
    if ended != nil {
      changed.tell()
      Self.log("session ended", .kind("credentials refused"))
    }
    throw SessionError(
      .credentialsRefused, "the server does not know the user or the token", status: status)
  }

  /// Ends the session.
  ///
  /// Records that were not sent leave the queue: they are returned, are part of the event
  /// ``SessionEvent/sessionEnded(_:)``, and stay in an archive file. Uploads that the system performs
  /// are cancelled.
  ///
  /// - Returns: What the session leaves behind.
  /// - Throws: ``SessionError``, of code `noSession` when there is none.
  @discardableResult
  public func end() async throws(SessionError) -> EndedSession {
    guard let ended = try await outbox.endSession() else {
      throw SessionError(.noSession, "there is no session to end")
    }
    changed.tell()
    await cancelForgottenUploads()
    delivering.call(.work)
    Self.log("session ended", .count("unsent", ended.unsentRecords.count))
    return ended
  }

  // MARK: - Records

  /// Stores records in the queue, all or none; they are on disk when this returns.
  ///
  /// A record replaces a waiting one of the same `logID`. One whose deletion waits is left out, unless
  /// it was changed later, see ``submit(deletions:)``.
  ///
  /// - Parameter records: The records.
  /// - Throws: ``SessionError`` when nothing was stored: of code `noSession`, `invalidRecord`,
  ///   `outboxFull`, `diskFull` or `storageFailed`; of code `defaultUser` for records that the
  ///   default user may not submit, see ``SantorioUser/default``.
  public func submit(_ records: [HealthRecord]) async throws(SessionError) {
    try await submit(records, images: [])
  }

  /// The number of the current session; nil when there is none.
  ///
  /// Get it before a long reading: what is read belongs to that session's user.
  package func currentNumber() async throws(SessionError) -> Int64? {
    try await outbox.session()?.id
  }

  /// The number of the current session, and its user.
  ///
  /// - Throws: ``SessionError``, of code `noSession` when there is none.
  package func requiredOwner() async throws(SessionError) -> (
    number: Int64, userID: String, organizationID: String
  ) {
    guard let session = try await outbox.session() else { throw SessionError.needsSession }
    return (session.id, session.userID, session.organizationID)
  }

  /// Submits records for one session only, and changes state in the same transaction.
  ///
  /// - Parameters:
  ///   - records: The records; none when only state changes.
  ///   - changes: What a source keeps from now on: a position vouches for these records.
  ///   - number: See ``currentNumber()``; nil for the current session.
  ///   - leavingHeld: Whether records that are held back stay held and unchanged: reading the
  ///     device again is not an approval.
  /// - Throws: ``SessionError``, of code `sessionEnded` when another session is current.
  package func submit(
    _ records: [HealthRecord], changing changes: [StateChange] = [], inSession number: Int64?,
    leavingHeld: Bool = false
  ) async throws(SessionError) {
    try await submit(
      records, images: [], changing: changes, inSession: number, leavingHeld: leavingHeld)
  }

  func submit(
    _ records: [HealthRecord], images: [ImageItem], deletions: [RecordDeletion] = [],
    changing changes: [StateChange] = [], inSession number: Int64? = nil,
    leavingHeld: Bool = false
  ) async throws(SessionError) {
    do throws(SessionError) {
      try Self.validate(records)
      try await outbox.submit(
        records, images: images, deletions: deletions, changing: changes, inSession: number,
        leavingHeld: leavingHeld, needingUser: SantorioUser.isNeeded(for: records))
    } catch {
      Self.logRefusal(of: records, error)
      throw error
    }
    if deletions.isEmpty || !records.isEmpty { Self.logStorage(of: records) }
    if !deletions.isEmpty {
      Self.log(.outbox, "deletions stored", .count("deletions", deletions.count))
    }
    uploading.call(.work)
  }

  static func logStorage(of records: [HealthRecord]) {
    log(.outbox, "records stored", .count("records", records.count))
  }

  static func logRefusal(of records: [HealthRecord], _ error: SessionError) {
    log(.outbox, "records refused", .count("records", records.count), .error(error.code))
  }

  /// Checks that all records can be encoded.
  static func validate(_ records: [HealthRecord]) throws(SessionError) {
    for (index, record) in records.enumerated() {
      do throws(RecordError) {
        try record.validate()
      } catch {
        throw SessionError(error, index: index)
      }
    }
  }

  /// Stores a record in the queue; it is on disk when this returns.
  ///
  /// - Parameter record: The record.
  /// - Throws: ``SessionError`` when it was not stored, see ``submit(_:)-([HealthRecord])``.
  public func submit(_ record: HealthRecord) async throws(SessionError) {
    try await submit([record])
  }

  /// The records that wait for the server, in the order of their submission.
  ///
  /// - Returns: The records.
  /// - Throws: ``SessionError`` when the file cannot be read.
  public func pendingRecords() async throws(SessionError) -> [HealthRecord] {
    try await outbox.pending()
  }

  /// How many records and deletions wait for the server; they are counted without being read.
  ///
  /// - Returns: The number of records and deletions.
  /// - Throws: ``SessionError`` when the file cannot be read.
  public func pendingCount() async throws(SessionError) -> Int {
    try await outbox.pendingCount()
  }

  /// Returns the time until a record or image is due again for which the server gave no result.
  ///
  /// - Returns: The time; zero if one is due, nil if none was postponed.
  /// - Throws: ``SessionError`` when the file cannot be read.
  package func timeUntilNextAttempt() async throws(SessionError) -> Duration? {
    try await outbox.timeUntilNextRow()
  }

  /// When the record was received that has waited longest for the server; only that one is read.
  ///
  /// - Returns: The time; nil when none waits, and when that one is damaged.
  /// - Throws: ``SessionError`` when the file cannot be read.
  package func oldestPending() async throws(SessionError) -> Date? {
    try await outbox.oldestPending()?.time.received
  }

  // MARK: - Events

  /// A new sequence of events, starting now; get it before calling ``run()``.
  public var events: SessionEvents {
    let subscriber = EventSubscriber { [delivering] in delivering.call(.work) }
    hub.add(subscriber)
    return SessionEvents(subscriber: subscriber)
  }

  /// Logs what happens to the session and its user.
  static func log(_ message: StaticString, _ facts: LogFact...) {
    SantorioLogging.shared.log(.session, message, facts)
  }

  /// Logs what happens in another part of the module.
  static func log(
    _ category: SantorioLogging.Category, _ message: StaticString, _ facts: LogFact...
  ) {
    SantorioLogging.shared.log(category, message, facts)
  }

  func post(_ event: SessionEvent) {
    configuration.notificationCenter.post(
      name: event.notificationName, object: self, userInfo: [SessionEvent.userInfoKey: event])
  }
}
