// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

func forward(
  _ manager: CBCentralManager, _ peripheral: CBPeripheral,
  to delegate: (any CBCentralManagerDelegate)?, and other: any CBPeripheralDelegate
) {
  delegate?.centralManager?(manager, didConnect: peripheral)
  delegate?.centralManager?(manager, didFailToConnect: peripheral, error: nil)
  delegate?.centralManagerDidUpdateState(manager)
  other.peripheral?(peripheral, didDiscoverServices: nil)
  other.peripheralDidUpdateName?(peripheral)
  other.peripheralIsReady?(toSendWriteWithoutResponse: peripheral)
}

func forward(_ manager: CBPeripheralManager, to delegate: any CBPeripheralManagerDelegate) {
  delegate.peripheralManagerDidStartAdvertising?(manager, error: nil)
  delegate.peripheralManagerIsReady?(toUpdateSubscribers: manager)
}
