// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import HealthDevices
package import HealthRecords
import SantorioBluetooth
import SantorioConcurrency
import SantorioCore
package import SantorioSockets

extension HubGateway: HubControlHandler {
  package func answer(
    _ request: HubRequest, from peer: PeerCredentials,
    progress: @escaping @Sendable (HubProgress) -> Void
  ) async -> HubAnswer {
    if request != .status {
      HubLog.note(
        "asked by the command line", .request(named: request.name),
        .count("uid", Int(peer.user)))
    }
    do throws(HubFault) {
      return try await carryOut(request, by: peer.userName, progress)
    } catch {
      return .failed(error)
    }
  }

  func carryOut(
    _ request: HubRequest, by decider: String,
    _ progress: @escaping @Sendable (HubProgress) -> Void
  ) async throws(HubFault) -> HubAnswer {
    switch request {
    case .status:
      noteAsked()
      await update()
      return .status(await status())
    case .enroll(let enrolment):
      return .enrolled(try await associate(enrolment, progress))
    case .release(let release): return try await carryOut(release, by: decider)
    case .forget(let device, let alias):
      return .forgotten(patients: try await forget(device, of: alias))
    case .pause(let seconds): return .paused(until: try await pause(for: seconds))
    case .resume:
      if let error = await resume() {
        throw HubFault(
          .failed, "devices are read again, but a hub that is restarted pauses again: \(error)")
      }
      return .resumed
    case .reload: return .reloaded(await reload())
    case .stop:
      requestStop()
      return .stopping
    }
  }

  /// Calls `body` for each record that the server has stored from now on, with the patient's alias.
  package func observe(_ body: @escaping @Sendable (String, HealthRecord) -> Void) {
    stored = body
  }

  /// Enrols one device for a patient, as the command line does.
  package func enroll(
    _ device: UUID, as model: DeviceModel, for patient: String, slot: Int?,
    takingMemory: Bool
  ) async -> HubAnswer {
    do throws(HubFault) {
      return .enrolled(
        try await enroll(
          .init(
            patient: .alias(patient), model: model.id, device: device, slot: slot, acceptsAll: true,
            takesMemory: takingMemory)
        ) { _ in })
    } catch {
      return .failed(error)
    }
  }

  /// Reads nothing more, and waits until all queues are empty or nothing can be sent.
  package func drain() async {
    // No pause, which the next process would go on with.
    isDraining = true
    await changes.add { await self.pauseSessions() }.value
    while !Task.isCancelled {
      let patients = await status().patients
      if patients.allSatisfy({ $0.queued == 0 || !$0.upload.works }) { return }
      changed.formUnion(patients.map(\.alias))
      try? await Task.sleep(for: .milliseconds(100))
    }
  }

  // MARK: - Pause

  private func pause(for seconds: Int?) async throws(HubFault) -> Date? {
    let end = seconds.map { radio.now().addingTimeInterval(TimeInterval($0)) }
    pause = HubPause(until: end)
    let error = keepPause()
    await changes.add { await self.pauseSessions() }.value
    HubLog.note("reading paused")
    if let error {
      throw HubFault(.failed, "no device is read, but a hub that is restarted reads: \(error)")
    }
    return end
  }

  /// Reads again; returns why a hub that is restarted would not.
  func resume() async -> SessionError? {
    let wasPaused = pause != nil
    pause = nil
    let error = keepPause()
    guard wasPaused else { return error }
    await changes.add { await self.resumeSessions() }.value
    HubLog.note("reading resumed")
    return error
  }

  /// Keeps it for the next process, too; returns why that cannot be.
  @discardableResult
  func keepPause() -> SessionError? {
    guard memory.current.pause != pause else { return nil }
    do throws(SessionError) {
      let pause = pause
      try memory.change { $0.pause = pause }
      isPauseWarned = false
      return nil
    } catch {
      // It is tried again and again.
      if !isPauseWarned { HubLog.warn("the pause is not kept", .error(error.code)) }
      isPauseWarned = true
      return error
    }
  }

  private func pauseSessions() async {
    for session in sessions.values { await session.pause() }
  }

  private func resumeSessions() async {
    for session in sessions.values { await session.resume() }
  }

  // MARK: - Decisions

  /// Takes readings for those who were in the beds when it was asked, and for no others.
  ///
  /// It waits for changes of beds and devices that are under way, and others wait for it.
  private func carryOut(
    _ release: HubRequest.Release, by decider: String
  ) async throws(HubFault) -> HubAnswer {
    let owners = configuration.owners
    return try await changes.add { await self.result(of: release, by: decider, among: owners) }
      .value.value()
  }

