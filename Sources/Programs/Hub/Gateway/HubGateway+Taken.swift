// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioBluetooth
import SantorioCore

// A reading is one patient's: what was taken for one is not taken for another when its device sends it
// again, and nobody is asked about it.
extension HubGateway {
  /// Those of some readings of a device that were taken for other patients than a session's.
  func takenForOthers(
    _ logIDs: [String], of device: UUID, than alias: String
  ) async -> Set<String> {
    // Only of a device that had several owners: asking all sessions takes time.
    guard alias == HubSessionSetup.sharedAlias || memory.current[device]?.owners.hadOthers ?? false
    else {
      return []
    }
    let left = memory.current[device]?.taken
    var taken = Set(logIDs.filter { left?.user(of: $0).map { $0 != account(of: alias) } ?? false })
    for (other, session) in sessions where other != alias {
      guard let receiver = await session.receiver else { continue }
      taken.formUnion((try? await receiver.taken(among: logIDs, of: device)) ?? [])
    }
    return taken
  }

  /// The readings among some that were taken for others than a patient, each with the other's alias.
  func taken(_ records: [HealthRecord], exceptFor alias: String) async -> [String: String] {
    var taken: [String: String] = [:]
    let logIDs = records.map(\.logID)
    for left in memory.current.devices.values.compactMap(\.taken) {
      for logID in logIDs where left.user(of: logID).map({ $0 != account(of: alias) }) ?? false {
        taken[logID] = "a former patient"
      }
    }
    for (other, session) in sessions where other != alias {
      guard let receiver = await session.receiver else { continue }
      for logID in (try? await receiver.taken(among: logIDs)) ?? [] { taken[logID] = other }
    }
    return taken
  }

  private func account(of alias: String) -> String? { configuration.owners[alias] }

  /// Keeps what was taken for patients who leave the file: their sessions cannot be asked any more.
  func keepTaken(of leaving: some Sequence<HubSession>) async {
    for session in leaving {
      guard let all = try? await session.receiver?.taken(), !all.isEmpty else { continue }
      do throws(SessionError) {
        try memory.change { facts in
          for (device, taken) in all {
            guard var known = facts[device] else { continue }
            var kept = known.taken ?? TakenReadings()
            kept.formUnion(taken)
            known.taken = kept
            facts[device] = known
          }
        }
      } catch {
        HubLog.warn("readings of a patient who leaves not noted", .error(error.code))
      }
    }
  }

  /// Lets readings wait in the queue of another patient who may have measured them, where the session that
  /// holds them closes.
  ///
  /// - Parameters:
  ///   - leaving: The sessions that close, by their aliases.
  ///   - patients: The aliases of the patients who stay, by their accounts.
  func keepUndecided(
    of leaving: [String: HubSession], among patients: [String: String]
  ) async {
    for (alias, owner) in leaving where !owner.setup.isShared {
      guard let session = await owner.session, let held = try? await session.undecidedRecords()
      else { continue }
      var kept: [String: [HealthRecord]] = [:]
      for record in held {
        let other = await owner.otherCandidates(for: record, memory.current)
          .compactMap { patients[$0] }.first { leaving[$0] == nil && sessions[$0] != nil }
        if let other { kept[other, default: []].append(record) }
      }
      for (other, records) in kept {
        guard let target = await sessions[other]?.session else { continue }
        do throws(SessionError) {
          try await target.hold(records)
          try await session.declineHeld(records)
          changed.insert(other)
        } catch {
          HubLog.failed("undecided readings not kept for another", alias, error.code.name)
        }
      }
    }
  }

  /// Declines what is held for a patient and was taken for another one.
  func declineTaken(of alias: String) async {
    guard let owner = sessions[alias], let session = await owner.session,
      let receiver = await owner.receiver, (try? await session.heldCount()) ?? 0 > 0,
      let held = try? await session.undecidedRecords(), !held.isEmpty
    else { return }
    var taken = Set(await taken(held, exceptFor: alias).keys)
    taken.formUnion((try? await receiver.takenByOthers(among: held.map(\.logID))) ?? [])
    let others = held.filter { taken.contains($0.logID) }
    guard !others.isEmpty else { return }
    do throws(SessionError) {
      try await session.declineHeld(others)
      changed.insert(alias)
      HubLog.note(
        "readings of the patient before declined", .patient(alias), .count("readings", others.count)
      )
    } catch {
      HubLog.failed("readings of the patient before not declined", alias, error.code.name)
    }
  }

  /// Notes readings that were taken for a patient by a decision.
  ///
  /// It comes after they are submitted: what was noted and is still held is declined.
  ///
  /// - Returns: False where that could not be kept.
  func noteTaken(_ records: [HealthRecord], for alias: String) async -> Bool {
    guard let target = await sessions[alias]?.receiver else { return false }
    var isNoted = true
    for (device, records) in await byDevice(records, of: alias) {
      isNoted = await noteTaken(records, of: device, for: alias, target) && isNoted
    }
    return isNoted
  }

  /// Records by the devices that have sent them, without those of unknown devices; of several devices of
  /// one identity, the one that is a patient's.
  func byDevice(_ records: [HealthRecord], of alias: String) async -> [UUID: [HealthRecord]] {
    var all: [UUID: [HealthRecord]] = [:]
    for (identity, records) in Dictionary(grouping: records, by: { $0.source.device?.id }) {
      guard let identity, let device = await device(identifiedAs: identity, of: alias) else {
        continue
      }
      all[device, default: []] += records
    }
    return all
  }

  @discardableResult
  func noteTaken(
    _ records: [HealthRecord], of device: UUID, for alias: String, _ receiver: BluetoothReceiver
  ) async -> Bool {
    do throws(BluetoothError) {
      try await receiver.noteTaken(records.map(\.logID), of: device)
      return true
    } catch {
      HubLog.failed("taken readings not noted", alias, error.code.name)
      return false
    }
  }

  private func device(identifiedAs identity: String, of alias: String) async -> UUID? {
    var known: Set<UUID> = []
    for session in sessions.values {
      known.formUnion(await session.receiver?.devices(identifiedAs: identity) ?? [])
    }
    let own = known.first {
      assignments.device($0)?.owners.contains { $0.patient == alias } ?? false
    }
    return own ?? known.min { $0.uuidString < $1.uuidString }
  }
}
