// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthRecords
import SantorioBluetooth
import SantorioConcurrency
import SantorioCore

extension HubGateway {
  /// Does what follows from an event of a session.
  func handle(_ event: HubSession.Event, of alias: String) async {
    changed.insert(alias)
    switch event {
    case .passive(let event): await handle(event, of: alias)
    case .stored(let record):
      counts.uploads[alias, default: 0] += 1
      stored?(alias, record)
      await sendAgain(after: alias)
    case .uploadFailed(let code):
      outage.uploadFailed(of: alias, code)
      counts.uploadFailures[.init(patient: alias, reason: code.name), default: 0] += 1
    case .changed, .closed: break
    }
  }

  /// Lets the other queues send that wait for a server that has just stored a record.
  private func sendAgain(after alias: String) async {
    for other in outage.stored(of: alias, at: monotonicClock.now()) {
      if await sessions[other]?.sendAgain() != true { outage.end(of: other) }
    }
  }

  private func handle(_ event: PassiveEvent, of alias: String) async {
    switch event {
    case .read(let records, let model, let device):
      HubLog.note(
        "readings taken", .patient(alias), .device(device), .model(model.id),
        .count("readings", records.count))
      note(records, of: device)
      counts.deviceNames[device] = model.name
      if alias == HubSessionSetup.sharedAlias {
        askForHandOut()
      } else {
        counts.readings[.init(patient: alias, device: device), default: 0] += records.count
        publish(records, of: alias, from: device)
      }
    case .failed(let error, let model, let device):
      HubLog.warn(
        "device not read", .patient(alias), .device(device), .model(model.id),
        .error(named: error.code.name))
      counts.readFailures[.init(patient: alias, reason: error.code.name), default: 0] += 1
    case .undecided(let record, let model, let device):
      HubLog.warn(
        "a reading waits for a decision", .patient(alias), .device(device), .model(model.id))
      if memory.current[device]?.identity == nil {
        note(device) { $0.identity = record.source.device?.id }
      }
      noteUndecided(of: device)
    case .rejected(let rejected, let model, let device):
      HubLog.note(
        "not a reading", .patient(alias), .device(device), .model(model.id),
        .error(named: rejected.reason.rawValue))
    case .readyToRead, .stateChanged: break
    }
  }

  // MARK: - Shared devices

  /// Hands the readings of shared devices out when no change is under way.
  func askForHandOut() {
    guard !isHandOutAsked else { return }
    isHandOutAsked = true
    changes.add { await self.handOut() }
  }

  /// Hands each reading of a shared device to the session of its patient.
  ///
  /// It is on the disk of that session before it is noted in the other that it was handed over: a
  /// process that is killed in between hands it over once more, and a server stores it once.
  private func handOut() async {
    isHandOutAsked = false
    guard let shared = sessions[HubSessionSetup.sharedAlias], let session = await shared.session,
      let receiver = await shared.receiver, ((try? await session.heldCount()) ?? 0) > 0
    else { return }
    for device in assignments.shared
    where await !receiver.sharesIdentity(device.identifier) {
      let held: [HealthRecord]
      let device = device.reading(as: await receiver.ownership(of: device.identifier))
      do throws(BluetoothError) {
        held = try await receiver.undecidedRecords(of: device.identifier)
      } catch {
        HubLog.failed("shared readings not looked up", HubSessionSetup.sharedAlias, error.code.name)
        continue
      }
      await setOlderAside(held, of: device, in: session)
      for (alias, records) in Dictionary(grouping: held, by: { device.owner(of: $0)?.patient }) {
        guard let alias, let target = await sessions[alias]?.session else { continue }
        await move(records, from: session, to: target, of: alias, readBy: device.identifier)
      }
      noteUndecided(of: device.identifier)
    }
  }

  /// Sets readings aside that were measured before their slot was its patient's.
  private func setOlderAside(
    _ held: [HealthRecord], of device: HubAssignments.Device, in session: SantorioSession
  ) async {
    let older = held.filter {
      device.owner(ofSlot: $0.source.device?.userSlot)?.claim(on: $0) == .older
    }
    guard !older.isEmpty else { return }
    do throws(SessionError) {
      try await session.setOlderAside(older)
      changed.insert(HubSessionSetup.sharedAlias)
    } catch {
      HubLog.failed("older readings not set aside", HubSessionSetup.sharedAlias, error.code.name)
    }
  }

  private func move(
    _ records: [HealthRecord], from source: SantorioSession, to target: SantorioSession,
    of alias: String, readBy device: UUID
  ) async {
    do throws(SessionError) {
      try await target.submit(records)
      // A device that sends them again does not bring them back.
      try await source.declineHeld(records)
    } catch {
      return HubLog.failed("shared readings not handed over", alias, error.code.name)
    }
    changed.formUnion([alias, HubSessionSetup.sharedAlias])
    if let receiver = await sessions[alias]?.receiver {
      await noteTaken(records, of: device, for: alias, receiver)
    }
    publish(records, of: alias, from: device)
    let readings = records.count(where: \.kind.isReading)
    counts.readings[.init(patient: alias, device: device), default: 0] += readings
    HubLog.note(
      "shared readings handed over", .patient(alias), .device(device), .count("readings", readings))
  }

  /// Shows readings of which it is certain whose they are.
  ///
  /// - Parameters:
  ///   - records: The readings; others are left out.
  ///   - alias: Whose they are.
  ///   - device: The device; nil where that has to be found out by what they say.
  func publish(_ records: [HealthRecord], of alias: String, from device: UUID? = nil) {
    for record in records where record.kind.isReading {
      guard let name = shownName(of: record, from: device, patient: alias) else { continue }
      publisher?.publish(record, patient: alias, device: name)
    }
  }

