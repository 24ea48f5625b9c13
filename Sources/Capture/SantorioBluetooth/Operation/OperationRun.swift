// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthGATT
import HealthRecords
import SantorioConcurrency
import SantorioCore

/// Follows one operation: makes records of its frames, stores them, and sends events, in order.
final class OperationRun: @unchecked Sendable {
  // Only the one task that runs `follow` touches the state.
  let request: DeviceOperation.Request
  let operation: DeviceOperation
  private let engine: OperationEngine
  let receiver: BluetoothReceiver
  let approval: DeviceOperation.Approval?
  var model: DeviceModel?
  var facts: DeviceProperties?
  private var identity: DeviceIdentity?
  /// What the device's clock showed when it was read.
  private var clock: MeasuredClock?
  /// What it showed at an earlier connection.
  private var earlierClock: MeasuredClock?
  var records: [HealthRecord] = []
  /// What the device has sent that is no reading, as records.
  var rejected: [HealthRecord] = []
  /// The `log_id`s of those about which a user is asked at the end.
  private var asked: Set<String> = []
  /// Those of the records that are not on disk, although there is a session.
  private var unstored: [HealthRecord] = []
  private var isNoted = false
  var storageError: BluetoothError?
  private var identityError: BluetoothError?
  private var secretError: BluetoothError?
  /// Why nothing of the device is taken.
  var ownerError: BluetoothError?
  /// Whose the readings are.
  var owners: ReadingOwners
  /// The newest readings of the device, and for whom they were taken.
  var takenBefore = TakenReadings()
  /// True where the device has sent readings that cannot be understood.
  private var hasDamagedReadings = false
  /// Whether the device has sent readings of users that are not wanted now.
  private var hasOthersReadings = false
  /// The session that was current when the operation began: what is read is its user's.
  var sessionNumber: Int64?
  /// The file that has what was read before.
  private var generation: [UInt8]?
  var user = DeviceOwner.unclaimed
  var known: [KnownPeripheral] = []
  var othersDevices: Set<UUID> = []

  init(
    _ request: DeviceOperation.Request, of operation: DeviceOperation, by engine: OperationEngine,
    for receiver: BluetoothReceiver, approval: DeviceOperation.Approval?
  ) {
    self.request = request
    self.operation = operation
    self.engine = engine
    self.receiver = receiver
    self.approval = approval
    owners = ReadingOwners(
      .init(
        isKept: receiver.session != nil, takesEveryUser: receiver.settings.takesEveryUser,
        holdsEveryReading: receiver.settings.holdsEveryReading, asksUser: approval != nil))
    model = request.models.first
  }

  func follow() async {
    do throws(BluetoothError) {
      let (entries, keys) = try usable()
      let known = try await prepare()
      let minimumRSSI = receiver.settings.minimumRSSI
      let request = self.request.sparing(othersDevices, of: receiver)
      let reports = engine.begin(inSession: sessionNumber) { now in
        OperationBox(
          PeripheralOperation(
            request, entries, keys, known: known, minimumRSSI: minimumRSSI, at: now))
      }
      for await reports in reports { await handle(reports) }
    } catch {
      // The radio was not touched.
      operation.send(.ended(.failed(error, [])))
    }
  }

  /// Whether no reading is submitted before somebody has decided.
  private var holdsBack: Bool { approval != nil || receiver.settings.holdsEveryReading }

  // MARK: - Before the beginning

  /// The models that the app may speak with, and its keys for them by their numbers.
  private func usable() throws(BluetoothError) -> ([DeviceModel], [Int: AppKeys]) {
    var usable: [DeviceModel] = []
    var keys: [Int: AppKeys] = [:]
    var refusal = BluetoothError(
      .unsupportedDevice, "No device was named; name at least one.")
    for model in request.models.reversed() {
      do throws(BluetoothError) {
        let entry = try receiver.settings.readable(model)
        keys[entry.id] = try receiver.settings.keys(for: entry)
        usable.insert(entry, at: 0)
      } catch {
        refusal = error
      }
    }
    guard !usable.isEmpty else { throw refusal }
    model = usable.first
    return (usable, keys)
  }

