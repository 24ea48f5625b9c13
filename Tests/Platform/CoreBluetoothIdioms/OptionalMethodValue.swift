// SPDX-License-Identifier: Apache-2.0

// Differs: N6. What compiles on both sides is always there on Linux.
import CoreBluetooth

func rename(_ peripheral: CBPeripheral, _ delegate: any CBPeripheralDelegate) {
  if let method = delegate.peripheralDidUpdateName { method(peripheral) }
  if delegate.peripheralDidUpdateName != nil { delegate.peripheralDidUpdateName?(peripheral) }
}

func connected(_ manager: CBCentralManager, _ delegate: any CBCentralManagerDelegate) {
  let method: ((CBCentralManager, CBPeripheral) -> Void)? = delegate.centralManager(_:didConnect:)
  _ = method
}
