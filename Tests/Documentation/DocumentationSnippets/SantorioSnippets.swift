// SPDX-License-Identifier: Apache-2.0

import Foundation
import Santorio

private enum AnApp {
  struct Readings: Sendable {
    let session: SantorioSession
    let controller: BluetoothPeripheralController

    /// - Parameter server: The address of the server; https.
    init(sendingTo server: URL) {
      let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
      let folder = support[0].appendingPathComponent("readings")
      session = SantorioSession(.init(directory: folder, endpoint: server))
      controller = BluetoothPeripheralController(session: session)
    }
  }
}

func mayReadDevices() async -> Bool {
  let central = BluetoothCentral.shared
  if central.authorization == .allowed { return true }
  return await central.requestAuthorization() == .allowed
}

#if canImport(Darwin)
  func sharedSession(server: URL, group: String, accessGroup: String) -> SantorioSession? {
    let container = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
    guard let folder = container?.appendingPathComponent("readings") else { return nil }
    var configuration = SantorioSession.Configuration(directory: folder, endpoint: server)
    configuration.credentials = KeychainCredentials(folder: folder, accessGroup: accessGroup)
    return SantorioSession(configuration)
  }

  func thriftyTransport() -> BackgroundURLSessionTransport {
    let access = NetworkAccess(allowsCellular: false, allowsLowDataMode: false)
    return BackgroundURLSessionTransport(identifier: "com.example.readings.uploads", access: access)
  }
#endif
