// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothBlueZ
import Foundation
import HealthRecords
import SantorioBluetooth
import SantorioCore
import Testing

/// Monitors of another stack that have something to send at the same moment.
@Suite(.serialized, .enabled(if: LabGuest.isHere), .timeLimit(.minutes(2)))
struct `Many devices with BlueZ` {
  /// As many as are started in a bearable time; the guest's controller carries them all.
  private static let count = 8

  @Test func `are read at the same time over one central, beside one that is never there`()
    async throws
  {
    var monitors: [LabPeer] = []
    for number in 0..<Self.count {
      monitors.append(
        try await LabPeer(
          "cuff\(number)", "blood-pressure", "--open", "--silent", "--name", "Cuff \(number)",
          "--serial", "LAB-\(1000 + number)"))
    }
    let session = try await SantorioSession.lab()
    var settings = BluetoothSettings()
    // One reading of each monitor is of an unknown user.
    settings.takesEveryUser = true
    let receiver = BluetoothReceiver(session: session, settings: settings)
    let central = BluetoothCentral(managerOptions: BlueZAdapter().managerOptions)
    let absent = central.read([.genericBloodPressure], only: [UUID()], for: receiver)
    let operations = monitors.map { _ in central.read([.genericBloodPressure], for: receiver) }

    for monitor in monitors { try await monitor.ask("advertise") }

    for operation in operations {
      guard case .finished(let records) = await operation.value else {
        Issue.record("\(await operation.value)")
        continue
      }
      #expect(records.compactMap { $0.value(.systolic) } == [124, 131, 147])
    }
    let stored = try await session.pendingRecords()
    #expect(stored.count == 3 * Self.count)
    #expect(Set(stored.map(\.logID)).count == stored.count)
    #expect(Set(stored.compactMap { $0.source.device?.serialNumber }).count == Self.count)
    absent.cancel()
    #expect(await absent.value == .cancelled([]))
    for monitor in monitors { try await monitor.stop() }
  }
}
