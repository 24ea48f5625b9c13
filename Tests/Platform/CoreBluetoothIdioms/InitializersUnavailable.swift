// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

func wrong() {
  _ = CBPeripheral()
  _ = CBCentral()
  _ = CBPeer()
  _ = CBManager()
  _ = CBAttribute()
  _ = CBService()
  _ = CBCharacteristic()
  _ = CBDescriptor()
  _ = CBMutableService()
  _ = CBMutableCharacteristic()
  _ = CBMutableDescriptor()
  _ = CBATTRequest()
}
