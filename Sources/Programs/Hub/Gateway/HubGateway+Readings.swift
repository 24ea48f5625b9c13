// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthRecords
import SantorioBluetooth
import SantorioCore

extension HubGateway {
  /// Does what follows from an event of a session.
  func handle(_ event: HubSession.Event, of alias: String) async {
    changed.insert(alias)
    switch event {
    case .passive(let event): await handle(event, of: alias)
    case .stored: counts.uploads[alias, default: 0] += 1
    case .uploadFailed(let code):
      counts.uploadFailures[.init(patient: alias, reason: code.name), default: 0] += 1
    case .changed, .closed: break
    }
  }

  private func handle(_ event: PassiveEvent, of alias: String) async {
    switch event {
    case .read(let records, let model, let device):
      HubLog.note(
        "readings taken", .patient(alias), .device(device), .model(model.id),
        .count("readings", records.count))
      note(records, of: device)
      if alias == HubSessionSetup.sharedAlias {
        await handOut()
      } else {
        counts.readings[.init(patient: alias, device: device), default: 0] += records.count
        publish(records, of: alias)
      }
    case .failed(let error, let model, let device):
      HubLog.warn(
        "device not read", .patient(alias), .device(device), .model(model.id),
        .error(named: error.code.name))
      counts.readFailures[.init(patient: alias, reason: error.code.name), default: 0] += 1
    case .undecided(_, let model, let device):
      HubLog.warn(
        "a reading waits for a decision", .patient(alias), .device(device), .model(model.id))
    case .rejected(let rejected, let model, let device):
      HubLog.note(
        "not a reading", .patient(alias), .device(device), .model(model.id),
        .error(named: rejected.reason.rawValue))
    case .readyToRead, .stateChanged: break
    }
  }

  // MARK: - Shared devices

  /// Hands each reading of a shared device to the session of its patient.
  ///
  /// It is on the disk of that session before it leaves the other: a process that is killed in between
  /// hands it over once more, and a server stores it once.
  func handOut() async {
    guard let shared = sessions[HubSessionSetup.sharedAlias], let session = await shared.session,
      let receiver = await shared.receiver
    else { return }
    for device in assignments.shared {
      let held: [HealthRecord]
      do throws(BluetoothError) {
        held = try await receiver.undecidedRecords(of: device.identifier)
      } catch {
        HubLog.failed("shared readings not looked up", HubSessionSetup.sharedAlias, error.code.name)
        continue
      }
      let byPatient = Dictionary(grouping: held) {
        device.patient(ofSlot: $0.source.device?.userSlot)
      }
      for (alias, records) in byPatient {
        guard let alias, let target = await sessions[alias]?.session else { continue }
        await move(records, from: session, to: target, of: alias, readBy: device.identifier)
      }
    }
  }

  private func move(
    _ records: [HealthRecord], from source: SantorioSession, to target: SantorioSession,
    of alias: String, readBy device: UUID
  ) async {
    do throws(SessionError) {
      try await target.submit(records)
      try await source.discardHeld(records)
    } catch {
      return HubLog.failed("shared readings not handed over", alias, error.code.name)
    }
    changed.formUnion([alias, HubSessionSetup.sharedAlias])
    publish(records, of: alias)
    let readings = records.count { $0.kind.isReading }
    counts.readings[.init(patient: alias, device: device), default: 0] += readings
    HubLog.note(
      "shared readings handed over", .patient(alias), .device(device), .count("readings", readings))
  }

  /// Shows readings of which it is certain whose they are.
  func publish(_ records: [HealthRecord], of alias: String) {
    for record in records where record.kind.isReading {
      publisher?.publish(record, patient: alias)
    }
  }

  // MARK: - What is known of devices

  private func note(_ records: [HealthRecord], of device: UUID) {
    let last = records.last { $0.source.device?.batteryPercent != nil }
    let battery = last?.source.device?.batteryPercent
    note(device) { facts in
      facts.lastHeard = radio.now()
      facts.batteryPercent = battery ?? facts.batteryPercent
    }
  }

  private func note(_ device: UUID, _ body: (inout DeviceFacts) -> Void) {
    do throws(SessionError) {
      try memory.change { facts in
        var known = facts[device] ?? DeviceFacts(since: radio.now())
        body(&known)
        facts[device] = known
      }
    } catch {
      HubLog.warn("device not noted", .device(device), .error(error.code))
    }
  }

  /// Tells of low batteries, silent devices and lost bonds, and of their ends.
  func look(after devices: [HubAssignments.Device]) async {
    let watch = DeviceWatch(silence: TimeInterval(configuration.silentAfter) * 3600)
    for device in devices {
      guard let model = device.entry, let known = memory.current[device.identifier] else {
        continue
      }
      let status = await passiveStatus(of: device)
      var facts = DeviceWatch.Facts(batteryPercent: known.batteryPercent)
      facts.lastHeard = [
        known.lastHeard, lastHeard(device.identifier), status?.lastSeen, status?.lastRead,
      ].compactMap(\.self).max()
      facts.isBondLost = status?.state == .bondLost
      var told = known.findings
      let changes = watch.changes(to: &told, by: facts, since: known.since, at: radio.now())
      guard !changes.isEmpty, await tell(changes, of: device, model) else { continue }
      note(device.identifier) { [told] in $0.findings = told }
    }
  }

  private func passiveStatus(of device: HubAssignments.Device) async -> PassiveStatus.Device? {
    let status = await reader(of: device)?.passiveStatus()
    return status?.devices.first { $0.identifier == device.identifier }
  }

  /// Puts what was found about a device into the queues of its patients.
  ///
  /// - Returns: Whether all is there; else it is to be told later.
  private func tell(
    _ changes: [DeviceWatch.Change], of device: HubAssignments.Device, _ model: DeviceModel
  ) async -> Bool {
    let source = await source(of: device, model)
    for change in changes {
      let record = HealthRecord(
        deviceStatus: change.finding, of: source, since: change.since, at: radio.now(),
        message: change.message)
      for owner in device.owners {
        // Only the server's own form has room for it.
        guard configuration.server?.form == .ingest else { continue }
        guard let session = await sessions[owner.patient]?.session,
          (try? await session.submit([record])) != nil
        else { return false }
        changed.insert(owner.patient)
      }
      HubLog.warn(
        "device status", .device(device.identifier), .model(model.id),
        .error(named: change.finding.rawValue))
    }
    return true
  }

  /// The device as its readings name it.
  private func source(
    of device: HubAssignments.Device, _ model: DeviceModel
  ) async -> SourceDevice {
    let identity = await reader(of: device)?.receiver?.identity(of: device.identifier)
    return SourceDevice(
      id: identity ?? device.identifier.uuidString, manufacturer: model.manufacturer,
      model: model.model,
      batteryPercent: memory.current[device.identifier]?.batteryPercent,
      peripheralID: model.id)
  }

  /// The session for which a device is read.
  private func reader(of device: HubAssignments.Device) -> HubSession? {
    let alias = device.isShared ? HubSessionSetup.sharedAlias : device.owners.first?.patient
    return alias.flatMap { sessions[$0] }
  }
}
