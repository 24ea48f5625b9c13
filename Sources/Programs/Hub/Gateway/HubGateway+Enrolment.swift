// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthRecords
import SantorioBluetooth
import SantorioConcurrency
import SantorioCore

extension HubGateway {
  /// Pairs a device, and reads it for a patient from then on.
  func enroll(
    _ request: HubRequest.Enrolment, _ progress: @escaping @Sendable (HubProgress) -> Void
  ) async throws(HubFault) -> HubAnswer.EnrolledDevice {
    guard configuration.allow.enrolment else {
      throw HubFault(
        .refused, "the hub's configuration does not allow it: \"allow\": {\"enrolment\": false}")
    }
    guard !isEnrolling else {
      throw HubFault(.busy, "another device is being enrolled; try again after that")
    }
    isEnrolling = true
    defer { isEnrolling = false }
    let patient = try alias(of: request.patient)
    _ = try await session(of: patient)
    let id = try ownerID(of: patient)
    let owner = HubAssignments.Owner(patient: patient, label: request.slot)
    let models = try models(request)
    try check(request, models, owner)
    noteClock()
    let machine = memory.current.machine
    var handOver = HandOver(
      at: radio.now(), takesMemory: request.takesMemory,
      waitsForConfirmation: request.isToBeConfirmed)
    var enrolled = await pairedBefore(request)
    var sent: [HealthRecord] = []
    do throws(HubFault) {
      if enrolled == nil {
        let (paired, records) = try await pair(models, request, owner, id, handOver, progress)
        enrolled = (paired.peripheralUUID, paired.peripheral)
        sent = records
      }
      guard let (device, model) = enrolled else { throw HubFault(.failed, "nothing was paired") }
      noteClock()
      if let machine, let now = memory.current.machine {
        handOver.date += machine.step(to: now) ?? 0
      }
      try await keep(device, model, owner, id, handOver)
    } catch {
      // It may have been paired all the same, and must not be read for a patient who does not have it.
      for session in sessions.values { await session.readAgain() }
      throw error
    }
    guard let (device, model) = enrolled else { throw HubFault(.failed, "nothing was paired") }
    if request.takesMemory { await takeOlder(of: device, for: owner) }
    // Nothing is shown of a device before it is the patient's.
    publish(sent, of: owner.patient, from: device)
    HubLog.note("device enrolled", .patient(owner.patient), .device(device), .model(model.id))
    var answer = HubAnswer.EnrolledDevice(
      identifier: device, model: model.id, name: model.name, patient: patient)
    answer.waitsForConfirmation =
      memory.current[device]?.owners.owner(ofSlot: owner.label)?.since?.waitsForConfirmation
      ?? false
    return answer
  }

  /// The device, where this machine has a bond with it that works: it need not be paired once more to
  /// be another patient's, too.
  private func pairedBefore(
    _ request: HubRequest.Enrolment
  ) async -> (UUID, DeviceModel)? {
    guard let device = request.device, let model = assignments.device(device)?.entry else {
      return nil
    }
    // The session that reads it knows best whether the bond still works.
    guard let device = assignments.device(device), let reader = reader(of: device),
      await reader.bond(with: device.identifier)?.isUsable == true
    else { return nil }
    return (device.identifier, model)
  }

  // MARK: - What may be enrolled

  private func models(_ request: HubRequest.Enrolment) throws(HubFault) -> [DeviceModel] {
    guard let id = request.model else {
      guard request.device != nil else {
        throw HubFault(
          .refused, "name a model or a device: whatever else answers may be a stranger's")
      }
      // A device that is named is what it advertises to be.
      return DeviceModel.supported
    }
    guard let model = DeviceModel(id: id) else {
      throw HubFault(.refused, "the catalogue has no number \(id); see \"santorio devices\"")
    }
    if let slot = request.slot, model.slot(labeled: slot) == nil {
      throw HubFault(.refused, "\(model.name) has no user \(slot): it labels them from 1")
    }
    return [model]
  }

  private func check(
    _ request: HubRequest.Enrolment, _ models: [DeviceModel], _ owner: HubAssignments.Owner
  ) throws(HubFault) {
    guard let device = request.device, let known = assignments.device(device),
      let model = known.entry ?? models.first
    else { return }
    if let slot = request.slot, model.slot(labeled: slot) == nil {
      throw HubFault(.refused, "\(model.name) has no user \(slot): it labels them from 1")
    }
    if let said = configuration.owners(of: device).first(where: {
      $0.patient.alias == owner.patient
    }), said.device.slot != owner.label {
      throw HubFault(
        .refused,
        "the file says of this device that \(owner.patient)'s slot is "
          + "\(said.device.slot.map(String.init) ?? "not said"); change it there, then reload")
    }
    let isToBeConfirmed = request.isToBeConfirmed
    if let obstacle = obstacle(to: device, model, for: owner, isToBeConfirmed: isToBeConfirmed) {
      throw HubFault(.refused, obstacle)
    }
  }

