// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioBluetooth
import SantorioCore

private func read(session: SantorioSession) async throws {
  let controller = BluetoothPeripheralController(session: session)

  for monitor in DeviceModel.supported(.bloodPressure) {
    print(monitor.id, monitor.name, monitor.requiresPairing)
  }

  guard let monitor = DeviceModel(id: 2) else { return }  // A&D UA-651BLE
  _ = try await controller.pair(monitor)  // once; show monitor.pairingInstructions
  for try await reading in controller.readings(from: monitor) {
    print(reading.metrics.count)
  }
}

private func readTwoKinds(session: SantorioSession) async {
  let central = BluetoothCentral.shared
  let receiver = BluetoothReceiver(session: session)
  let monitor = central.read(DeviceModel.supported(.bloodPressure), for: receiver)
  let thermometer = central.read([.genericThermometer], for: receiver)
  for await event in monitor.events { print(event) }
  print(await thermometer.value)
}

private func readOne(
  _ monitor: DeviceModel, controller: BluetoothPeripheralController
) async throws {
  let paired = try await controller.pair(monitor)
  let identifier = paired.peripheralUUID  // to be kept by the app
  for try await reading in controller.readings(from: monitor, only: [identifier]) {
    print(reading.metrics.count)
  }
}

private func say(
  _ device: UUID, of monitor: DeviceModel, controller: BluetoothPeripheralController
) async throws {
  let receiver = controller.receiver
  if let slot = monitor.userNumbering?.slot(labeled: 2) {
    try await receiver.setUserSlot(slot, of: device)
  }
}