  /// Looks for whom it is; without a user nothing is taken off a device that may forget it then.
  private func prepare() async throws(BluetoothError) -> [KnownPeripheral] {
    do throws(SessionError) {
      if let session = receiver.session {
        // Before the device's checkpoints are looked up.
        generation = try await session.storageGeneration()
        let owner = try await session.requiredOwner()
        guard request.session.map({ $0 == owner.number }) ?? true else {
          throw SessionError.otherSession
        }
        sessionNumber = owner.number
        user = DeviceOwner((owner.userID, owner.organizationID))
        // Where that fails once more, the next operation tries it.
        if approval == nil { try? await receiver.settleHeld(inSession: sessionNumber, of: user) }
      }
      known = try await receiver.devices.known()
      othersDevices = Set(known.enrolledForOthers(than: user).map(\.identifier))
      return known
    } catch {
      throw BluetoothError(storing: error)
    }
  }

  // MARK: - Reports

  private func handle(_ reports: OperationEngine.Reports) async {
    var readings: [DeviceReading] = []
    var checkpoints: [SyncCheckpoint] = []
    for report in reports.reports {
      switch report {
      case .reading(let reading): readings.append(reading)
      case .advance(let checkpoint): checkpoints.append(checkpoint)
      case .ended:
        await store(readings, advancing: checkpoints, at: reports.date)
        // What follows may wait for the user.
        engine.stored(reports)
        return await handle(report, at: reports.date)
      default:
        // One transaction for all that one event of the device has brought.
        await store(readings, advancing: checkpoints, at: reports.date)
        (readings, checkpoints) = ([], [])
        await handle(report, at: reports.date)
      }
    }
    await store(readings, advancing: checkpoints, at: reports.date)
    engine.stored(reports)
  }

  private func handle(_ report: PeripheralOperation.Report, at date: Date) async {
    switch report {
    case .found(let model, let identifier): await found(model, identifier)
    case .waiting(let model, let identifier, let obstacle):
      operation.send(.waiting(model, identifier: identifier, obstacle))
    case .fact(let fact): await note(fact, at: date)
    case .readyToRead: model.map { operation.send(.readyToRead($0)) }
    case .confirmStorage: confirmStorage()
    case .keep(let secret, let bytes): keep(bytes, as: secret)
    case .paired: await paired()
    case .ended(let outcome): await ended(outcome)
    case .reading, .advance: break
    }
  }

  private func note(_ fact: DeviceInformation, at date: Date) async {
    facts?.note(fact)
    switch fact {
    case .clockDrift(let seconds):
      owners.note(drift: seconds)
      clock = MeasuredClock(
        driftSeconds: seconds, date: date, after: earlierClock,
        policy: receiver.settings.clockPolicy)
      // It is set right now, and nothing would tell how wrong it was.
      if abs(seconds) > receiver.settings.clockPolicy.toleratedLead / .seconds(1) {
        await noteClock()
      }
    case .clockSet: clock = clock?.setRight()
    default: break
    }
  }

  private func found(_ model: DeviceModel, _ identifier: UUID) async {
    // Another device may have answered before the first.
    if let facts {
      receiver.held.ended(facts.identifier, wanting: nil, isToEnd: false, isSettled: true)
    }
    self.model = model
    facts = DeviceProperties(identifier: identifier)
    receiver.held.began(identifier)
    (identity, clock) = (nil, nil)
    // Where that cannot be read, less is known of the times of readings.
    earlierClock = try? await receiver.devices.clock(of: identifier)
    do throws(BluetoothError) {
      owners.begin(
        after: try? await receiver.devices.users(of: identifier),
        start: await ownershipStart(of: identifier), policy: receiver.settings.clockPolicy)
      takenBefore = (try? await receiver.devices.taken(of: identifier)) ?? TakenReadings()
      owners.want(try await userSlot(of: identifier, model))
      // No device is paired by chance that is another user's: its memory would become this user's.
      guard
        request.purpose == .read || receiver.settings.takesDevicesOver
          || !othersDevices.contains(identifier)
      else { throw BluetoothError(.enrolledForAnother) }
    } catch {
      ownerError = error
      engine.cancel()
    }
    operation.send(.found(model, identifier: identifier))
  }

  /// Which of a device's users is wanted: the one that was asked for, or else the one for whom it
  /// is enrolled.
  func userSlot(
    of identifier: UUID, _ model: DeviceModel
  ) async throws(BluetoothError) -> Int? {
    if let choice = request.userSlots[identifier] ?? request.userSlot {
      return try choice.slot(on: model)
    }
    guard !receiver.settings.takesEveryUser else { return nil }
    // It may have been said since the search began.
    let known = (try? await receiver.devices.known()) ?? known
    return known.first { $0.identifier == identifier }?.userSlot(of: user)
  }

  private func paired() async {
    guard let facts, let model, ownerError == nil else { return }
    isNoted = true  // Measurements of the same connection prove no more than it does.
    let bond = await enroll(facts.identifier, as: model)
    operation.send(
      .paired(
        PairingMetadata(peripheral: model, peripheralUUID: facts.identifier, bond: bond)))
  }

