// SPDX-License-Identifier: Apache-2.0

import Foundation
import Santorio

#if canImport(CoreBluetoothSimulation)
  import CoreBluetoothSimulation

  private func disturb(phone: SimulatedHost, meter: SimulatedHost) {
    phone.state = .poweredOff  // the user has switched Bluetooth off
    meter.forgetBond(with: phone)  // the meter was reset
    meter.ignoreRequests(3)  // it does not answer the next three
    meter.dropLink(afterPackets: 5)  // the battery is empty
    meter.position = SimulatedPosition(x: 200)  // it is in another room
  }
#endif

private func choose() {
  for model in DeviceModel.supported(.bloodPressure) {
    print(model.name, model.requiresPairing, model.instructions)
  }
}

/// Pairs a device, and says what its user should know.
func pair(_ model: DeviceModel, by controller: BluetoothPeripheralController) async -> String {
  do {
    let paired = try await controller.pair(model)
    if paired.bond == .provisional {
      return "\(model.name) is paired. Measure once, so that it remembers."
    }
    return "\(model.name) is paired."
  } catch {
    return error.message
  }
}

/// Reads a device, and says what its user is to do meanwhile.
func read(
  _ model: DeviceModel, by controller: BluetoothPeripheralController,
  show: @escaping @Sendable (String) -> Void
) async throws -> [HealthRecord] {
  let events = controller.events
  let told = Task {
    for await event in events {
      if case .readyToRead = event { show(model.readingInstructions) }
    }
  }
  defer { told.cancel() }
  show(model.instructions)
  var readings: [HealthRecord] = []
  for try await reading in controller.readings(from: model) { readings.append(reading) }
  return readings
}

private struct SessionScreen {
  func show(_ shown: Any, storedAs name: String? = nil) async {}
  func logIn(lost: Int) async {}

  func follow(_ events: SessionEvents) async {
    for await event in events {
      switch event {
      case .recordSubmitted(let record, let serverID): await show(record, storedAs: serverID)
      case .recordFailed(_, let failure): await show(failure)  // it is in the quarantine
      case .sessionEnded(let ended): await logIn(lost: ended.unsentRecords.count)  // archived
      case .storageRecovered(let damage): await show(damage)
      default: break  // cases are added over time
      }
    }
  }
}

private protocol Account: Sendable {
  func newToken(for user: String) async throws -> String
}

private func makeSession(folder: URL, server: URL, account: any Account) -> SantorioSession {
  var configuration = SantorioSession.Configuration(directory: folder, endpoint: server)
  configuration.refreshToken = { user in try await account.newToken(for: user.userID) }
  return SantorioSession(configuration)
}
