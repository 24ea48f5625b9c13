// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioBluetooth

#if os(Linux)
  import LicensedMeters
#endif

private func readCoagulation(
  controller: BluetoothPeripheralController, settings: BluetoothSettings, digits: String
) async throws {
  guard let coaguChek = settings.catalogue.entry(id: 51) else { return }
  let paired = try await controller.pair(coaguChek)
  try controller.receiver.setSecret(digits, .encryptionKey, for: paired.peripheralUUID)
  for try await reading in controller.readings(from: coaguChek) {
    print(reading.metrics.count)
  }
}

private func bindScale(
  controller: BluetoothPeripheralController, key: String, address: String
) async throws {
  guard let s400 = DeviceModel(id: 10502) else { return }
  let scale = try await controller.pair(s400)
  try controller.receiver.setSecret(key + address, .bindKey, for: scale.peripheralUUID)
}

private func askWhereMissing(
  of device: PairingMetadata, receiver: BluetoothReceiver, ask: ([Int]) async -> String
) async throws {
  guard let key = PeripheralDataKey(of: device.peripheral),
    try !receiver.hasSecret(key, for: device.peripheralUUID)
  else { return }
  let text = await ask(key.digitCounts)
  try receiver.setSecret(text, key, for: device.peripheralUUID)
}

#if os(Linux)
  private func enable() throws -> BluetoothSettings {
    var settings = BluetoothSettings()
    for entry in LicensedMeters.entries { try settings.catalogue.register(entry) }
    return settings
  }
#endif
