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
    for device in devices where await !receiver.sharesIdentity(device.identifier) {
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
    let senders = await senders(of: record, facts)
    let owners = senders.compactMap { owner(of: record, $0, facts) }
    let slot = source?.userSlot.map { model?.label(ofSlot: $0) ?? $0 }
    var decision = HubStatus.Decision(
      record: record.logID, device: source?.model ?? "a device", slot: slot,
      time: record.time.start, reason: reason(record, senders, owners.first))
    decision.identifier = senders.count == 1 ? senders[0] : nil
    decision.values = record.metrics.map { metric in
      "\(metric.type.definition?.displayName.lowercased() ?? metric.type.rawValue) "
        + "\(metric.valueText) \(metric.unit)"
    }
    decision.candidates =
      candidates(for: record, slot, senders, facts)
      .map { aliases[$0] ?? "a former patient" }.distinct
    return decision
  }

  /// The accounts of those who may have measured a reading, the one who had the device first first.
  ///
  /// - Parameters:
  ///   - record: The reading.
  ///   - slot: Its slot, as the device shows it.
  ///   - senders: The devices that may have sent it.
  ///   - facts: The owners of devices.
  /// - Returns: The accounts, also of the one in whose queue it is, and of those who have the device now.
  func candidates(
    for record: HealthRecord, _ slot: Int?, _ senders: [UUID], _ facts: HubFacts
  ) -> [String] {
    let tolerated = ClockPolicy().toleratedLead / .seconds(1)
    let owners = senders.compactMap { facts[$0]?.owners }
    let known = owners.flatMap {
      $0.candidates(for: record.time, slot: slot, toleratedLead: tolerated)
    }
    guard let own = setup.patient?.ownerID else { return known }
    // It may have been enrolled for the wrong patient first.
    return ((known.contains(own) ? known : known + [own]) + owners.flatMap(\.present)).distinct
  }

  /// The accounts of the other patients who may have measured a reading.
  func otherCandidates(for record: HealthRecord, _ facts: HubFacts) async -> [String] {
    let source = record.source.device
    let model = source?.peripheralID.flatMap(DeviceModel.init(id:))
    let slot = source?.userSlot.map { model?.label(ofSlot: $0) ?? $0 }
    return candidates(for: record, slot, await senders(of: record, facts), facts)
      .filter { $0 != setup.patient?.ownerID }
  }

  /// The devices that may have sent a record: several where they have one serial number.
  func senders(of record: HealthRecord, _ facts: HubFacts) async -> [UUID] {
    guard let identity = record.source.device?.id else { return [] }
    var all = await receiver?.devices(identifiedAs: identity) ?? []
    // Another session may have read it.
    if all.isEmpty {
      all = Set(facts.devices.filter { $0.value.identity == identity }.keys)
    }
    let own = all.filter { id in devices.contains { $0.identifier == id } }
    return (own.isEmpty ? all : own).sorted { $0.uuidString < $1.uuidString }
  }

  /// The patient whose device, or slot, has sent a record; nil where that is not known.
  private func owner(
    of record: HealthRecord, _ device: UUID, _ facts: HubFacts
  ) -> HubAssignments.Owner? {
    if let known = devices.first(where: { $0.identifier == device }) {
      return known.owner(ofSlot: record.source.device?.userSlot)
    }
    return setup.patient.flatMap { patient in
      facts[device]?.owners.last(of: patient.ownerID).map { ended in
        HubAssignments.Owner(
          patient: patient.alias, label: nil, since: ended.since, former: ended.former)
      }
    }
  }

  private func reason(
    _ record: HealthRecord, _ senders: [UUID], _ owner: HubAssignments.Owner?
  ) -> HubStatus.Decision.Reason {
    if record.isOfUnknownUser { return .unknownUser }
    if setup.isShared, senders.count > 1 { return .severalDevices }
    guard let owner else { return setup.isShared ? .severalUsers : .unknownPatient }
    if owner.since?.waitsForConfirmation == true { return .unconfirmed }
    guard owner.claim(on: record) != .own else {
      return setup.isShared || record.source.device?.userSlot != nil ? .severalUsers : .unconfirmed
    }
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

extension [String] {
  /// Each of them once.
  fileprivate var distinct: [String] {
    var known: Set<String> = []
    return filter { known.insert($0).inserted }
  }
}
