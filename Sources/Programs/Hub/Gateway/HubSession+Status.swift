// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthRecords
import SantorioBluetooth
import SantorioCore

extension HubSession {
  /// How many records wait, are held and were refused, without the devices; nil while no session is open.
  ///
  /// - Parameters:
  ///   - aliases: The patients' aliases, by their accounts.
  ///   - facts: The owners of devices.
  /// - Returns: The numbers, and the first decisions.
  func counts(
    among aliases: [String: String], _ facts: HubFacts
  ) async -> HubStatus.Patient? {
    guard let session else { return nil }
    var patient = HubStatus.Patient(alias: setup.alias, upload: uploadPart())
    patient.healthExports = await exports?.status()
    patient.queued = setup.isShared ? 0 : (try? await session.pendingCount()) ?? 0
    patient.oldest = patient.queued > 0 ? try? await session.oldestPending() : nil
    patient.rejected = (try? await session.quarantinedCount()) ?? 0
    guard (try? await session.heldCount()) ?? 0 > 0 else { return patient }
    patient.older = (try? await session.olderCount()) ?? 0
    let held = (try? await session.undecidedRecords()) ?? []
    let known = setup.isShared ? await handedSoon() : []
    let undecided = held.filter { !known.contains($0.logID) }
    patient.held = undecided.count
    for record in undecided.prefix(HubStatus.mostDecisions) {
      patient.decisions.append(await decision(record, aliases, facts))
    }
    return patient
  }

  /// The readings of shared devices of which it is known whose they are: they wait for the patient's
  /// session.
  private func handedSoon() async -> Set<String> {
    guard let receiver else { return [] }
    var known: Set<String> = []
    for device in devices {
      let device = device.reading(as: await receiver.ownership(of: device.identifier))
      let records = (try? await receiver.undecidedRecords(of: device.identifier)) ?? []
      known.formUnion(records.filter { device.owner(of: $0) != nil }.map(\.logID))
    }
    return known
  }

  /// Describes a reading that waits for a decision.
  ///
  /// - Parameters:
  ///   - record: The reading.
  ///   - aliases: The patients' aliases, by their accounts.
  ///   - facts: The owners of devices.
  /// - Returns: The values, the patients in question and the reason.
  func decision(
    _ record: HealthRecord, _ aliases: [String: String], _ facts: HubFacts
  ) async -> HubStatus.Decision {
    let source = record.source.device
    let model = source?.peripheralID.flatMap(DeviceModel.init(id:))
    let sender = await sender(of: record)
    let owner = sender.flatMap { self.owner(of: record, $0, facts) }
    var decision = HubStatus.Decision(
      record: record.logID, device: source?.model ?? "a device",
      slot: source?.userSlot.map { model?.label(ofSlot: $0) ?? $0 }, time: record.time.start,
      reason: reason(record, owner))
    decision.values = record.metrics.map { metric in
      "\(metric.type.definition?.displayName.lowercased() ?? metric.type.rawValue) "
        + "\(metric.valueText) \(metric.unit)"
    }
    let former = owner?.former.map { aliases[$0] ?? "a former patient" }
    // It may have been enrolled for the wrong patient first.
    let present = setup.isShared ? nil : sender.flatMap { facts[$0]?.present }
    let known = [former, owner?.patient].compactMap(\.self)
    let others = (present ?? []).compactMap { aliases[$0] }.filter { !known.contains($0) }
    decision.candidates = known + others
    return decision
  }

  /// The device that has sent a record; nil where that is not known.
  private func sender(of record: HealthRecord) async -> UUID? {
    guard let identity = record.source.device?.id else { return nil }
    return await receiver?.device(identifiedAs: identity)
  }

  /// The patient whose device, or slot, has sent a record; nil where that is not known.
  private func owner(
    of record: HealthRecord, _ device: UUID, _ facts: HubFacts
  ) -> HubAssignments.Owner? {
    if let known = devices.first(where: { $0.identifier == device }) {
      return known.owner(ofSlot: record.source.device?.userSlot)
    }
    return setup.patient.flatMap { facts[device]?.ended(of: $0.alias, $0.ownerID) }
  }

