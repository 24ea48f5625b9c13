// SPDX-License-Identifier: Apache-2.0

import SantorioBluetooth
import SantorioCore

/// Reads the user's devices for as long as the session lasts.
final class HomeDevices: Sendable {
  private let passive: BluetoothPassiveManager

  init(session: SantorioSession) {
    passive = BluetoothPassiveManager(for: BluetoothReceiver(session: session))
  }

  /// At each launch, before the app has finished launching: the system may have launched it for a
  /// device.
  func launched() {
    let events = passive.events
    passive.restoreState()
    Task {
      for await event in events { tell(event) }
    }
  }

  /// Once the user has paired the devices.
  func read(_ devices: [DeviceModel]) async throws {
    try await passive.setPeripherals(devices, devices: .enrolled)
  }

  /// The place for local notifications: there is no screen to show anything on.
  private func tell(_ event: PassiveEvent) {
    switch event {
    case .readyToRead(let device, _): print("Ready to read \(device.name)")
    case .read(let records, let device, _): print("\(records.count) readings of \(device.name)")
    case .failed(let error, let device, _): print("\(device.name): \(error.message)")
    default: break
    }
  }
}
