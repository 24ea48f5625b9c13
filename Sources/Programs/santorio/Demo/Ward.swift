// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import VirtualDevices

/// The devices of the demonstration, each on its own host of a simulated air.
struct Ward: Sendable {
  private struct Bed {
    let monitor: VirtualBloodPressureMonitor
    let frames: [[UInt8]]
  }

  private let air: SimulatedAir
  private let beds: [Bed]

  /// Sets up the devices and switches them on; those that must be paired can be.
  init(in air: SimulatedAir) {
    self.air = air
    beds = VirtualModel.all.enumerated().map { index, entry in
      let host = air.makeHost(
        named: entry.model.advertisedName, at: SimulatedPosition(x: 2 + Double(index), y: 1))
      let monitor = VirtualBloodPressureMonitor(
        entry.model, managerOptions: host.managerOptions,
        isConnected: { host.connectedPeers.contains($0) })
      monitor.switchOn()
      return Bed(monitor: monitor, frames: entry.frames)
    }
    beds.first?.monitor.enterPairingMode()
  }

  /// How many of the frames are readings; the others are failed measurements.
  var readingCount: Int { VirtualModel.readingCount(beds.flatMap(\.frames)) }

  /// Lets each device play its frames.
  func measure() {
    for bed in beds { bed.monitor.measure(bed.frames) }
  }

  /// Lets each device play its frames, then takes a new measurement on one of them every few seconds
  /// until the task is cancelled.
  func run() async {
    measure()
    while (try? await air.clock.sleep(for: .seconds(20))) != nil {
      guard let frame = VirtualModel.newMeasurement() else { continue }
      beds.randomElement()?.monitor.measure([frame])
    }
  }
}
