// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCore

/// Follows one operation: makes records of its frames, stores them, and tells events, in order.
final class OperationRun: @unchecked Sendable {
  // Only the one task that runs `follow` touches the state.
  private let controller: BluetoothPeripheralController
  private let delegate: (any BluetoothPeripheralControllerDelegate)?
  private let purpose: PeripheralOperation.Purpose
  private var peripheral: BluetoothPeripheral
  private var facts: DeviceFacts?
  private var records: [HealthRecord] = []
  private var isNoted = false
  private var storageError: BluetoothError?

  init(
    _ controller: BluetoothPeripheralController, purpose: PeripheralOperation.Purpose,
    peripheral: BluetoothPeripheral
  ) {
    self.controller = controller
    self.purpose = purpose
    self.peripheral = peripheral
    delegate = controller.delegate
  }

  func follow(_ notices: AsyncStream<OperationEngine.Dated>) async {
    for await dated in notices { await handle(dated.notice, at: dated.date) }
  }

  private func handle(_ notice: PeripheralOperation.Notice, at date: Date) async {
    switch notice {
    case .found(let peripheral, let identifier):
      self.peripheral = peripheral
      facts = DeviceFacts(identifier: identifier)
      controller.send(.found(peripheral, identifier: identifier), toDelegate: nil)
    case .fact(let attribute, let octets):
      facts?.read(attribute, octets, at: date, zone: controller.settings.timeZone())
    case .readyToRead:
      send(.readyToRead(peripheral)) { $0.controller($1, isReadyToReadFrom: $2) }
    case .measurement(let frame): await measurementReceived(frame, at: date)
    case .paired: paired()
    case .ended(let outcome): await ended(outcome)
    }
  }

  private func paired() {
    guard let facts else { return }
    noteDevice()
    let metadata = PairingMetadata(peripheral: peripheral, peripheralUUID: facts.identifier)
    send(.paired(metadata)) { $0.controller($1, didPair: $2, metadata: metadata) }
  }

  private func measurementReceived(_ frame: [UInt8], at date: Date) async {
    guard let facts else { return }
    let reading = BloodPressureReading(
      peripheral: peripheral, facts: facts, zone: controller.settings.timeZone())
    switch reading.result(of: frame, at: date) {
    case .interim: break
    case .refused(let refused):
      send(.refused(refused)) { $0.controller($1, didRefuse: refused, from: $2) }
    case .record(let record):
      await store(record)
      records.append(record)
      controller.send(.reading(record), toDelegate: nil)
    }
    noteDevice()
  }

  /// Keeps in mind that the device is what it was taken for.
  private func noteDevice() {
    guard let facts, !isNoted else { return }
    isNoted = true
    controller.known.note(.init(identifier: facts.identifier, peripheral: peripheral.id))
  }

  /// A device that has forgotten the bond may come back under another identifier.
  private func forgetDevice(after outcome: PeripheralOperation.Outcome) {
    guard case .failed(let error) = outcome, error.code == .bondLost, let facts else { return }
    controller.known.forget(facts.identifier)
  }

  /// Puts a reading on disk: into the queue, or held back until the delegate has been asked.
  private func store(_ record: HealthRecord) async {
    guard let session = controller.session else { return }
    do throws(SessionError) {
      if delegate == nil {
        try await session.submit([record])
      } else {
        try await session.hold([record])
      }
    } catch {
      storageError = BluetoothError(storing: error)
    }
  }

  /// Submits what the delegate agrees to; without one, tries once more what could not be stored.
  private func submitAtEnd() async {
    guard let session = controller.session, !records.isEmpty, await isToSubmit() else { return }
    do throws(SessionError) {
      try await session.submit(records)
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
    forgetDevice(after: outcome)
    await submitAtEnd()
    let records = records
    switch (outcome, storageError) {
    case (.failed(let error), _), (.finished, .some(let error)), (.cancelled, .some(let error)):
      send(.ended(.failed(error, records))) { [purpose] in
        switch purpose {
        case .pair: $0.controller($1, didNotPair: $2, error: error)
        case .read: $0.controller($1, readingFailedFor: $2, error: error)
        }
      }
    case (.cancelled, nil):
      send(.ended(.cancelled(records))) { $0.controller($1, didCancel: $2) }
    case (.finished, nil):
      send(.ended(.finished(records))) { [purpose] in
        if purpose == .read || !records.isEmpty { $0.controller($1, didRead: records, from: $2) }
      }
    }
  }

  private func send(
    _ event: BluetoothEvent,
    _ call:
      @escaping @Sendable (
        any BluetoothPeripheralControllerDelegate, BluetoothPeripheralController,
        BluetoothPeripheral
      ) -> Void
  ) {
    let (controller, peripheral) = (controller, peripheral)
    controller.send(event) { call($0, controller, peripheral) }
  }
}

extension BluetoothError {
  /// An error of the store, told as one of Bluetooth's.
  init(storing error: SessionError) {
    self.init(error.code == .noSession ? .noUser : .submissionFailure, error.description)
  }
}
