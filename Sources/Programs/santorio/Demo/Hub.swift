// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import SantorioBluetooth
import SantorioCore
import SantorioConcurrency

/// Pairs what must be paired, then reads whatever appears, one device after the other.
struct Hub: Sendable {
  private let controller: BluetoothPeripheralController
  private let clock: SimulatedClock
  /// How many readings have been taken.
  let readings = Locked(0)

  /// A hub on a host of its own; readings go into the session's queue the moment they are decoded.
  init(in air: SimulatedAir, session: Session) {
    let host = air.makeHost(named: "Hub")
    var settings = BluetoothPeripheralController.Settings()
    settings.clock = air.clock
    controller = BluetoothPeripheralController(
      session: session, settings: settings, managerOptions: host.managerOptions)
    clock = air.clock
  }

  /// Works until the task is cancelled.
  func run() async {
    await withTaskGroup { group in
      let events = controller.events
      group.addTask { await report(events) }
      group.addTask { await pairAndRead() }
    }
  }

  private func pairAndRead() async {
    do {
      let paired = try await controller.paired(with: .aAndDUA651BLE)
      printError("paired with \(paired.peripheral.name)")
    } catch {
      printError("not paired: \(error)")
    }
    while !Task.isCancelled { await read() }
  }

  private func read() async {
    do {
      for try await _ in controller.readings(fromFirstOf: BluetoothPeripheral.supported) {}
    } catch let error as BluetoothError where error.code == .connectionTimeout {
      // Nothing appeared for a while, which is no news.
    } catch {
      if !Task.isCancelled { printError("not read: \(error)") }
      try? await clock.sleep(for: .seconds(2))
    }
  }

  private func report(_ events: AsyncStream<BluetoothEvent>) async {
    for await event in events {
      switch event {
      case .found(let peripheral, _): printError("found \(peripheral.name)")
      case .reading: readings.withLock { $0 += 1 }
      case .refused(let refused): printError("no reading: \(refused)")
      default: break
      }
    }
  }
}
