// SPDX-License-Identifier: Apache-2.0

import Foundation
import ValidicBluetooth
import ValidicCore

// The code of Validic's pages "Bluetooth" and of the same section of the guide "iOS Native SDK", which
// repeat each other.

/// "Peripherals", "Pairing" and "Reading".
@MainActor
final class BluetoothScreen: NSObject, VLDBluetoothPeripheralControllerDelegate {
  /// "Supported Peripherals".
  func printSupportedPeripherals() {
    guard
      let supportedPeripherals = VLDBluetoothPeripheral.supportedPeripherals()
        as? [VLDBluetoothPeripheral]
    else { return }

    for peripheral in supportedPeripherals {
      print("Peripheral: \(peripheral.name())")
    }
  }

  /// "Filtering".
  func filteredPeripherals() -> [VLDBluetoothPeripheral] {
    // Changed: `else` is missing on the page, and it filters `peripherals`, which it does not declare.
    guard
      let supportedPeripherals = VLDBluetoothPeripheral.supportedPeripherals()
        as? [VLDBluetoothPeripheral]
    else { return [] }
    let devices = supportedPeripherals.filter { $0.peripheralID == 1 }
    return devices
  }

  /// "Pairing".
  func pair(_ peripheral: VLDBluetoothPeripheral) {
    // Changed: the page declares `peripheral` without a value; here it is the parameter.
    let controller = VLDBluetoothPeripheralController()
    controller.delegate = self

    controller.pairPeripheral(peripheral)
  }

  func bluetoothPeripheralController(
    _ controller: VLDBluetoothPeripheralController!,
    didPairPeripheral peripheral: VLDBluetoothPeripheral!
  ) {
    print("paired")
  }

  func bluetoothPeripheralController(
    _ controller: VLDBluetoothPeripheralController!,
    didNotPairPeripheral peripheral: VLDBluetoothPeripheral!, error: Error!
  ) {
    print("not paired")
  }

  /// "Reading".
  func read(_ peripheral: VLDBluetoothPeripheral) {
    // Changed: the page leaves the value of `peripheral` to a comment; here it is the parameter.
    let controller = VLDBluetoothPeripheralController()
    controller.delegate = self

    controller.read(from: peripheral)
  }

  func bluetoothPeripheralController(
    _ controller: VLDBluetoothPeripheralController!,
    isReadyToReadFrom peripheral: VLDBluetoothPeripheral!
  ) {
    print("ready")
  }

  func bluetoothPeripheralController(
    _ controller: VLDBluetoothPeripheralController!, shouldSubmitReadings records: [VLDRecord]!,
    from peripheral: VLDBluetoothPeripheral!
  ) -> Bool {
    true
  }

  func bluetoothPeripheralController(
    _ controller: VLDBluetoothPeripheralController!,
    didCancelReadingFor peripheral: VLDBluetoothPeripheral!
  ) {
    print("cancelled")
  }

  func bluetoothPeripheralController(
    _ controller: VLDBluetoothPeripheralController!,
    readingFailedFor peripheral: VLDBluetoothPeripheral!, error: Error!
  ) {
    print("failed")
  }
}

/// "Roche CoaguChek INR Meters".
@MainActor
final class CoaguChekScreen: NSObject, VLDBluetoothPeripheralControllerDelegate {
  let encryptionKey: String

  init(encryptionKey: String) { self.encryptionKey = encryptionKey }

  func bluetoothPeripheralController(
    _ controller: VLDBluetoothPeripheralController!,
    didPairPeripheral peripheral: VLDBluetoothPeripheral!,
    metadata: VLDBluetoothOperationMetadata!
  ) {
    // Changed: the page has this in Objective-C, with an alert that asks for the key, see
    // ObjectiveC/CoaguChek.m; here it is in Swift.
    if peripheral.peripheralID == 51 {
      peripheral.storeData(
        encryptionKey, forKey: kVLDBluetoothPeripheralDataKeyEncryptionKey,
        ofPeripheralUUID: metadata.peripheralUUID)
    }
  }
}