  /// Returns true where a device leaves the patients who have it: the whole of it is to be another's, which
  /// is confirmed by a reading.
  private func moves(
    _ device: UUID, to owner: HubAssignments.Owner, isToBeConfirmed: Bool
  ) -> Bool {
    let owners = assignments.device(device)?.owners ?? []
    return isToBeConfirmed && ([owner] + owners).allSatisfy { $0.label == nil }
  }

  /// The reason why a device cannot be enrolled for a patient; nil when it can.
  private func obstacle(
    to device: UUID, _ model: DeviceModel, for owner: HubAssignments.Owner, isToBeConfirmed: Bool
  ) -> String? {
    let moves = moves(device, to: owner, isToBeConfirmed: isToBeConfirmed)
    let named = configuration.owners(of: device).map(\.patient.alias)
    let isNamed = named.contains(owner.patient)
    if let other = named.first(where: { $0 != owner.patient }), moves || !isNamed {
      return "the file says that the device is \(other)'s; change it there, then reload"
    }
    return moves ? nil : assignments.obstacle(to: device, model, for: owner)
  }

  // MARK: - Pairing

  /// - Returns: What was paired, and what it has sent meanwhile of which it is certain whose it is.
  private func pair(
    _ models: [DeviceModel], _ request: HubRequest.Enrolment, _ owner: HubAssignments.Owner,
    _ id: String, _ handOver: HandOver, _ progress: @escaping @Sendable (HubProgress) -> Void
  ) async throws(HubFault) -> (PairingMetadata, [HealthRecord]) {
    let others = others(than: owner, models, handOver)
    // What it sends while it is paired may be either's.
    let isShared =
      request.device.map { device in
        others.contains(device)
          && !moves(device, to: owner, isToBeConfirmed: handOver.waitsForConfirmation)
      } ?? false
    guard let receiver = await receiver(of: isShared ? nil : owner.patient) else {
      throw HubFault(.failed, "the session of \(owner.patient) is not open")
    }
    let instructions = models.count == 1 ? models[0].pairingInstructions : nil
    progress(
      HubProgress(
        .searching,
        instructions ?? "Put the device into its pairing mode, as its manual describes."))
    radio.prepare(
      HubPairing(
        passkey: request.passkey, acceptsAll: request.acceptsAll, device: request.device,
        others: others
      ) { line in
        progress(HubProgress(.pairing, line))
      })
    defer { radio.prepare(nil) }
    let alias = isShared ? HubSessionSetup.sharedAlias : owner.patient
    let operation = radio.central.pair(
      models, only: request.device.map { [$0] }, except: request.device == nil ? others : [],
      within: .seconds(request.seconds),
      user: isShared ? nil : request.slot.map { .label($0) }, takingMemory: request.takesMemory,
      beginning: beginnings(givenTo: owner, id, handOver),
      for: receiver)
    let (paired, records) = try await outcome(of: operation, progress)
    // Many a device sends what it has as soon as it is paired.
    if !records.isEmpty, isShared || configuration.owners[alias] == id {
      await handle(
        .passive(.read(records, paired.peripheral, identifier: paired.peripheralUUID)), of: alias)
    }
    return (paired, isShared ? [] : records)
  }

  /// The devices of other patients, without those that may be taken off them.
  private func others(
    than owner: HubAssignments.Owner, _ models: [DeviceModel], _ handOver: HandOver
  ) -> Set<UUID> {
    let others = assignments.devices.filter { device in
      guard device.owners.contains(where: { $0.patient != owner.patient }) else { return false }
      guard handOver.waitsForConfirmation, let model = device.entry ?? models.first else {
        return true
      }
      return obstacle(to: device.identifier, model, for: owner, isToBeConfirmed: true) != nil
    }
    return Set(others.map(\.identifier))
  }

  /// Who a patient is, who may be another one when the device is paired.
  private func ownerID(of alias: String) throws(HubFault) -> String {
    guard let id = configuration.owners[alias] else {
      throw HubFault(.failed, "\(alias) is not read for any more")
    }
    return id
  }

  /// The beginning of the ownership of each device for a patient who is given it now.
  private func beginnings(
    givenTo owner: HubAssignments.Owner, _ id: String, _ handOver: HandOver
  ) -> @Sendable (UUID) -> OwnershipStart? {
    let facts = memory.current
    return { device in
      (facts[device]?.owners ?? DeviceOwners()).since(givenTo: id, slot: owner.label, handOver)
    }
  }

