// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

final class Events: NSObject, CBCentralManagerDelegate {
  private let continuation: AsyncStream<CBManagerState>.Continuation
  let states: AsyncStream<CBManagerState>

  override init() {
    var made: AsyncStream<CBManagerState>.Continuation?
    states = AsyncStream { made = $0 }
    guard let made else { preconditionFailure("the closure is called at once") }
    continuation = made
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    continuation.yield(central.state)
  }
}

func listen(_ peripherals: AsyncStream<CBPeripheral>) async {
  for await peripheral in peripherals { print(peripheral.identifier) }
}
