// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

@MainActor
final class Model: NSObject, @MainActor CBCentralManagerDelegate {
  var states = 0

  func centralManagerDidUpdateState(_ central: CBCentralManager) { states += 1 }
}

@MainActor
func start(_ model: Model) -> CBCentralManager { CBCentralManager(delegate: model, queue: .main) }

nonisolated func startElsewhere(_ model: Model) -> CBCentralManager {
  CBCentralManager(delegate: model, queue: nil)
}