  // MARK: - What is known of devices

  private func note(_ records: [HealthRecord], of device: UUID) {
    let last = records.last { $0.source.device?.batteryPercent != nil }
    let battery = last?.source.device?.batteryPercent
    let shown = records.last { $0.kind.isReading }
      .map { shownName(of: device, saying: SensorDevice($0.source).name) }
    note(device) { facts in
      facts.lastHeard = radio.now()
      facts.batteryPercent = battery ?? facts.batteryPercent
      facts.identity = records.last?.source.device?.id ?? facts.identity
      facts.shownAs = shown ?? facts.shownAs
    }
    // It may have its name only now.
    if shown != nil { publisher?.setAssignments(shownPatients) }
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

  /// Looks for low batteries, silent devices and lost bonds, and for their ends, and tells of them.
  func look() async {
    guard !isLooking else { return }
    isLooking = true
    defer { isLooking = false }
    listening.note(isListening: isListening, at: monotonicClock.now())
    let watch = DeviceWatch(silence: TimeInterval(configuration.silentAfter) * 3600)
    let statuses = await statuses()
    for device in assignments.devices {
      guard let model = device.entry, let known = memory.current[device.identifier] else {
        continue
      }
      let facts = facts(of: device, known, statuses[device.identifier])
      var told = known.findings
      let found = watch.changes(to: &told, by: facts, since: known.since, at: radio.now())
      if !found.isEmpty { note(found, told, of: device, model) }
      showWhetherThere(
        device, known.shownAs, isSilent: told[DeviceStatusFinding.silent.rawValue] != nil)
      await tellUntold(of: device, model)
    }
    if listening.isDue { noteListening() }
  }

  /// Says it each time: what has not changed is not sent again.
  private func showWhetherThere(
    _ device: HubAssignments.Device, _ name: String?, isSilent: Bool
  ) {
    guard let publisher, let name else { return }
    for owner in device.owners {
      publisher.setAvailability(!isSilent, of: name, patient: owner.patient)
    }
  }

  /// Asks each session once for the devices that are read for it.
  private func statuses() async -> [UUID: PassiveStatus.Device] {
    var statuses: [UUID: PassiveStatus.Device] = [:]
    for (alias, devices) in Dictionary(grouping: assignments.devices, by: readerAlias) {
      guard let alias, let status = await sessions[alias]?.passiveStatus() else { continue }
      let read = Set(devices.map(\.identifier))
      for device in status.devices where read.contains(device.identifier) {
        statuses[device.identifier] = device
      }
    }
    return statuses
  }

  private func facts(
    of device: HubAssignments.Device, _ known: DeviceFacts, _ status: PassiveStatus.Device?
  ) -> DeviceWatch.Facts {
    var facts = DeviceWatch.Facts(batteryPercent: known.batteryPercent)
    facts.lastHeard = [
      known.lastHeard, lastHeard(device.identifier), status?.lastSeen, status?.lastRead,
    ].compactMap(\.self).max()
    facts.silentFor = listening.silence(of: device.identifier, lastHeard: facts.lastHeard)
    facts.isBondLost = status?.state == .bondLost
    return facts
  }

  /// Keeps what was found before it is told, so that it is told once.
  private func note(
    _ changes: [DeviceWatch.Change], _ told: [String: Date], of device: HubAssignments.Device,
    _ model: DeviceModel
  ) {
    for change in changes {
      HubLog.warn(
        "device status", .device(device.identifier), .model(model.id),
        .error(named: change.finding.rawValue))
    }
    // Only the server's own form has room for it.
    let patients = configuration.server?.form == .ingest ? device.owners.map(\.patient) : []
    note(device.identifier) { facts in
      facts.findings = told
      facts.untold += changes.flatMap { change in
        patients.map {
          UntoldStatus(
            patient: $0, finding: change.finding.rawValue, since: change.since,
            message: change.message)
        }
      }
    }
  }

  /// Puts what was found into the queues of the patients.
  private func tellUntold(of device: HubAssignments.Device, _ model: DeviceModel) async {
    let untold = memory.current[device.identifier]?.untold ?? []
    guard !untold.isEmpty else { return }
    let source = await source(of: device, model)
    for status in untold {
      guard let finding = DeviceStatusFinding(rawValue: status.finding),
        device.owners.contains(where: { $0.patient == status.patient })
      else {
        note(device.identifier) { facts in facts.untold.removeAll { $0 == status } }
        continue
      }
      let record = HealthRecord(
        deviceStatus: finding, of: source, since: status.since, at: radio.now(),
        message: status.message)
      guard let session = await sessions[status.patient]?.session,
        (try? await session.submit([record])) != nil
      else { continue }
      changed.insert(status.patient)
      note(device.identifier) { facts in facts.untold.removeAll { $0 == status } }
    }
  }

  /// Keeps for how long devices were listened for.
  func noteListening() {
    let time = listening
    do throws(SessionError) {
      try memory.change { time.write(to: &$0) }
      listening.wasWritten()
    } catch {
      HubLog.warn("time of listening not noted", .error(error.code))
    }
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
  func reader(of device: HubAssignments.Device) -> HubSession? {
    readerAlias(of: device).flatMap { sessions[$0] }
  }

  private func readerAlias(of device: HubAssignments.Device) -> String? {
    device.isShared ? HubSessionSetup.sharedAlias : device.owners.first?.patient
  }
}