  private func result(
    of release: HubRequest.Release, by decider: String, among owners: [String: String]
  ) async -> Result<HubAnswer, HubFault> {
    do throws(HubFault) {
      switch release {
      case .patient(let alias):
        try check(alias, isAsIn: owners)
        return .success(try await self.release(allOf: alias, by: decider))
      case .records(let names, let alias):
        return .success(
          .released(try await self.release(Set(names), for: alias, by: decider, among: owners)))
      }
    } catch {
      return .failure(error)
    }
  }

  /// Refuses to release anything for a bed that got another patient.
  ///
  /// - Parameters:
  ///   - alias: The bed.
  ///   - owners: Who the patients were when it was asked, by their aliases.
  /// - Throws: `HubFault` that says what to do.
  private func check(_ alias: String, isAsIn owners: [String: String]) throws(HubFault) {
    guard let owner = owners[alias], configuration.owners[alias] != owner else { return }
    throw HubFault(
      .refused,
      "\(alias) is another patient's, or nobody's, since this was asked: nothing was released. Look at "
        + "\"santorio hub status\", and say once more whose it is")
  }

  /// Lets all readings go to the server that are held in a patient's queue, but for those that may be another
  /// patient's.
  private func release(allOf alias: String, by decider: String) async throws(HubFault) -> HubAnswer
  {
    let session = try await session(of: alias)
    guard let owner = sessions[alias] else { return .released(0) }
    await declineTaken(of: alias)
    let all: [HealthRecord]
    do throws(SessionError) {
      all = try await session.undecidedRecords()
    } catch {
      throw HubFault(.failed, error.description)
    }
    var records: [HealthRecord] = []
    for record in all
    where recipient(of: record, exceptFor: alias) == nil {
      if await others(than: alias, forReading: record, heldBy: owner).isEmpty {
        records.append(record)
      }
    }
    try beginDeciding(records, for: alias)
    try await hand(records, from: session, to: session, by: decider)
    await decided(records, for: alias)
    return .released(records.count, left: all.count - records.count)
  }

  /// The patients other than one who may have measured a reading.
  private func others(
    than alias: String, forReading record: HealthRecord, heldBy session: HubSession
  ) async -> [String] {
    await session.decision(record, configuration.aliases, memory.current).candidates
      .filter { $0 != alias }
  }

  /// Refuses to release readings without a patient that may be another one's than the one in whose queue
  /// they are.
  private func checkOneCandidate(
    _ found: [(alias: String, session: SantorioSession, records: [HealthRecord])]
  ) async throws(HubFault) {
    for (alias, _, records) in found {
      guard let owner = sessions[alias] else { continue }
      for record in records {
        guard let other = await others(than: alias, forReading: record, heldBy: owner).first else {
          continue
        }
        throw HubFault(
          .refused,
          "the reading \(record.logID) may be \(other)'s; say whose it is with --patient. Nothing was "
            + "released")
      }
    }
  }

  /// Takes single readings for a patient's, or for the one in whose queue they are held.
  ///
  /// Nothing is released unless all can be.
  private func release(
    _ names: Set<String>, for patient: String?, by decider: String, among owners: [String: String]
  ) async throws(HubFault) -> Int {
    if let patient { try check(patient, isAsIn: owners) }
    let target: SantorioSession? =
      if let patient { try await session(of: patient) } else { nil }
    var found: [(alias: String, session: SantorioSession, records: [HealthRecord])] = []
    var missing = names
    for (alias, owner) in sessions {
      guard let session = await owner.session else { continue }
      var records = try await held(names, in: session)
      // What is in another patient's own queue is that patient's, unless the device was this one's, too.
      if let patient, alias != patient, !owner.setup.isShared {
        records = await owner.records(
          records, thatMayBe: patient, configuration.aliases, memory.current)
      }
      missing.subtract(records.map(\.logID))
      if !records.isEmpty { found.append((alias, session, records)) }
    }
    guard missing.isEmpty else {
      throw HubFault(
        .refused,
        "no reading \(missing.sorted().joined(separator: ", ").shown) is held"
          + (patient.map { " of a shared device or in \($0)'s queue" } ?? "")
          + "; nothing was released")
    }
    if patient == nil, found.contains(where: { $0.alias == HubSessionSetup.sharedAlias }) {
      throw HubFault(
        .refused,
        "a reading of a shared device is nobody's yet; say whose it is with --patient. Nothing was "
          + "released")
    }
    let held = Dictionary(
      found.flatMap { one in one.records.map { ($0.logID, [one.alias]) } }, uniquingKeysWith: +)
    if patient == nil, let (name, aliases) = held.first(where: { $0.value.count > 1 }) {
      throw HubFault(
        .refused,
        "the reading \(name) is held for \(aliases.sorted().joined(separator: " and ")); say whose "
          + "it is with --patient. Nothing was released")
    }
    if patient == nil { try await checkOneCandidate(found) }
    for one in found where patient == nil { try check(one.alias, isAsIn: owners) }
    for one in found { try await checkNotTaken(one.records, exceptFor: patient ?? one.alias) }
    for (alias, session, records) in found {
      try beginDeciding(records, for: patient ?? alias)
      try await hand(records, from: session, to: target ?? session, by: decider)
      await decided(records, for: patient ?? alias)
      changed.insert(alias)
    }
    return names.count
  }

