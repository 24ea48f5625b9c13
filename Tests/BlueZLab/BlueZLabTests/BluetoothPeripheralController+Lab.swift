// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothBlueZ
import Foundation
import HealthRecords
import SantorioBluetooth
import SantorioCore

extension BluetoothPeripheralController {
  /// A controller that uses the guest's bluetoothd.
  static func lab(
    _ adapter: BlueZAdapter = BlueZAdapter(), session: SantorioSession? = nil
  ) -> BluetoothPeripheralController {
    BluetoothPeripheralController(
      session: session, on: BluetoothCentral(managerOptions: adapter.managerOptions))
  }

  /// The events of an operation until its end.
  func eventsUntilEnd() async -> [BluetoothEvent] {
    var all: [BluetoothEvent] = []
    for await event in events {
      all.append(event)
      if case .ended = event { break }
    }
    return all
  }
}

extension [BluetoothEvent] {
  var records: [HealthRecord] {
    compactMap { if case .reading(let record) = $0 { record } else { nil } }
  }

  var refusals: [RejectedReading.Reason] {
    compactMap { if case .rejected(let refused) = $0 { refused.reason } else { nil } }
  }

  var failure: BluetoothError? {
    for case .ended(.failed(let error, _)) in self { return error }
    return nil
  }

  /// The device that was paired.
  var paired: UUID {
    get throws {
      for case .paired(let metadata) in self { return metadata.peripheralUUID }
      throw LabGuest.Failure(description: "not paired: \(self)")
    }
  }
}

extension SantorioSession {
  /// A session in a folder of its own, whose server cannot be reached.
  static func lab() async throws -> SantorioSession {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    guard let endpoint = URL(string: "http://127.0.0.1:9/nowhere") else {
      throw LabGuest.Failure(description: "no endpoint")
    }
    let session = SantorioSession(.init(directory: folder, endpoint: endpoint))
    try await session.start(
      SantorioUser(userID: "lab", organizationID: "lab", accessToken: "token"))
    return session
  }
}
