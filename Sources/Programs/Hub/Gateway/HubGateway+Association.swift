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
    guard !request.isToBeConfirmed || pause == nil else {
      throw HubFault(
        .refused,
        "reading is paused, so no reading could confirm the device: run \"santorio hub resume\" first"
      )
    }
    let began = radio.now()
    var enrolled = try await enroll(request, progress)
    guard enrolled.waitsForConfirmation else { return enrolled }
    progress(
      HubProgress(
        .reading, "\(enrolled.name) is \(enrolled.patient)'s now. Measure, to confirm it."))
    let association = Association(
      device: enrolled.identifier, patient: enrolled.patient, slot: request.slot,
      account: configuration.owners[enrolled.patient], began: began)
    switch try await confirmation(
      of: association, within: .seconds(request.seconds), progress)
    {
    case .reading(let decision): enrolled.reading = decision
    case .confirmed: enrolled.waitsForConfirmation = false
    case nil: break
    }
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

  /// A device that was given to a patient, until a reading confirms it.
  private struct Association {
    let device: UUID
    let patient: String
    let slot: Int?
    let account: String?
    let began: Date
    /// The readings from before the device was the patient's of which it was told.
    var told: Set<String> = []
  }

  private enum Confirmation {
    /// A reading to be shown and confirmed.
    case reading(HubStatus.Decision)
    /// A reading was released to the patient meanwhile.
    case confirmed
  }

  /// Waits for a reading that can confirm a device.
  ///
  /// - Returns: The reading; nil where none came in time.
  /// - Throws: `HubFault` when the device is not the patient's any more.
  private func confirmation(
    of association: Association, within limit: Duration,
    _ progress: @Sendable (HubProgress) -> Void
  ) async throws(HubFault) -> Confirmation? {
    var association = association
    let (arrivals, arrival) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = UUID()
    awaitedReadings[number] = (association.device, arrival)
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
      if let confirmation = try await confirmation(of: &association, progress) {
        return confirmation
      }
    }
    return nil
  }

  /// Wakes those who wait for a reading of a device.
  func noteUndecided(of device: UUID) {
    for waiting in awaitedReadings.values where waiting.device == device {
      waiting.arrival.yield()
    }
  }

  /// Wakes all who wait for a reading: their device may have become another patient's.
  func noteAssigned() {
    for waiting in awaitedReadings.values { waiting.arrival.yield() }
  }

  private func confirmation(
    of association: inout Association, _ progress: (HubProgress) -> Void
  ) async throws(HubFault) -> Confirmation? {
    guard let device = assignments.device(association.device),
      let owner = device.owners.first(where: { $0.patient == association.patient }),
      owner.label == association.slot,
      configuration.owners[association.patient] == association.account
    else { throw superseded(association) }
    guard let since = owner.since, since.waitsForConfirmation else { return .confirmed }
    guard let session = reader(of: device),
      let held = try? await session.receiver?.undecidedRecords(of: association.device)
    else { return nil }
    let readings = held.filter { record in
      record.kind.isReading && record.time.received >= association.began
        && device.owner(ofSlot: record.source.device?.userSlot)?.patient == association.patient
    }
    let earlier = readings.filter { since.isBegun(before: $0.time) == false }
    for record in earlier where association.told.insert(record.logID).inserted {
      progress(
        HubProgress(
          .reading,
          "A reading from before it was \(association.patient)'s came, and waits for a decision. Measure, "
            + "to confirm the device."))
    }
    let newest = readings.filter { !association.told.contains($0.logID) }
      .max { $0.time.start < $1.time.start }
    guard let newest else { return nil }
    var decision = await session.decision(newest, configuration.aliases, memory.current)
    decision.isTimeUnknown = since.isBegun(before: newest.time) == nil
    return .reading(decision)
  }

  private func superseded(_ association: Association) -> HubFault {
    let owners = assignments.device(association.device)?.owners.map { "\($0.patient)'s" } ?? []
    return HubFault(
      .refused,
      "the device is not \(association.patient)'s any more, but "
        + (owners.isEmpty ? "nobody's" : owners.joined(separator: " and "))
        + ": it was enrolled, forgotten or changed in the file meanwhile")
  }

  /// Notes that readings were confirmed to be a patient's: later ones of their devices are not held, and
  /// earlier ones since the enrolment are released.
  func confirm(by records: [HealthRecord], for alias: String) async {
    var confirmed: [UUID] = []
    for (id, records) in await byDevice(records, of: alias) {
      guard let device = assignments.device(id) else { continue }
      for owner in device.owners where owner.patient == alias {
        let own = records.filter { device.owner(ofSlot: $0.source.device?.userSlot) == owner }
        if confirm(id, of: owner, by: own.map(\.time)) { confirmed.append(id) }
      }
    }
    guard !confirmed.isEmpty else { return }
    await apply(configuration)
    for device in confirmed { await releaseConfirmed(device, for: alias) }
  }

  private func confirm(
    _ device: UUID, of owner: HubAssignments.Owner, by times: [RecordTime]
  ) -> Bool {
    do throws(SessionError) {
      let isNew = try memory.change { facts in
        times.contains {
          facts[device]?.owners.confirm(slot: owner.label, byReadingOf: $0) ?? false
        }
      }
      if isNew { HubLog.note("device confirmed", .patient(owner.patient), .device(device)) }
      return isNew
    } catch {
      HubLog.failed("device not confirmed", owner.patient, error.code.name)
      return false
    }
  }

  /// Releases the readings that came before the device was confirmed, and are certainly its patient's.
  private func releaseConfirmed(_ device: UUID, for alias: String) async {
    guard let known = assignments.device(device), !known.isShared,
      let receiver = await sessions[alias]?.receiver
    else { return }
    do throws(BluetoothError) {
      publish(try await receiver.releaseOwn(of: device), of: alias, from: device)
      changed.insert(alias)
    } catch {
      HubLog.failed("readings of a confirmed device not released", alias, error.code.name)
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
