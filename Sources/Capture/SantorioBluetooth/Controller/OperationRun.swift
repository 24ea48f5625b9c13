// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthGATT
import HealthRecords
import SantorioCore

/// Follows one operation: makes records of its frames, stores them, and sends events, in order.
final class OperationRun: @unchecked Sendable {
  // Only the one task that runs `follow` touches the state.
  private let controller: BluetoothPeripheralController
  private let delegate: (any BluetoothPeripheralControllerDelegate)?
  private let purpose: DriverContext.Purpose
  private let userSlot: Int?
  private var peripheral: DeviceModel
  private var facts: DeviceProperties?
  private var identity: DeviceIdentity?
  private var records: [HealthRecord] = []
  private var isNoted = false
  private var storageError: BluetoothError?
  private var identityError: BluetoothError?
  private var secretError: BluetoothError?
  /// Why nothing of the device is taken.
  private var ownerError: BluetoothError?
  /// Whether the device has sent readings of users that are not wanted now.
  private var hasOthersReadings = false
  /// The session that was current when the operation began: what is read is its user's.
  private var sessionNumber: Int64?
  private var user = KnownPeripheral.Enrolment.unclaimed
  /// The number of no session.
  private static let noNumber: Int64 = -1

  init(
    _ controller: BluetoothPeripheralController, purpose: DriverContext.Purpose,
    peripheral: DeviceModel, userSlot: Int?
  ) {
    self.controller = controller
    self.userSlot = userSlot
    self.purpose = purpose
    self.peripheral = peripheral
    delegate = controller.delegate
  }

  func follow(_ reports: AsyncStream<OperationEngine.Dated>) async {
    do throws(SessionError) {
      sessionNumber = try await controller.session?.currentNumber()
    } catch {
      // Its user is not known: it must not go to the session that is current later.
      sessionNumber = Self.noNumber
    }
    user = await controller.user()
    for await dated in reports { await handle(dated.report, at: dated.date) }
  }

  private func handle(_ report: PeripheralOperation.Report, at date: Date) async {
    switch report {
    case .found(let peripheral, let identifier):
      self.peripheral = peripheral
      facts = DeviceProperties(identifier: identifier)
      identity = nil
      checkOwner(of: identifier)
      controller.send(.found(peripheral, identifier: identifier), toDelegate: nil)
    case .fact(let fact): facts?.note(fact)
    case .readyToRead:
      send(.readyToRead(peripheral)) { $0.controller($1, isReadyToReadFrom: $2) }
    case .reading(let reading): await received(reading, at: date)
    case .confirmStorage: confirmStorage()
    case .advance(let checkpoint): advance(checkpoint)
    case .keep(let secret, let bytes): keep(bytes, as: secret)
    case .paired: paired()
    case .ended(let outcome): await ended(outcome)
    }
  }

  /// Pairs no device by chance that is another user's: its memory would become this user's.
  private func checkOwner(of identifier: UUID) {
    let others = controller.known.enrolledForOthers(than: user)
    guard purpose == .pair, !controller.settings.takesDevicesOver,
      others.contains(where: { $0.identifier == identifier })
    else { return }
    ownerError = BluetoothError(.enrolledForAnother)
    controller.engine.cancel()
  }

  private func paired() {
    guard let facts, ownerError == nil else { return }
    isNoted = true  // Measurements of the same connection prove no more than it does.
    enroll(facts.identifier)
    let metadata = PairingMetadata(
      peripheral: peripheral, peripheralUUID: facts.identifier,
      bond: controller.known.bond(with: facts.identifier))
    send(.paired(metadata)) { $0.controller($1, didPair: $2, metadata: metadata) }
  }

  /// Makes a device one of the user's, which must outlive the process.
  private func enroll(_ identifier: UUID) {
    do {
      try controller.known.note(identifier, as: peripheral.id, .paired, by: user)
    } catch {
      secretError = BluetoothError(
        .submissionFailure,
        "The device is paired, and that cannot be kept: \(error). Pair it again when it can.")
    }
  }

  private func received(_ reading: DeviceReading, at date: Date) async {
    guard let facts, ownerError == nil else { return }
    let manufacturer = ReadingRecord(
      peripheral: peripheral, facts: facts, identity: keptIdentity(of: facts),
      zone: controller.settings.timeZone(), userSlot: userSlot)
    do throws(RejectedReading) {
      let record = try manufacturer.record(of: reading, at: date)
      try await store(record, madeOf: reading)
      records.append(record)
      controller.send(.reading(record), toDelegate: nil)
    } catch {
      if error.reason == .otherUser { hasOthersReadings = true }
      send(.rejected(error)) { $0.controller($1, didReject: error, from: $2) }
    }
    noteDevice()
  }

  /// By what the device is recognised, which is on disk before the first record is made of it.
  ///
  /// When it cannot be kept the reading is not lost for it, and the device does not hear that it is
  /// safe.
  private func keptIdentity(of facts: DeviceProperties) -> DeviceIdentity {
    if let identity { return identity }
    do throws(BluetoothError) {
      identity = try controller.deviceStates.identity(
        of: facts.identifier, proposing: facts.identity)
      identityError = nil
    } catch {
      identityError = error
    }
    return identity ?? facts.identity
  }

