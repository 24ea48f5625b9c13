// SPDX-License-Identifier: Apache-2.0

// Differs: SDK. The standard library of iOS 16.5 lacks "assumeIsolated".
import CoreBluetooth

@MainActor
final class Model: NSObject, CBCentralManagerDelegate {
  var names: [String] = []
  var peripherals: [CBPeripheral] = []

  nonisolated func centralManagerDidUpdateState(_ central: CBCentralManager) {
    let state = central.state
    MainActor.assumeIsolated { names.append("\(state)") }
    Task { @MainActor in names.append("\(state)") }
  }

  nonisolated func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral)
  {
    MainActor.assumeIsolated { peripherals.append(peripheral) }
    Task { @MainActor in peripherals.append(peripheral) }
    names.append("direct")
  }
}
