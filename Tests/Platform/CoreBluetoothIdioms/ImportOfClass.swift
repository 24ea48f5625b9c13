// SPDX-License-Identifier: Apache-2.0

import class CoreBluetooth.CBPeripheral
import class CoreBluetooth.CBUUID
import enum CoreBluetooth.CBManagerState

func name(_ peripheral: CBPeripheral, _ state: CBManagerState) -> String? {
  state == .poweredOn ? peripheral.name : CBUUID(string: "180D").uuidString
}
