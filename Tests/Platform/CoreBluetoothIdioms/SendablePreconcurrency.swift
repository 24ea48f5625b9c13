// SPDX-License-Identifier: Apache-2.0

@preconcurrency import CoreBluetooth

func cross(_ peripheral: CBPeripheral, _ manager: CBCentralManager) {
  Task.detached { manager.connect(peripheral) }
}

struct Found: Sendable {
  let peripheral: CBPeripheral
}

let heartRate = CBUUID(string: "180D")
