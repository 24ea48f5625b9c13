// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthRecords
import SantorioBluetooth
import ValidicCore

/// Passes what a controller of Santorio's says on to a delegate of the app's.
///
/// The operation keeps it alive, and so the controller that the app may have released.
@MainActor
final class DelegateBridge: BluetoothPeripheralControllerDelegate {
  private let owner: VLDBluetoothPeripheralController
  private let peripheral: VLDBluetoothPeripheral
  private let isPairing: Bool
  private let hadDelegate: Bool

  init(
    _ owner: VLDBluetoothPeripheralController, _ peripheral: VLDBluetoothPeripheral,
    isPairing: Bool
  ) {
    self.owner = owner
    self.peripheral = peripheral
    self.isPairing = isPairing
    hadDelegate = owner.delegate != nil
  }

  private var delegate: (any VLDBluetoothPeripheralControllerDelegate)? { owner.delegate }

  func controller(
    _ controller: BluetoothPeripheralController, didPair _: DeviceModel, metadata: PairingMetadata
  ) {
    let metadata = VLDBluetoothOperationMetadata(peripheralUUID: metadata.peripheralUUID)
    #if canImport(ObjectiveC)
      delegate?.bluetoothPeripheralController?(owner, didPairPeripheral: peripheral)
      delegate?.bluetoothPeripheralController?(
        owner, didPairPeripheral: peripheral, metadata: metadata)
    #else
      delegate?.bluetoothPeripheralController(owner, didPairPeripheral: peripheral)
      delegate?.bluetoothPeripheralController(
        owner, didPairPeripheral: peripheral, metadata: metadata)
    #endif
  }

  func controller(
    _ controller: BluetoothPeripheralController, didNotPair _: DeviceModel, error: BluetoothError
  ) { didNotPair(NSError(error)) }

  private func didNotPair(_ error: NSError) {
    #if canImport(ObjectiveC)
      delegate?.bluetoothPeripheralController?(
        owner, didNotPairPeripheral: peripheral, error: error)
    #else
      delegate?.bluetoothPeripheralController(
        owner, didNotPairPeripheral: peripheral, error: error)
    #endif
  }

  func controller(
    _ controller: BluetoothPeripheralController, isReadyToReadFrom _: DeviceModel
  ) {
    #if canImport(ObjectiveC)
      delegate?.bluetoothPeripheralController?(owner, isReadyToReadFrom: peripheral)
    #else
      delegate?.bluetoothPeripheralController(owner, isReadyToReadFrom: peripheral)
    #endif
  }

  /// Who is asked whether readings are to be submitted.
  var approver: BluetoothPeripheralController.Approver {
    #if canImport(ObjectiveC)
      let question = #selector(
        VLDBluetoothPeripheralControllerDelegate.bluetoothPeripheralController(
          _:shouldSubmitReadings:from:))
      if let delegate, !delegate.responds(to: question) { return .nobody }
    #endif
    return .function { self.decision(on: $0) }
  }

  private func decision(on records: [HealthRecord]) -> DeviceOperation.Decision {
    guard let delegate else { return hadDelegate ? .open : .approved() }
    let shown = records.map(VLDRecord.record)
    #if canImport(ObjectiveC)
      let isApproved =
        delegate.bluetoothPeripheralController?(
          owner, shouldSubmitReadings: shown, from: peripheral) ?? true
    #else
      let isApproved = delegate.bluetoothPeripheralController(
        owner, shouldSubmitReadings: shown, from: peripheral)
    #endif
    guard isApproved else { return .declined }
    // A delegate may have completed what it was asked about, as with the meal of a glucose reading.
    let changed = zip(shown, records).compactMap { shown, record in
      var content = shown.content
      content.logID = record.logID
      return content == record ? nil : content
    }
    return .approved(changed: changed)
  }

  func controller(
    _ controller: BluetoothPeripheralController, foundNothingNewOn _: DeviceModel
  ) {
    readingFailed(
      NSError(.noReading, "The device has no reading that was not read before."))
  }

  func controller(
    _ controller: BluetoothPeripheralController, readingFailedFor _: DeviceModel,
    error: BluetoothError
  ) { readingFailed(NSError(error)) }

  private func readingFailed(_ error: NSError) {
    #if canImport(ObjectiveC)
      delegate?.bluetoothPeripheralController?(owner, readingFailedFor: peripheral, error: error)
    #else
      delegate?.bluetoothPeripheralController(owner, readingFailedFor: peripheral, error: error)
    #endif
  }

  func controller(_ controller: BluetoothPeripheralController, didCancel _: DeviceModel) {
    // The documents have no call for a pairing that was cancelled.
    guard !isPairing else {
      return didNotPair(NSError(.pairingFailure, "The pairing was cancelled."))
    }
    #if canImport(ObjectiveC)
      delegate?.bluetoothPeripheralController?(owner, didCancelReadingFor: peripheral)
    #else
      delegate?.bluetoothPeripheralController(owner, didCancelReadingFor: peripheral)
    #endif
  }
}
