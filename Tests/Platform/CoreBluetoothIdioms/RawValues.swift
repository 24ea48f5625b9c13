// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

let state = CBManagerState(rawValue: 5) ?? .unknown
let kind: CBCharacteristicWriteType? = CBCharacteristicWriteType(rawValue: 0)
let latency = CBPeripheralManagerConnectionLatency.low.rawValue
let isLess = CBManagerState.poweredOff.rawValue < CBManagerState.poweredOn.rawValue
let event: CBConnectionEvent = .peerConnected
