// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import HealthRecords
import SantorioBluetooth
import SantorioConcurrency
import SantorioCore
import VirtualDevices
import HealthDevices

/// Reads all demo devices at the same time; those that require it are paired first.
struct Hub: Sendable {
  private let controllers: [(entry: DeviceModel, controller: BluetoothPeripheralController)]
  private let clock: SimulatedClock
  /// The identifiers of the readings that have been taken; some devices repeat theirs.
  let readings = Locked<Set<String>>([])

  /// A hub on its own host; readings go into the session's queue as soon as they are decoded.
  init(in air: SimulatedRadioEnvironment, session: Session) {
    let host = air.makeHost(named: "Hub")
    var settings = BluetoothPeripheralController.Settings()
    settings.clock = air.clock
    let entries = DemoDevices.models.compactMap { DeviceModel(id: $0.peripheralID) }
    controllers = entries.map { entry in
      let controller = BluetoothPeripheralController(
        session: session, settings: settings, managerOptions: host.managerOptions)
      return (entry, controller)
    }
    clock = air.clock
  }

  /// Works until the task is cancelled.
  func run() async {
    await withTaskGroup { group in
      for (entry, controller) in controllers {
        let events = controller.events
        group.addTask { await report(events) }
        group.addTask { await pairAndRead(entry, controller) }
      }
    }
  }

  private func pairAndRead(
    _ entry: DeviceModel, _ controller: BluetoothPeripheralController
  ) async {
    if entry.requiresPairing {
      do {
        let paired = try await controller.pair(entry)
        printError("paired with \(paired.peripheral.name)")
      } catch {
        printError("not paired with \(entry.name): \(error)")
      }
    }
    while !Task.isCancelled {
      await read(entry, controller)
      try? await clock.sleep(for: .seconds(10))
    }
  }

  private func read(
    _ entry: DeviceModel, _ controller: BluetoothPeripheralController
  ) async {
    do throws(BluetoothError) {
      for try await _ in controller.readings(from: entry) {}
    } catch  where [.connectionTimeout, .noReading, .readingTimeout].contains(error.code) {
      // Nothing appeared for a while, or nothing new; neither is reported.
    } catch {
      if !Task.isCancelled { printError("\(entry.name) not read: \(error)") }
    }
  }

  private func report(_ events: AsyncStream<BluetoothEvent>) async {
    for await event in events {
      switch event {
      case .found(let peripheral, _): printError("found \(peripheral.name)")
      case .reading(let record): readings.withLock { _ = $0.insert(record.logID) }
      case .rejected(let refused): printError("no reading: \(refused)")
      default: break
      }
    }
  }
}
