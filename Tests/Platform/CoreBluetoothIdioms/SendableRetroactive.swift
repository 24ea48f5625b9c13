// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

extension CBPeripheral: @retroactive @unchecked Sendable {}
extension CBUUID: @unchecked Sendable {}

func cross(_ peripheral: CBPeripheral) { Task.detached { peripheral.readRSSI() } }

let heartRate = CBUUID(string: "180D")
