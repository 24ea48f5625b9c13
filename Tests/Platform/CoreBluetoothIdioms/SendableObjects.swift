// SPDX-License-Identifier: Apache-2.0

// Differs: SDK. The standard library of iOS 16.5 lacks the "sending" closure of Task.
import CoreBluetooth

func cross(_ peripheral: CBPeripheral, _ manager: CBCentralManager) {
  Task.detached { peripheral.readRSSI() }
  Task { manager.stopScan() }
  DispatchQueue.global().async { manager.connect(peripheral) }
}

struct Found: Sendable {
  let peripheral: CBPeripheral
  let uuid: CBUUID
}

func need<Value: Sendable>(_ value: Value) {}

func objects(_ service: CBService, _ error: CBError, _ uuid: CBUUID) {
  need(service)
  need(uuid)
  need(error)
}
