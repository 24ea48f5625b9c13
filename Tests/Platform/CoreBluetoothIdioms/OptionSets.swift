// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

func canNotify(_ characteristic: CBCharacteristic) -> Bool {
  characteristic.properties.contains(.notify)
    || !characteristic.properties.isDisjoint(with: [.indicate])
}

let all: CBCharacteristicProperties = [.read, .write, .notify]
let permissions = CBAttributePermissions.readable.union(.writeable)
let bits: UInt = all.rawValue
let other = CBCharacteristicProperties(rawValue: 0x02)
