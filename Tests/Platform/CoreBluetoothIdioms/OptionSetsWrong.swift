// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

let properties: CBCharacteristicProperties = 0x02
let permissions: CBAttributePermissions = .read
let bits: Int = CBCharacteristicProperties.read.rawValue
