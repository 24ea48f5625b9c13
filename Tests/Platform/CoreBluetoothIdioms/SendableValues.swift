// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

struct Snapshot: Sendable {
  var state: CBManagerState
  var properties: CBCharacteristicProperties
  var permissions: CBAttributePermissions
  var code: CBError.Code
  var error: CBATTError
  var psm: CBL2CAPPSM
  var event: CBConnectionEvent
  var option: CBConnectionEventMatchingOption
}

func cross(_ snapshot: Snapshot) { Task.detached { print(snapshot) } }
