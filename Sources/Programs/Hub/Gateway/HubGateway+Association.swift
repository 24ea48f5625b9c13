// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioBluetooth
import SantorioConcurrency
import SantorioCore

// The association of a device with a patient at the bed: the code of the wristband first, then the device,
// then a reading that is confirmed. Until then, none of its readings is the patient's.
extension HubGateway {
  /// Enrols a device; by a patient's code, it then waits for the reading that is to be confirmed.
  ///
  /// - Parameters:
  ///   - request: The device and the patient.
  ///   - progress: Called for each step.
  /// - Returns: The device, with the reading where one came in the time of the request.
  /// - Throws: `HubFault` that says why it was not enrolled, and what to do.
  func associate(
    _ request: HubRequest.Enrolment, _ progress: @escaping @Sendable (HubProgress) -> Void
  ) async throws(HubFault) -> HubAnswer.EnrolledDevice {
    let began = radio.now()
    var enrolled = try await enroll(request, progress)
    guard enrolled.waitsForConfirmation else { return enrolled }
    progress(
      HubProgress(
        .reading, "\(enrolled.name) is \(enrolled.patient)'s now. Measure, to confirm it."))
    enrolled.reading = await undecidedReading(
      of: enrolled.identifier, since: began, within: .seconds(request.seconds))
    return enrolled
  }

  /// The alias of a patient.
  func alias(of patient: HubRequest.Patient) throws(HubFault) -> String {
    switch patient {
    case .alias(let alias): return alias
    case .code(let code):
      let owner = configuration.patients.first { $0.code == code }
      guard let owner else {
        throw HubFault(
          .refused, "no patient has this code; \"code\" in the hub's configuration gives one")
      }
      return owner.alias
    }
  }

  /// Waits for a reading of a device that waits for a decision.
  private func undecidedReading(
    of device: UUID, since began: Date, within limit: Duration
  ) async -> HubStatus.Decision? {
    let (arrivals, arrival) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = UUID()
    awaitedReadings[number] = (device, arrival)
    defer { awaitedReadings[number] = nil }
    let clock = monotonicClock
    let timeout = Task {
      try? await clock.sleep(clock.now() + limit)
      arrival.finish()
    }
    defer { timeout.cancel() }
    // Many a device has sent it while it was paired.
    arrival.yield()
    for await _ in arrivals {
      if let reading = await newestUndecided(of: device, since: began) { return reading }
    }
    return nil
  }

  /// Wakes those who wait for a reading of a device.
  func noteUndecided(of device: UUID) {
    for waiting in awaitedReadings.values where waiting.device == device {
      waiting.arrival.yield()
    }
  }

  private func newestUndecided(
    of device: UUID, since began: Date
  ) async -> HubStatus.Decision? {
    guard let known = assignments.device(device), let session = reader(of: known),
      let records = try? await session.receiver?.undecidedRecords(of: device),
      let newest = records.filter({ $0.kind.isReading && $0.time.received >= began })
        .max(by: { $0.time.start < $1.time.start })
    else { return nil }
    return await session.decision(newest, configuration.aliases, memory.current)
  }

  /// Notes that readings were confirmed to be a patient's: later ones of their devices are not held.
  func confirm(by records: [HealthRecord], for alias: String) async {
    var isNew = false
    for (device, records) in await byDevice(records) {
      guard let last = records.map(\.time.received).max() else { continue }
      for owner in assignments.device(device)?.owners ?? [] where owner.patient == alias {
        isNew = confirm(device, of: owner, byReadingOf: last) || isNew
      }
    }
    if isNew { await apply(configuration) }
  }

  private func confirm(
    _ device: UUID, of owner: HubAssignments.Owner, byReadingOf received: Date
  ) -> Bool {
    do throws(SessionError) {
      let isNew = try memory.change { facts in
        facts[device]?.confirm(owner, byReadingOf: received) ?? false
      }
      if isNew { HubLog.note("device confirmed", .patient(owner.patient), .device(device)) }
      return isNew
    } catch {
      HubLog.failed("device not confirmed", owner.patient, error.code.name)
      return false
    }
  }
}

extension HubSession {
  /// Those of some readings that wait here and may be a certain patient's.
  func records(
    _ records: [HealthRecord], thatMayBe patient: String, _ aliases: [String: String],
    _ facts: HubFacts
  ) async -> [HealthRecord] {
    var those: [HealthRecord] = []
    for record in records
    where await decision(record, aliases, facts).candidates.contains(patient) {
      those.append(record)
    }
    return those
  }
}

extension HubRequest.Enrolment {
  /// True where all readings wait until one was confirmed to be the patient's.
  var isToBeConfirmed: Bool { if case .code = patient { true } else { false } }
}
