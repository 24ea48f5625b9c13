// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import HealthRecords
import SantorioBluetooth
import SantorioConcurrency
import SantorioCore
import VirtualDevices
import HealthDevices

/// Reads all demo devices at the same time over one central; those that require it are paired
/// first.
struct Hub: Sendable {
  private let central: BluetoothCentral
  private let receiver: BluetoothReceiver
  private let clock: SimulatedClock
  /// The identifiers of the readings that have been taken; some devices repeat theirs.
  let readings = Locked<Set<String>>([])

  /// A hub on its own host; readings go into the session's queue as soon as they are decoded.
  init(in air: SimulatedRadioEnvironment, session: SantorioSession) {
    var settings = BluetoothSettings()
    settings.clock = air.clock
    // All that is simulated is of the one user of the demo.
    settings.takesEveryUser = true
    central = BluetoothCentral(managerOptions: air.makeHost(named: "Hub").managerOptions)
    receiver = BluetoothReceiver(session: session, settings: settings)
    clock = air.clock
  }

  /// Works until the task is cancelled.
  func run() async {
    await withTaskGroup { group in
      for entry in DemoDevices.models.compactMap({ DeviceModel(id: $0.peripheralID) }) {
        group.addTask { await pairAndRead(entry) }
      }
    }
  }

  private func pairAndRead(_ entry: DeviceModel) async {
    if entry.requiresPairing { await pair(entry) }
    while !Task.isCancelled {
      await read(entry)
      try? await clock.sleep(for: .seconds(10))
    }
  }

  private func pair(_ entry: DeviceModel) async {
    switch await outcome(of: central.pair([entry], for: receiver)) {
    case .failed(let error, _): printError("not paired with \(entry.name): \(error)")
    case .cancelled, .nothingNew: break
    case .finished: printError("paired with \(entry.name)")
    }
  }

  private func read(_ entry: DeviceModel) async {
    let outcome = await outcome(of: central.read([entry], for: receiver))
    // Nothing appeared for a while, or nothing new; neither is reported.
    let usual: [BluetoothError.Code] = [.connectionTimeout, .noReading, .readingTimeout]
    if case .failed(let error, _) = outcome, !usual.contains(error.code) {
      printError("\(entry.name) not read: \(error)")
    }
  }

  /// Reports an operation's events until its end; with the task, it is cancelled.
  private func outcome(of operation: DeviceOperation) async -> BluetoothOutcome {
    await withTaskCancellationHandler {
      await report(operation.events)
      return await operation.value
    } onCancel: {
      operation.cancel()
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