  /// Makes a device one of the user's, which must outlive the process.
  private func enroll(_ identifier: UUID, as model: DeviceModel) async -> BondState {
    do throws(SessionError) {
      try await receiver.devices.note(
        identifier, as: model.id, .paired, by: user, inSlot: owners.slot,
        beginning: owners.start)
      if owners.start?.takesMemory ?? true {
        records += (try? await receiver.takeOlder(of: identifier)) ?? []
      }
    } catch {
      secretError = BluetoothError(
        .submissionFailure,
        "The device is paired, and that cannot be kept: \(error). Pair it again when it can.")
    }
    return .none.after(.paired)
  }

  // MARK: - Readings

  /// How many rejected readings of one operation are kept: a defective device may send no others.
  private static let mostRejected = 100

  /// Puts readings on disk, with how far the transfer came: in the queue, or held back until the
  /// user has been asked.
  private func store(
    _ readings: [DeviceReading], advancing checkpoints: [SyncCheckpoint], at date: Date
  ) async {
    guard let facts, let model, ownerError == nil, !(readings.isEmpty && checkpoints.isEmpty)
    else { return }
    let maker = ReadingRecord(
      peripheral: model, facts: facts, identity: await keptIdentity(of: facts),
      zone: receiver.settings.timeZone(), userSlot: owners.slot,
      earlierClock: earlierClock?.asLeft, clockPolicy: receiver.settings.clockPolicy)
    let made = readings.map { ($0, maker.storable($0, at: date).map(takenForUser)) }
    let decided = await decided(among: made.compactMap { try? $0.1.get() })
    owners.keepHolding(await stillUndecided(among: made.compactMap { try? $0.1.get() }))
    var events: [BluetoothEvent] = []
    var taken: [HealthRecord] = []
    var older: [HealthRecord] = []
    var kept: [HealthRecord] = []
    for (reading, result) in made {
      owners.note(reading)
      switch result {
      // It is on disk, and its user has decided; or it was taken for another user.
      case .success(let record) where decided.contains(record.logID): break
      case .success(let record):
        events.append(owners.event(of: record))
        if owners.older.contains(record.logID) {
          older.append(record)
        } else {
          taken.append(record)
        }
      case .failure(let rejection):
        if rejection.reason == .otherUser { hasOthersReadings = true }
        if rejection.reason == .malformed { hasDamagedReadings = true }
        events.append(.rejected(rejection))
        guard rejection.isKept, rejected.count + kept.count < Self.mostRejected else { continue }
        let record = maker.record(of: reading, rejectedFor: rejection, at: date)
        owners.holdUnlessOwn(record)
        if owners.older.contains(record.logID) { older.append(record) } else { kept.append(record) }
      }
    }
    let others = await self.decided(among: kept + older)
    kept.removeAll { others.contains($0.logID) }
    older.removeAll { others.contains($0.logID) }
    records += taken
    rejected += kept
    if approval != nil { ask(about: taken + kept) }
    await store(taken + kept + older, advancing: checkpoints, of: facts.identifier)
    for event in events { operation.send(event) }
    if !readings.isEmpty { await noteDevice() }
  }

  private func store(
    _ taken: [HealthRecord], advancing checkpoints: [SyncCheckpoint], of device: UUID
  ) async {
    // What is not on disk, and what was sent of other users, is still to be read.
    let isComplete = storageError == nil && identityError == nil && !hasOthersReadings
    let checkpoints = isComplete ? checkpoints : []
    guard !(taken.isEmpty && checkpoints.isEmpty) else { return }
    let own = taken.filter { !isHeldBack($0) }.map(\.logID)
    // Another process, or a decision, may have changed it meanwhile.
    let kept = receiver.session == nil ? nil : try? await receiver.devices.taken(of: device)
    takenBefore = kept ?? takenBefore
    var takenNow = takenBefore
    if kept != nil { takenNow.note(own, for: user.name) }
    do throws(SessionError) {
      try await receiver.devices.store(
        taken, advancing: checkpoints, of: device,
        .init(
          session: sessionNumber, generation: generation, holdsBack: holdsBack,
          undecided: owners.undecided, older: owners.older, users: owners.changedUsers,
          taken: takenNow == takenBefore ? nil : takenNow))
      takenBefore = takenNow
    } catch {
      unstored += taken
      if !taken.isEmpty { storageError = BluetoothError(storing: error) }
    }
  }