  private func reason(
    _ record: HealthRecord, _ owner: HubAssignments.Owner?
  ) -> HubStatus.Decision.Reason {
    if record.isOfUnknownUser { return .unknownUser }
    guard let owner, owner.claim(on: record) != .own else { return .severalUsers }
    if owner.since?.waitsForConfirmation == true { return .unconfirmed }
    return record.time.isDeviceTimeDisbelieved || record.time.origin == .received
      ? .unknownTime : .aroundChange
  }

  static let notOpenYet = HubStatus.Part(works: false, "The session is not open yet.")

  /// What the upload is doing.
  func uploadPart() -> HubStatus.Part {
    if let problem = problem ?? readingProblem { return HubStatus.Part(works: false, problem) }
    guard let session else { return Self.notOpenYet }
    if setup.isShared { return HubStatus.Part(works: true, "readings go to the patients' queues") }
    guard setup.sends else {
      return HubStatus.Part(works: true, "readings are kept, without a server")
    }
    if let problem = tokenProblem { return HubStatus.Part(works: false, problem) }
    return switch session.uploadState {
    case .stopped:
      HubStatus.Part(works: uploadProblem == nil, uploadProblem.map(Self.reason) ?? "starting")
    case .idle: HubStatus.Part(works: true, "idle")
    case .uploading: HubStatus.Part(works: true, "sending")
    case .waiting(let error): HubStatus.Part(works: false, Self.reason(error))
    }
  }

  /// Why nothing is sent, with what to do where it is not tried again in vain.
  private static func reason(_ error: SessionError) -> String {
    let waits = "Readings are taken and wait here."
    switch error.code {
    case .credentialsRefused:
      return "\(HubSessionSetup.refusal). \(waits) \(HubSessionSetup.remedy)"
    case .endpointRefused where error.status == 404 || error.status == 410:
      return "The server has no such user (\(error.status ?? 404)): the user was deleted there, or "
        + "\"user\", \"organization\" or \"server\" is wrong in the file. \(waits) Correct the file and reload "
        + "the hub, or take the alias out of there."
    default: return error.description
    }
  }

  /// The state of devices.
  func status(of devices: [HubAssignments.Device]) async -> [HubStatus.Device] {
    let passive = await passiveStatus()
    let bonds = await bondsToShow()
    var all: [HubStatus.Device] = []
    for device in devices {
      let known = passive?.devices.first { $0.identifier == device.identifier }
      var status = Self.status(of: device, known, obstacles[device.identifier])
      status.clockDrift = await clockDrift(of: device.identifier)
      let isPaired = bonds.map { $0[device.identifier] ?? .none != .none } ?? true
      if device.entry?.requiresPairing == true, !isPaired, status.state != .reading {
        (status.state, status.reason) = (.unpaired, Self.unpaired)
      }
      all.append(status)
    }
    return all
  }

  private static let unpaired =
    "This gateway has not paired it yet. Put it into its pairing mode and run \"santorio hub enroll\"."

  /// The state of a device, by passive reading and by why it cannot be read; each nil for unknown.
  static func status(
    of device: HubAssignments.Device, _ known: PassiveStatus.Device?, _ obstacle: String?
  ) -> HubStatus.Device {
    var status = HubStatus.Device(
      identifier: device.identifier, model: device.model,
      name: device.entry?.name ?? device.identifier.uuidString, state: .waiting)
    guard device.model != nil else {
      status.reason =
        "Its model is not known yet: it is read once it was heard, or add \"model\" to the file."
      return status
    }
    if let known {
      (status.lastSeen, status.lastRead) = (known.lastSeen, known.lastRead)
      (status.state, status.nextTry) = (known.state.onHub, known.nextTry)
      status.reason = reason(known)
    }
    if let obstacle { (status.state, status.reason) = (.failing, obstacle) }
    return status
  }

  private static func reason(_ known: PassiveStatus.Device) -> String? {
    switch known.state {
    case .bondLost: "It does not know this gateway any more. Run \"santorio hub enroll\" again."
    case .queueFull: "It has filled its share of the queue; it is read when that was sent."
    case .backingOff: known.lastError?.message
    default: nil
    }
  }
}

extension PassiveStatus.State {
  fileprivate var onHub: HubStatus.DeviceState {
    switch self {
    case .reading: .reading
    case .quiet: .resting
    case .backingOff, .queueFull: .failing
    case .bondLost: .unpaired
    default: .waiting
    }
  }
}
