// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

let heartRate = CBUUID(string: "180D")
@MainActor let battery = CBUUID(string: "180F")
nonisolated(unsafe) let deviceInformation = CBUUID(string: "180A")
var count = CBManagerState.unknown
let properties: CBCharacteristicProperties = [.read]

enum Service {
  static let glucose = CBUUID(string: "1808")
  static let all: [CBUUID] = [glucose]
  static var computed: CBUUID { CBUUID(string: "1810") }
}
