// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthRecords
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
      HubLog.note("asked by the command line", .request(named: request.name))
    }
    do throws(HubFault) {
      return try await carryOut(request, progress)
    } catch {
      return .failed(error)
    }
  }

  func carryOut(
    _ request: HubRequest, _ progress: @escaping @Sendable (HubProgress) -> Void
  ) async throws(HubFault) -> HubAnswer {
    switch request {
    case .status:
      await update()
      return .status(await status())
    case .enroll(let enrolment): return .enrolled(try await enroll(enrolment, progress))
    case .release(.patient(let alias)): return .released(try await release(allOf: alias))
    case .release(.records(let names, let alias)):
      return .released(try await release(Set(names), for: alias))
    case .pause(let seconds): return .paused(until: await pause(for: seconds))
    case .resume:
      await resume()
      return .resumed
    case .reload: return .reloaded(await reload())
    case .stop:
      requestStop()
      return .stopping
    }
  }

  // MARK: - Pause

  private func pause(for seconds: Int?) async -> Date? {
    let end = seconds.map { radio.now().addingTimeInterval(TimeInterval($0)) }
    pause = .until(end)
    await changes.add { await self.pauseSessions() }.value
    HubLog.note("reading paused")
    return end
  }

  func resume() async {
    guard pause != .none else { return }
    pause = .none
    await changes.add { await self.resumeSessions() }.value
    HubLog.note("reading resumed")
  }

  private func pauseSessions() async {
    for session in sessions.values { await session.pause() }
  }

  private func resumeSessions() async {
    for session in sessions.values { await session.resume() }
  }

  // MARK: - Decisions

  /// Lets everything go to the server that is held in a patient's queue until somebody decides.
  private func release(allOf alias: String) async throws(HubFault) -> Int {
    let session = try await session(of: alias)
    do throws(SessionError) {
      let records = try await session.undecidedRecords()
      try await session.releaseHeld(records)
      decided(records, for: alias)
      return records.count
    } catch {
      throw HubFault(.failed, error.description)
    }
  }

  /// Takes single readings for a patient's, or for the one in whose queue they are held.
  private func release(
    _ names: Set<String>, for patient: String?
  ) async throws(HubFault) -> Int {
    let target: SantorioSession? =
      if let patient { try await session(of: patient) } else { nil }
    var missing = names
    for (alias, owner) in sessions {
      guard let session = await owner.session else { continue }
      let records = try await held(names, in: session)
      guard !records.isEmpty else { continue }
      missing.subtract(records.map(\.logID))
      guard let receiver = patient ?? (owner.setup.isShared ? nil : alias) else {
        throw HubFault(
          .refused, "a reading of a shared device is nobody's yet; say whose it is with --patient")
      }
      try await hand(records, from: session, to: target ?? session)
      decided(records, for: receiver)
      changed.insert(alias)
    }
    guard missing.isEmpty else {
      throw HubFault(
        .refused,
        "no reading is held with the identifier \(missing.sorted().joined(separator: ", ").shown)"
          + (missing.count < names.count ? "; the others were released" : ""))
    }
    return names.count
  }

  private func held(
    _ names: Set<String>, in session: SantorioSession
  ) async throws(HubFault) -> [HealthRecord] {
    do throws(SessionError) {
      return try await session.heldRecords().filter { names.contains($0.logID) }
    } catch {
      throw HubFault(.failed, error.description)
    }
  }

  /// On the disk of the one before it leaves the other.
  private func hand(
    _ records: [HealthRecord], from source: SantorioSession, to target: SantorioSession
  ) async throws(HubFault) {
    do throws(SessionError) {
      guard source !== target else { return try await source.releaseHeld(records) }
      try await target.submit(records)
      try await source.discardHeld(records)
    } catch {
      throw HubFault(.failed, error.description)
    }
  }

  private func decided(_ records: [HealthRecord], for alias: String) {
    changed.insert(alias)
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
