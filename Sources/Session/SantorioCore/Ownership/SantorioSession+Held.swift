// SPDX-License-Identifier: Apache-2.0

public import HealthRecords

extension SantorioSession {
  /// Stores records on disk without sending them until the user approves, all or none.
  ///
  /// Submitting a record releases it, see ``submit(_:)-([HealthRecord])``. A record that already
  /// waits for the server keeps waiting.
  ///
  /// - Parameter records: The records.
  /// - Throws: ``SessionError`` when nothing was stored; of code `defaultUser` for records that the
  ///   default user may not submit, see ``SantorioUser/default``.
  public func hold(_ records: [HealthRecord]) async throws(SessionError) {
    try await hold(records, inSession: nil)
  }

  /// Holds records back for one session only, and changes state in the same transaction, see
  /// ``submit(_:changing:inSession:leavingHeld:)``.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - older: The `log_id`s of those from before the device was the user's.
  ///   - changes: The changes of state.
  ///   - number: The session; nil for the current one.
  /// - Throws: ``SessionError`` when nothing was stored.
  package func hold(
    _ records: [HealthRecord], older: Set<String> = [], changing changes: [StateChange] = [],
    inSession number: Int64?
  ) async throws(SessionError) {
    try Self.validate(records)
    try await outbox.hold(
      records, older: older, keeping: configuration.maximumDeclinedRecords, changing: changes,
      inSession: number, needingUser: SantorioUser.isNeeded(for: records))
    if !older.isEmpty { deliverNews() }
  }

  /// Lets records that are held back go to the server.
  ///
  /// Records that are not held back stay as they are. Of a reading whose device does not know its user,
  /// or tells its users apart, the decision is data: the record says who has decided and when
  /// (`HealthRecord.userDecision`), and is not held again when the device sends it again.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - decider: The one who has decided; the user of the app when it is not said.
  /// - Throws: ``SessionError`` when nothing was changed, of code `noSession` when there is none.
  public func releaseHeld(
    _ records: [HealthRecord], decidedBy decider: String = "user"
  ) async throws(SessionError) {
    let decided = records.filter { $0.isOfUnknownUser || $0.source.device?.userSlot != nil }
    try await releaseHeld(
      records.map(\.logID), deciding: Set(decided.map(\.logID)), by: decider, inSession: nil)
  }

  /// Lets records that are held back go to the server, each with the decision that it is this user's.
  package func releaseDecided(
    _ records: [HealthRecord], by decider: String
  ) async throws(SessionError) {
    let logIDs = records.map(\.logID)
    try await releaseHeld(logIDs, deciding: Set(logIDs), by: decider, inSession: nil)
  }

  /// Releases records of one session only.
  ///
  /// - Parameters:
  ///   - logIDs: The `log_id`s of the records.
  ///   - decided: Those of them that are the user's by a decision.
  ///   - decider: The one who has decided.
  ///   - number: The session.
  /// - Returns: The identifiers of those that are not on disk.
  /// - Throws: ``SessionError`` when nothing was changed.
  @discardableResult
  package func releaseHeld(
    _ logIDs: [String], deciding decided: Set<String> = [],
    by decider: String = UserDecision.appUser,
    inSession number: Int64?
  ) async throws(SessionError) -> Set<String> {
    let missing = try await outbox.release(
      logIDs, deciding: decided, by: UserDecision(by: decider, at: configuration.now()),
      inSession: number)
    Self.log(.outbox, "held records released", .count("records", logIDs.count - missing.count))
    wakeUpload()
    return missing
  }

  /// Records from before their device was the user's, oldest first: they are kept, and not asked about.
  ///
  /// ``releaseHeld(_:decidedBy:)`` takes them.
  ///
  /// - Returns: The records.
  /// - Throws: ``SessionError`` when the file cannot be read.
  public func olderRecords() async throws(SessionError) -> [HealthRecord] {
    try await outbox.older()
  }

  /// Takes records that wait for a decision for ones from before their device was the user's.
  package func setOlderAside(_ records: [HealthRecord]) async throws(SessionError) {
    try await outbox.setOlderAside(
      records.map(\.logID), keeping: configuration.maximumDeclinedRecords)
    deliverNews()
  }