  /// The record with the setting's decision, where that takes the readings of all users.
  private func takenForUser(_ record: HealthRecord) -> HealthRecord {
    let settings = receiver.settings
    guard settings.takesEveryUser, !settings.holdsEveryReading, record.isOfUnknownUser else {
      return record
    }
    return record.decided(
      UserDecision(by: UserDecision.everyUserSetting, at: record.time.received))
  }

  private func isHeldBack(_ record: HealthRecord) -> Bool {
    holdsBack || owners.undecided.contains(record.logID) || owners.older.contains(record.logID)
  }

  /// By what the device is recognised, which is on disk before the first record is made of it.
  ///
  /// When it cannot be kept the reading is not lost for it, and the device does not hear that it is
  /// safe.
  private func keptIdentity(of facts: DeviceProperties) async -> DeviceIdentity {
    if let identity { return identity }
    do throws(SessionError) {
      identity = try await receiver.devices.identity(
        of: facts.identifier, proposing: facts.identity)
      identityError = nil
    } catch {
      identityError = BluetoothError(storing: error)
    }
    return identity ?? facts.identity
  }

  /// Tells the driver that the device may forget what it sent, if that is so.
  private func confirmStorage() {
    guard storageError == nil, identityError == nil, ownerError == nil else {
      return engine.confirmStorage(.notStored)
    }
    engine.confirmStorage(hasOthersReadings ? .keptForOthers : .stored)
  }

  private func keep(_ bytes: [UInt8], as secret: DeviceSecret) {
    guard let facts else { return }
    do throws(SessionError) {
      try receiver.secrets.keep(bytes, as: secret, of: facts.identifier)
    } catch {
      secretError = BluetoothError(storing: error)
    }
  }

  /// Keeps in mind that the device is what it was taken for, and that it has accepted us.
  private func noteDevice() async {
    guard let facts, let model, !isNoted else { return }
    isNoted = true
    try? await receiver.devices.note(
      facts.identifier, as: model.id, .read(needsBond: model.requiresPairing), by: user)
  }

  /// Keeps in mind that a bond is lost, so that the device is not connected by itself again and
  /// again.
  private func noteLostBond(after outcome: PeripheralOperation.Outcome) async {
    guard case .failed(let error) = outcome, error.code == .bondLost, let facts, let model else {
      return
    }
    try? await receiver.devices.note(facts.identifier, as: model.id, .lost, by: user)
  }

  /// Keeps in mind how far the device's clock was off, which later readings may be compared with.
  private func noteClock() async {
    guard let clock, let facts, ownerError == nil else { return }
    try? await receiver.devices.note(clock, of: facts.identifier)
    guard let start = owners.start else { return }
    try? await receiver.devices.changeOwnership(of: facts.identifier, since: start.date) {
      $0.note(drift: start.clockError)
    }
  }

  // MARK: - The end

  private func ended(_ outcome: PeripheralOperation.Outcome) async {
    await noteLostBond(after: outcome)
    await noteClock()
    await storeAgain()
    if outcome == .finished {
      owners.noteEnd()
      await noteReadToEnd()
    }
    await decideUsers()
    // All that the device may have forgotten is on disk, as far as that is possible.
    engine.endBackgroundTime()
    await submitApproved()
    receiver.session?.questioned.withLock { $0.subtract(asked) }
    switch (error(of: outcome), outcome) {
    case (let error?, _): operation.send(.ended(.failed(error, records)))
    case (nil, .cancelled): operation.send(.ended(.cancelled(records)))
    case (nil, _) where request.purpose == .read && records.isEmpty:
      operation.send(.ended(.nothingNew))
    case (nil, _): operation.send(.ended(.finished(records)))
    }
  }

  /// Notes that the device was read to its end for its user.
  private func noteReadToEnd() async {
    guard request.purpose == .read, let facts, let model, let start = owners.start,
      storageError == nil, identityError == nil, ownerError == nil
    else { return }
    let (now, isComplete) = (receiver.settings.now(), model.tellsEndOfMemory && !hasDamagedReadings)
    // Where that cannot be kept, more readings wait for a decision.
    try? await receiver.devices.changeOwnership(of: facts.identifier, since: start.date) {
      $0.noteEnd(at: now, wasAskedForMemory: isComplete)
    }
  }

  /// Notes about what a user will be asked, so that no other operation asks, too.
  private func ask(about records: [HealthRecord]) {
    asked.formUnion(records.map(\.logID))
    receiver.session?.questioned.withLock { $0.formUnion(asked) }
  }

