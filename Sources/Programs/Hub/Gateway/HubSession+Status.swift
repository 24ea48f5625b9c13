// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthRecords
import SantorioBluetooth
import SantorioCore

extension HubSession {
  /// How many records wait, are held and were refused; without the devices.
  func counts() async -> HubStatus.Patient {
    var patient = HubStatus.Patient(alias: setup.alias, upload: uploadPart())
    guard let session else { return patient }
    patient.queued = setup.isShared ? 0 : (try? await session.pendingCount()) ?? 0
    patient.oldest = patient.queued > 0 ? try? await session.oldestPending() : nil
    patient.rejected = (try? await session.quarantinedCount()) ?? 0
    patient.held = (try? await session.heldCount()) ?? 0
    if patient.held > 0 { patient.decisions = await decisions(session) }
    return patient
  }

  /// The readings for which somebody has to decide whose they are.
  private func decisions(_ session: SantorioSession) async -> [HubStatus.Decision] {
    let records = (try? await session.undecidedRecords()) ?? []
    return records.prefix(HubStatus.mostDecisions).map { record in
      HubStatus.Decision(
        record: record.logID, device: record.source.device?.model ?? "a device",
        slot: record.source.device?.userSlot, time: record.time.start)
    }
  }

  /// What the upload is doing.
  func uploadPart() -> HubStatus.Part {
    if let problem { return HubStatus.Part(works: false, problem) }
    guard let session else { return HubStatus.Part(works: false, "The session is not open yet.") }
    if setup.isShared { return HubStatus.Part(works: true, "readings go to the patients' queues") }
    guard setup.sends else {
      return HubStatus.Part(works: true, "readings are kept, without a server")
    }
    return switch session.uploadState {
    case .stopped:
      HubStatus.Part(works: uploadProblem == nil, uploadProblem?.description ?? "starting")
    case .idle: HubStatus.Part(works: true, "idle")
    case .uploading: HubStatus.Part(works: true, "sending")
    case .waiting(let error): HubStatus.Part(works: false, error.description)
    }
  }

  /// What each device is doing.
  func deviceStatus() async -> [HubStatus.Device] {
    let passive = await passiveStatus()
    var all: [HubStatus.Device] = []
    for device in devices {
      let known = passive?.devices.first { $0.identifier == device.identifier }
      var status = status(of: device, known)
      status.clockDrift =
        (try? await receiver?.clock(of: device.identifier))?.driftSeconds ?? nil
      if device.entry?.requiresPairing == true, known?.lastRead == nil,
        await bond(with: device.identifier) == .none, status.state != .reading
      {
        (status.state, status.reason) = (.unpaired, Self.unpaired)
      }
      all.append(status)
    }
    return all
  }

  private static let unpaired =
    "This gateway has not paired it yet. Put it into its pairing mode and run \"santorio hub enroll\"."

  private func status(
    of device: HubAssignments.Device, _ known: PassiveStatus.Device?
  ) -> HubStatus.Device {
    var status = HubStatus.Device(
      identifier: device.identifier, model: device.model,
      name: device.entry?.name ?? device.identifier.uuidString, state: .waiting)
    if let obstacle = obstacles[device.identifier] {
      (status.state, status.reason) = (.failing, obstacle)
    }
    guard device.model != nil else {
      status.reason =
        "Its model is not known yet: it is read once it was heard, or add \"model\" to the file."
      return status
    }
    guard let known else { return status }
    (status.lastSeen, status.lastRead) = (known.lastSeen, known.lastRead)
    (status.state, status.nextTry) = (known.state.onHub, known.nextTry)
    status.reason = reason(known)
    return status
  }

  private func reason(_ known: PassiveStatus.Device) -> String? {
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
