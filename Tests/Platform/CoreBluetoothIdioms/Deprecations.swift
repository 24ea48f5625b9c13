// SPDX-License-Identifier: Apache-2.0

// Differs: Deprecations. They are those of iOS, which Linux is not.
import CoreBluetooth

func old(_ peripheral: CBPeripheral, _ characteristic: CBCharacteristic, _ manager: CBManager) {
  _ = peripheral.rssi
  _ = characteristic.isBroadcasted
  _ = manager.authorization
  _ = CBPeripheralManager.authorizationStatus()
  _ = CBCentralManagerState.poweredOn
  _ = CBError.unkownDevice
  _ = CBError.Code.unkownDevice
  _ = CBManager.authorization
  _ = CBCentralManager.authorization
}

func old(_ uuid: CFUUID) -> CBUUID { CBUUID(cfuuid: uuid) }