  /// Lets records from before their device was the user's wait for a decision.
  package func askAboutOlder(_ records: [HealthRecord]) async throws(SessionError) {
    try await outbox.askAboutOlder(records.map(\.logID))
  }

  /// The number of records from before their device was the user's; known without reading them.
  package func olderCount() async throws(SessionError) -> Int { try await outbox.olderCount() }

  /// Holds back records of one session that wait for the server.
  ///
  /// - Returns: The `log_id`s of those that were held back; others are sent or on their way.
  package func holdAgain(
    _ logIDs: [String], inSession number: Int64?
  ) async throws(SessionError) -> [String] {
    let held = try await outbox.holdAgain(logIDs, inSession: number)
    Self.log(.outbox, "records held again", .count("records", held.count))
    return held
  }

  /// Keeps held records as declined: the user does not want them to be sent now.
  ///
  /// They stay held back, until the app submits or discards them, or until too many have been
  /// declined since, see ``Configuration/maximumDeclinedRecords``. Records that are not held back
  /// stay as they are.
  ///
  /// - Parameter records: The records.
  /// - Throws: ``SessionError`` when nothing was changed, of code `noSession` when there is none.
  public func declineHeld(_ records: [HealthRecord]) async throws(SessionError) {
    try await declineHeld(records.map(\.logID), inSession: nil)
  }

  /// Declines records of one session only.
  package func declineHeld(
    _ logIDs: [String], inSession number: Int64?
  ) async throws(SessionError) {
    try await outbox.decline(
      logIDs, keeping: configuration.maximumDeclinedRecords, inSession: number)
    Self.log(.outbox, "held records declined", .count("records", logIDs.count))
    deliverNews()
  }

  /// The records that are held back, declined ones too, oldest first; they survive a relaunch.
  ///
  /// - Returns: The records.
  /// - Throws: ``SessionError`` when the file cannot be read.
  public func heldRecords() async throws(SessionError) -> [HealthRecord] {
    try await outbox.held()
  }

  /// Records that are held back and were never declined, oldest first.
  ///
  /// - Throws: ``SessionError`` when the file cannot be read.
  package func undecidedRecords() async throws(SessionError) -> [HealthRecord] {
    try await outbox.undecided()
  }

  /// Those of some records that wait for a decision.
  ///
  /// - Parameter logIDs: The `log_id`s of the records.
  /// - Returns: The `log_id`s of those.
  /// - Throws: ``SessionError`` when the file cannot be read.
  package func undecided(among logIDs: [String]) async throws(SessionError) -> Set<String> {
    try await outbox.undecided(among: logIDs)
  }

  /// Those of some records that wait for the server.
  ///
  /// - Parameter logIDs: The `log_id`s of the records.
  /// - Returns: The `log_id`s of those.
  /// - Throws: ``SessionError`` when the file cannot be read.
  package func waiting(among logIDs: [String]) async throws(SessionError) -> Set<String> {
    try await outbox.waiting(among: logIDs)
  }

  /// Those of some records that are held back and are not to be sent.
  ///
  /// - Parameter logIDs: The `log_id`s of the records.
  /// - Returns: The `log_id`s of those.
  /// - Throws: ``SessionError`` when the file cannot be read.
  package func declined(among logIDs: [String]) async throws(SessionError) -> Set<String> {
    try await outbox.declined(among: logIDs)
  }

  /// How many records are held back, declined ones too; known without reading them.
  ///
  /// - Returns: The number of records.
  /// - Throws: ``SessionError`` when the file cannot be read.
  public func heldCount() async throws(SessionError) -> Int { try await outbox.heldCount() }

  /// Removes records that are held back because they are not wanted.
  ///
  /// - Parameter records: The records; those that are not held back are left alone.
  /// - Throws: ``SessionError`` when the file cannot be written.
  public func discardHeld(_ records: [HealthRecord]) async throws(SessionError) {
    try await outbox.discardHeld(records.map(\.logID))
  }
}
