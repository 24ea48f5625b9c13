// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import CoreBluetoothSimulation

let air = SimulatedRadioEnvironment(seed: 7)
let phone = air.makeHost(named: "Phone")
let meter = air.makeHost(named: "Meter", at: SimulatedPosition(x: 3))
phone.installAsDefault()

let thermometer = Thermometer()
let device = CBPeripheralManager(
  delegate: thermometer, queue: nil, options: meter.managerOptions)
let reader = Reader()

let isRead = await air.advance(by: .seconds(30)) { reader.temperature != nil }
print(
  isRead ? "\(reader.temperature ?? 0) °C" : "no temperature within 30 seconds of the air's time")
exit(isRead ? 0 : 1)
