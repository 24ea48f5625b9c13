// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

func right(_ characteristic: CBCharacteristic) -> UUID? {
  characteristic.service?.peripheral?.identifier
}

func wrong(_ characteristic: CBCharacteristic, _ descriptor: CBDescriptor) -> CBPeripheral {
  _ = characteristic.service.uuid
  _ = descriptor.characteristic.uuid
  return characteristic.service.peripheral
}
