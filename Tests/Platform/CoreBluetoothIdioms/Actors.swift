// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

actor Radio {
  private let manager = CBCentralManager(delegate: nil, queue: nil)
  private var peripherals: [UUID: CBPeripheral] = [:]

  func add(_ peripheral: CBPeripheral) { peripherals[peripheral.identifier] = peripheral }
  func find(_ identifier: UUID) -> CBPeripheral? { peripherals[identifier] }
}

func pass(_ peripheral: CBPeripheral, to radio: Radio) async {
  await radio.add(peripheral)
  print(peripheral.state)
  _ = await radio.find(UUID())
}

func make(for radio: Radio) async {
  let uuid = CBUUID(string: "180D")
  await take(uuid, radio)
}

func take(_ uuid: sending CBUUID, _ radio: isolated Radio) {}