  /// Takes what was held back for a user who was never asked: the process was killed before.
  private func takeNeverAsked() async {
    guard let facts, ownerError == nil, let session = receiver.session,
      // Where that cannot be read, it is asked about at the next reading.
      let held = try? await receiver.undecidedRecords(of: facts.identifier)
    else { return }
    let known = session.questioned.withLock { $0 }
    let left = held.filter { !known.contains($0.logID) && owners.mayAsk(about: $0) }
    ask(about: left)
    takeReleased(left)
    rejected += left.filter { !$0.kind.isReading }
  }

  /// Releases what the user agrees to.
  private func submitApproved() async {
    guard let session = receiver.session, let model, let approval else { return }
    await takeNeverAsked()
    let all = records + rejected
    guard !all.isEmpty else { return }
    // Of what is no reading the user is not asked: it goes where the readings go, and without any
    // it stays.
    switch records.isEmpty ? .declined : await approval(records, model) {
    case .approved(let changed, let declined):
      await submit(all.filter { !declined.contains($0.logID) }, changed, to: session)
      guard !declined.isEmpty else { return }
      try? await session.declineHeld(Array(declined), inSession: sessionNumber)
    // Where that cannot be noted, they are held back as before.
    case .declined:
      try? await session.declineHeld(all.map(\.logID), inSession: sessionNumber)
    case .open: break
    }
  }

  private func submit(
    _ all: [HealthRecord], _ changed: [HealthRecord], to session: SantorioSession
  ) async {
    do throws(SessionError) {
      let decision = UserDecision(by: UserDecision.appUser, at: receiver.settings.now())
      let changed = changed.map { $0.isOfUnknownUser ? $0.decided(decision) : $0 }
      if !changed.isEmpty { try await session.submit(changed, inSession: sessionNumber) }
      let missing = try await session.releaseHeld(
        all.map(\.logID), deciding: Set(all.filter(\.isOfUnknownUser).map(\.logID)),
        inSession: sessionNumber
      ).subtracting(changed.map(\.logID))
      await noteTaken(all)
      // Never held, or lost with a damaged file while the user thought about it.
      let lost = all.filter { missing.contains($0.logID) }
      if !lost.isEmpty { try await session.submit(lost, inSession: sessionNumber) }
      unstored = []
      storageError = nil
    } catch {
      storageError = BluetoothError(storing: error)
    }
  }

  // MARK: - Errors

  /// Tries once more what could not be stored.
  private func storeAgain() async {
    guard let session = receiver.session, !unstored.isEmpty else { return }
    do throws(SessionError) {
      let held = unstored.filter(isHeldBack)
      if !held.isEmpty {
        try await session.hold(held, older: owners.older, inSession: sessionNumber)
      }
      let submitted = unstored.filter { !held.contains($0) }
      if !submitted.isEmpty {
        try await session.submit(submitted, inSession: sessionNumber, leavingHeld: true)
      }
      unstored = []
      storageError = nil
    } catch {
      storageError = BluetoothError(storing: error)
    }
  }

  /// What went wrong; the store's own error says more than that the transfer was stopped for it.
  private func error(of outcome: PeripheralOperation.Outcome) -> BluetoothError? {
    if let ownerError { return ownerError }
    let stored = storageError ?? identityError ?? secretError
    guard case .failed(let error) = outcome else { return stored }
    return error.code == .submissionFailure ? stored ?? error : error
  }
}

extension DeviceOperation.Request {
  /// The same, which leaves other users' devices alone: a reading that names no device is meant for
  /// the user's own.
  fileprivate func sparing(_ others: Set<UUID>, of receiver: BluetoothReceiver) -> Self {
    guard purpose == .read, allowed == nil, !takesOthers,
      !receiver.settings.takesDevicesOver || isPassive
    else { return self }
    var request = self
    request.resting.formUnion(others)
    return request
  }
}

extension PeripheralOperation {
  /// The operation of a request; there is at least one entry.
  fileprivate init(
    _ request: DeviceOperation.Request, _ entries: [DeviceModel], _ keys: [Int: AppKeys],
    known: [KnownPeripheral], minimumRSSI: Int?, at now: Duration
  ) {
    self.init(
      request.purpose, entries[0], Array(entries.dropFirst()), allowed: request.allowed,
      resting: request.resting, known: known, keys: keys, minimumRSSI: minimumRSSI,
      within: request.time, isPassive: request.isPassive, at: now)
  }
}

extension BluetoothError {
  /// An error of the store as one of Bluetooth's.
  init(storing error: SessionError) {
    let isWithoutUser = [.noSession, .sessionEnded].contains(error.code)
    self.init(isWithoutUser ? .noUser : .submissionFailure, error.description)
  }
}