  /// Takes what was set aside of a device as older than its enrolment, now that its memory is asked for.
  func takeOlder(
    of device: UUID, for owner: HubAssignments.Owner
  ) async {
    guard let known = assignments.device(device), let reader = reader(of: known),
      let receiver = await reader.receiver
    else { return }
    do throws(BluetoothError) {
      publish(try await receiver.takeOlder(of: device), of: owner.patient, from: device)
      changed.formUnion([owner.patient, HubSessionSetup.sharedAlias])
      askForHandOut()
    } catch {
      HubLog.failed("older readings not taken", owner.patient, error.code.name)
    }
  }

  private func receiver(of patient: String?) async -> BluetoothReceiver? {
    if patient == nil { await changes.add { await self.openShared() }.value }
    return await sessions[patient ?? HubSessionSetup.sharedAlias]?.receiver
  }

  private func outcome(
    of operation: DeviceOperation, _ progress: @escaping @Sendable (HubProgress) -> Void
  ) async throws(HubFault) -> (PairingMetadata, [HealthRecord]) {
    let result = await withTaskCancellationHandler {
      await Self.follow(operation, progress)
    } onCancel: {
      operation.cancel()
    }
    return try result.value()
  }

  private static func follow(
    _ operation: DeviceOperation, _ progress: @Sendable (HubProgress) -> Void
  ) async -> Result<(PairingMetadata, [HealthRecord]), HubFault> {
    var paired: PairingMetadata?
    var result: Result<(PairingMetadata, [HealthRecord]), HubFault>?
    for await event in operation.events {
      switch event {
      case .found(let model, _): progress(HubProgress(.found, "Found \(model.name)."))
      case .paired(let metadata): paired = metadata
      case .ended(.finished(let records)): paired.map { result = .success(($0, records)) }
      case .ended(.failed(let error, _)):
        return .failure(HubFault(.failed, "the device was not enrolled: \(error.message)"))
      default: break
      }
    }
    return result ?? paired.map { .success(($0, [])) }
      ?? .failure(HubFault(.failed, "the device was not enrolled: the search was ended"))
  }

  // MARK: - Forgetting

  /// Reads an enrolled device no more for a patient, or for anybody.
  ///
  /// - Returns: The aliases of those for whom it was read.
  func forget(_ device: UUID, of alias: String?) async throws(HubFault) -> [String] {
    let owners = assignments.device(device)?.owners.map(\.patient) ?? []
    let named = Set(configuration.owners(of: device).map(\.patient.alias))
    let leaving = owners.filter { alias == nil || $0 == alias }
    guard !leaving.isEmpty else {
      throw HubFault(
        .refused,
        owners.isEmpty
          ? "the device is nobody's; \"santorio hub status\" lists those that are read"
          : "the device is not \(alias?.shown ?? "")'s, but \(owners.joined(separator: ", "))'s")
    }
    guard named.isDisjoint(with: leaving) else {
      throw HubFault(
        .refused,
        "the file says that the device is \(named.intersection(leaving).sorted()[0])'s; take it out "
          + "of there, then reload")
    }
    do throws(SessionError) {
      try memory.change { $0.forget(device, of: alias) }
    } catch {
      throw HubFault(.failed, "that cannot be kept, so the device is still read: \(error)")
    }
    await changes.add { await self.apply(self.configuration) }.value
    for patient in leaving {
      HubLog.note("device forgotten", .patient(patient), .device(device))
    }
    return leaving
  }

  private func keep(
    _ device: UUID, _ model: DeviceModel, _ owner: HubAssignments.Owner, _ id: String,
    _ handOver: HandOver
  ) async throws(HubFault) {
    // It may have become somebody's meanwhile, and the patient may have gone.
    guard try ownerID(of: owner.patient) == id else {
      throw HubFault(
        .refused,
        "\(owner.patient) is another patient since the device was looked for; enrol it once more if "
          + "it is this one's")
    }
    let isToBeConfirmed = handOver.waitsForConfirmation
    if let obstacle = obstacle(to: device, model, for: owner, isToBeConfirmed: isToBeConfirmed) {
      throw HubFault(.refused, obstacle)
    }
    let moves = moves(device, to: owner, isToBeConfirmed: isToBeConfirmed)
    do throws(SessionError) {
      let owners = configuration.owners
      try memory.change { facts in
        if moves { facts.forget(device, of: nil) }
        facts.enroll(
          HubEnrolment(
            device: device, model: model.id, patient: owner.patient, owner: id, slot: owner.label),
          among: owners)
        var known = facts[device] ?? DeviceFacts(since: handOver.date)
        known.settle(id, slot: owner.label, handOver)
        facts[device] = known
      }
    } catch {
      throw HubFault(.failed, "the device is paired, and that cannot be kept: \(error)")
    }
    await changes.add { await self.apply(self.configuration) }.value
  }
}
