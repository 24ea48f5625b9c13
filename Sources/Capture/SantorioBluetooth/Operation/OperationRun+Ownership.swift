// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCore

// The user whose readings an operation reads, and the readings that are not that user's.
extension OperationRun {
  /// The beginning of the user's ownership of a device, which begins now where it is paired for a user
  /// who has not had it; nil where all that it has is the user's.
  func ownershipStart(of identifier: UUID) async -> OwnershipStart? {
    // It may have been assigned since the search began.
    let known = ((try? await receiver.devices.known()) ?? known)
      .first { $0.identifier == identifier }
    let own = known.flatMap { $0.isEnrolled(for: user) ? $0 : nil }
    if request.purpose == .pair, let beginning = request.beginning {
      let given = beginning(identifier)
      return own?.ownership?.continued(as: given) ?? given
    }
    if let own {
      return request.purpose == .pair && request.takesMemory
        ? own.ownership?.takingMemory : own.ownership
    }
    guard request.purpose == .pair else { return nil }
    // Also with its memory, which may have readings of the user before.
    let isChange = othersDevices.contains(identifier)
    guard isChange || !request.takesMemory else { return nil }
    return OwnershipStart(
      receiver.settings.now(), isChange: isChange, takesMemory: request.takesMemory)
  }

  /// Those of some readings that were taken for another user, or that a user has said are not to be sent.
  ///
  /// A user who is asked for approval is asked again about the latter.
  func decided(among records: [HealthRecord]) async -> Set<String> {
    guard let session = receiver.session, let facts, !records.isEmpty else { return [] }
    let logIDs = records.map(\.logID)
    var decided = takenBefore.takenByOthers(among: logIDs, than: user.name)
    if let others = receiver.settings.takenForOthers {
      decided.formUnion(await others(logIDs, facts.identifier))
    }
    guard approval == nil else { return decided }
    return decided.union((try? await session.declined(among: logIDs)) ?? [])
  }

  /// Those of some readings that wait for a decision since an earlier connection.
  ///
  /// They are decided about by what was known when they were first received.
  func stillUndecided(among records: [HealthRecord]) async -> Set<String> {
    guard let session = receiver.session, owners.start != nil, !records.isEmpty,
      // There all wait for the one who has opened the session.
      !receiver.settings.holdsEveryReading
    else { return [] }
    return (try? await session.undecided(among: records.map(\.logID))) ?? []
  }

  /// Notes that readings were taken for the user, which were held back before.
  func noteTaken(_ records: [HealthRecord]) async {
    guard let facts else { return }
    let logIDs = records.map(\.logID)
    // Where that cannot be kept, they may have to be decided about once more.
    try? await receiver.devices.noteTaken(logIDs, of: facts.identifier, for: user.name)
  }

  /// Decides whose the readings are that are held back, as far as that is known now.
  func decideUsers() async {
    guard let facts else { return }
    var isSettled = true
    do throws(SessionError) {
      if receiver.session != nil, ownerError == nil, owners.areToBeDecided {
        try await decideUsers(of: facts.identifier)
      }
    } catch {
      isSettled = false
      storageError = BluetoothError(storing: error)
    }
    giveUpOthers()
    receiver.held.ended(
      facts.identifier, wanting: owners.slot, isToEnd: owners.users.wasReadToEnd,
      isSettled: isSettled)
  }

  private func decideUsers(of device: UUID) async throws(SessionError) {
    guard let session = receiver.session else { return }
    owners.add(try await receiver.devices.users(of: device))
    // It may have been said since the device was found.
    if owners.slot == nil, let model { owners.want(try? await userSlot(of: device, model)) }
    let waiting = owners.waiting
    let held =
      waiting.isEmpty
      ? [] : try await session.undecidedRecords().filter { waiting.contains($0.logID) }
    let own = receiver.settings.holdsEveryReading ? [] : held.filter(owners.isOwn)
    if approval == nil, !own.isEmpty {
      try await session.releaseHeld(own.map(\.logID), inSession: sessionNumber)
      await noteTaken(own)
      takeReleased(own)
    }
    let others = Set(held.map(\.logID)).subtracting(own.map(\.logID))
    let (users, settled) = (owners.users, waiting.subtracting(others))
    try await receiver.devices.changeUsers(of: device) { kept in
      kept.formUnion(users)
      kept.settle(settled)
    }
  }

  /// Takes what was held back since an earlier reading, and is known to be the user's now.
  func takeReleased(_ own: [HealthRecord]) {
    let known = Set((records + rejected).map(\.logID))
    let earlier = own.filter { !known.contains($0.logID) && $0.kind.isReading }
    records = earlier + records
    for record in earlier { operation.send(.reading(record)) }
  }

  /// Takes back what was taken for the user's before the device showed another one.
  func giveUpOthers() {
    for record in records where owners.isToBeTakenBack(record) {
      operation.send(.undecided(record))
    }
    records.removeAll(where: owners.isOthers)
    rejected.removeAll(where: owners.isOthers)
  }
}
