// SPDX-License-Identifier: Apache-2.0

// Differs: N2. Without the Objective-C runtime an optional method is a requirement with a default.
import CoreBluetooth

func forward(_ peripheral: CBPeripheral, to delegate: any CBPeripheralDelegate) {
  delegate.peripheralDidUpdateName(peripheral)
}