  /// Notes for whom readings are released, before they are.
  private func beginDeciding(_ records: [HealthRecord], for alias: String) throws(HubFault) {
    guard let account = configuration.owners[alias] else { return }
    do throws(SessionError) {
      try memory.change { facts in
        for record in records { facts.deciding[record.logID] = account }
      }
    } catch {
      throw HubFault(.failed, "that cannot be kept, so nothing was released: \(error)")
    }
  }

  /// The patient to whom a reading was being released when that was cut off; nil for none, and for the one
  /// who is named.
  private func recipient(of record: HealthRecord, exceptFor alias: String) -> String? {
    guard let account = memory.current.deciding[record.logID],
      account != configuration.owners[alias]
    else { return nil }
    return configuration.aliases[account] ?? "a former patient"
  }

  private func endDeciding(_ records: [HealthRecord]) {
    do throws(SessionError) {
      try memory.change { facts in for record in records { facts.deciding[record.logID] = nil } }
    } catch {
      HubLog.warn("end of a decision not noted", .error(error.code))
    }
  }

  private func decline(_ records: [HealthRecord], exceptFor alias: String) async {
    let names = Set(records.map(\.logID))
    for (other, owner) in sessions where other != alias {
      guard let session = await owner.session,
        let copies = try? await held(names, in: session), !copies.isEmpty
      else { continue }
      do throws(SessionError) {
        try await session.declineHeld(copies)
        changed.insert(other)
      } catch {
        HubLog.failed("reading of another not declined", other, error.code.name)
      }
    }
  }

  private func held(
    _ names: Set<String>, in session: SantorioSession
  ) async throws(HubFault) -> [HealthRecord] {
    do throws(SessionError) {
      return try await session.undecidedRecords().filter { names.contains($0.logID) }
    } catch {
      throw HubFault(.failed, error.description)
    }
  }

  /// Refuses to release readings for a patient that were taken for another one.
  private func checkNotTaken(
    _ records: [HealthRecord], exceptFor alias: String
  ) async throws(HubFault) {
    for record in records {
      guard let other = recipient(of: record, exceptFor: alias) else { continue }
      throw HubFault(
        .refused,
        "the reading \(record.logID) was being released to \(other) when that was cut off, and may be there; "
          + "release it to \(other). Nothing was released")
    }
    guard let (record, other) = await taken(records, exceptFor: alias).first else { return }
    throw HubFault(
      .refused,
      "the reading \(record) was taken for \(other), and would be two patients'; nothing was released"
    )
  }

  /// On the disk of the one before it leaves the other.
  private func hand(
    _ records: [HealthRecord], from source: SantorioSession, to target: SantorioSession,
    by decider: String
  ) async throws(HubFault) {
    let decision = UserDecision(by: decider, at: radio.now())
    do throws(SessionError) {
      if source === target {
        try await source.releaseDecided(records, by: decider)
      } else {
        try await target.submit(records.map { $0.decided(decision) })
      }
    } catch {
      endDeciding(records)
      throw HubFault(.failed, error.description)
    }
    guard source !== target else { return }
    do throws(SessionError) {
      try await source.declineHeld(records)
    } catch {
      throw HubFault(.failed, error.description)
    }
  }

  /// Does what follows from a decision that readings are a patient's: they are no other's for whom they
  /// are held, too, and their devices are confirmed to be the patient's.
  private func decided(_ records: [HealthRecord], for alias: String) async {
    changed.insert(alias)
    await decline(records, exceptFor: alias)
    if await noteTaken(records, for: alias) { endDeciding(records) }
    await confirm(by: records, for: alias)
    publish(records, of: alias)
    HubLog.note("readings decided", .patient(alias), .count("readings", records.count))
  }

  func session(of alias: String) async throws(HubFault) -> SantorioSession {
    guard configuration.patients.contains(where: { $0.alias == alias }) else {
      throw HubFault(
        .refused, "there is no patient \"\(alias.shown)\"; \"santorio hub status\" lists them")
    }
    guard let session = await sessions[alias]?.session else {
      let problem = await sessions[alias]?.problem ?? "it is not open"
      throw HubFault(.failed, "the session of \(alias) cannot be used: \(problem)")
    }
    return session
  }
}