  /// Tells the driver that the device may forget what it sent, if that is so.
  private func confirmStorage() {
    guard storageError == nil, identityError == nil, ownerError == nil else {
      return controller.engine.confirmStorage(.notStored)
    }
    controller.engine.confirmStorage(hasOthersReadings ? .keptForOthers : .stored)
  }

  /// Remembers how far the transfer came, if all of it is on disk.
  private func advance(_ checkpoint: SyncCheckpoint) {
    guard storageError == nil, identityError == nil, ownerError == nil, let facts else { return }
    // What was sent of other users is still to be read for them.
    guard !hasOthersReadings else { return }
    controller.deviceStates.advance(checkpoint, of: facts.identifier, by: user)
  }

  private func keep(_ bytes: [UInt8], as secret: DeviceSecret) {
    guard let facts else { return }
    do throws(SessionError) {
      try controller.deviceStates.keep(bytes, as: secret, of: facts.identifier)
    } catch {
      secretError = BluetoothError(storing: error)
    }
  }

  /// Keeps in mind that the device is what it was taken for, and that it has accepted us.
  private func noteDevice() {
    guard let facts, !isNoted else { return }
    isNoted = true
    try? controller.known.note(
      facts.identifier, as: peripheral.id, .read(needsBond: peripheral.requiresPairing), by: user)
  }

  /// Keeps in mind that a bond is lost, so that the device is not connected by itself again and
  /// again.
  private func noteLostBond(after outcome: PeripheralOperation.Outcome) {
    guard case .failed(let error) = outcome, error.code == .bondLost, let facts else { return }
    try? controller.known.note(facts.identifier, as: peripheral.id, .lost, by: user)
  }

  /// Puts a reading on disk: into the queue, or held back until the delegate has been asked.
  ///
  /// One that no record can hold does not keep the others from being stored.
  private func store(
    _ record: HealthRecord, madeOf reading: DeviceReading
  ) async throws(RejectedReading) {
    guard let session = controller.session else { return }
    do throws(SessionError) {
      if delegate == nil {
        try await session.submit([record], inSession: sessionNumber, leavingHeld: true)
      } else {
        try await session.hold([record], inSession: sessionNumber)
      }
    } catch {
      guard error.code != .invalidRecord else {
        throw RejectedReading(
          reason: .malformed, message: error.description, frame: reading.payload)
      }
      storageError = BluetoothError(storing: error)
    }
  }

  /// Submits what the delegate agrees to; without one, tries once more what could not be stored.
  private func submitAtEnd() async {
    guard let session = controller.session, !records.isEmpty, await isToSubmit() else { return }
    do throws(SessionError) {
      try await session.submit(
        records, inSession: sessionNumber, leavingHeld: delegate == nil)
      storageError = nil
    } catch {
      storageError = BluetoothError(storing: error)
    }
  }

  private func isToSubmit() async -> Bool {
    guard let delegate else { return storageError != nil }
    let (records, peripheral, controller) = (records, peripheral, controller)
    return await controller.ask(delegate) {
      $0.controller(controller, shouldSubmit: records, from: peripheral)
    }
  }

  private func ended(_ outcome: PeripheralOperation.Outcome) async {
    noteLostBond(after: outcome)
    await submitAtEnd()
    let records = records
    switch (error(of: outcome), outcome) {
    case (let error?, _):
      send(.ended(.failed(error, records))) { [purpose] in
        switch purpose {
        case .pair: $0.controller($1, didNotPair: $2, error: error)
        case .read: $0.controller($1, readingFailedFor: $2, error: error)
        }
      }
    case (nil, .cancelled):
      send(.ended(.cancelled(records))) { $0.controller($1, didCancel: $2) }
    case (nil, _):
      send(.ended(.finished(records))) { [purpose] in
        if purpose == .read || !records.isEmpty { $0.controller($1, didRead: records, from: $2) }
      }
    }
  }

  /// What went wrong; the store's own error says more than that the transfer was stopped for it.
  private func error(of outcome: PeripheralOperation.Outcome) -> BluetoothError? {
    if let ownerError { return ownerError }
    let stored = storageError ?? identityError ?? secretError
    guard case .failed(let error) = outcome else { return stored }
    return error.code == .submissionFailure ? stored ?? error : error
  }

  private func send(
    _ event: BluetoothEvent,
    _ call:
      @escaping @Sendable (
        any BluetoothPeripheralControllerDelegate, BluetoothPeripheralController,
        DeviceModel
      ) -> Void
  ) {
    let (controller, peripheral) = (controller, peripheral)
    controller.send(event) { call($0, controller, peripheral) }
  }
}

extension BluetoothError {
  /// An error of the store as one of Bluetooth's.
  init(storing error: SessionError) {
    self.init(error.code == .noSession ? .noUser : .submissionFailure, error.description)
  }
}
