// SPDX-License-Identifier: Apache-2.0

// Differs: Words. Refused on both sides.
import CoreBluetooth

func wrong(_ manager: CBCentralManager, _ peripheral: CBPeripheral, _ server: CBPeripheralManager) {
  manager.scanForPeripherals(withServices: ["180D"])
  manager.connect(nil)
  manager.connect(peripheral: peripheral)
  manager.registerForConnectionEvents(options: ["kCBServices": []])
  peripheral.discoverServices()
  peripheral.readValue()
  server.startAdvertising([CBUUID(string: "180D"): "x"])
  try peripheral.readRSSI()
}
