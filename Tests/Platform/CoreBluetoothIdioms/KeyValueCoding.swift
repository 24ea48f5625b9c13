// SPDX-License-Identifier: Apache-2.0

// Differs: N7.
import CoreBluetooth

func watch(_ peripheral: CBPeripheral) {
  let observation = peripheral.observe(\.state) { peripheral, _ in print(peripheral) }
  _ = peripheral.value(forKey: "identifier")
  _ = observation
}
