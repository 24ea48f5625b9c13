// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

func ignore(
  _ manager: CBCentralManager, _ server: CBPeripheralManager, _ value: CBMutableCharacteristic
) {
  server.updateValue(Data(), for: value, onSubscribedCentrals: nil)
  manager.retrievePeripherals(withIdentifiers: [])
  manager.retrieveConnectedPeripherals(withServices: [])
  CBCentralManager.supports(.extendedScanAndConnect)
  CBCentralManager(delegate: nil, queue: nil)
  manager.state
}
