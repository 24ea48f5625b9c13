// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthDevices
import HealthRecords
import SantorioBluetooth
import SantorioConcurrency
import SantorioCore
import VirtualDevices

/// The meter and the phone beside it, the same in each process.
struct Bedside {
  static let now = Date(timeIntervalSince1970: 1_774_785_600)

  let air = SimulatedRadioEnvironment(seed: 1)
  let phone: SimulatedHost
  let central: BluetoothCentral
  let settings: BluetoothSettings
  let meter: Device
  /// How many measurements the meter keeps: those of its model, two of which are no readings, and
  /// those that were made.
  let meterCount: Int

  /// A device, and its radio.
  struct Device {
    let host: SimulatedHost
    let device: VirtualDevice
  }

  init(records: Int) {
    meterCount = VirtualDeviceModel.glucoseMeter.readingCount + 2 + records
    phone = air.makeHost(named: "Phone")
    var settings = BluetoothSettings()
    settings.clock = air.clock
    settings.now = { Self.now }
    settings.timeZone = { .gmt }
    self.settings = settings
    central = BluetoothCentral(managerOptions: phone.managerOptions)
    meter = Self.add(.glucoseMeter.reporting(.glucoseMeasurement, erases: .nothing), to: air)
    meter.device.switchOn()
    for _ in 0..<records { meter.device.measure() }
  }

  /// Puts a device beside the phone, which is switched off.
  static func add(_ model: VirtualDeviceModel, to air: SimulatedRadioEnvironment) -> Device {
    let host = air.makeHost(named: model.advertisedName, at: SimulatedPosition(x: 1))
    var world = VirtualDevice.Settings()
    world.clock = air.clock
    world.now = { Self.now }
    world.zone = { .gmt }
    world.isConnected = { host.connectedPeers.contains($0) }
    let device = VirtualDevice(model, settings: world, managerOptions: host.managerOptions)
    return Device(host: host, device: device)
  }

  /// Moves the clock until the reading of the meter is over.
  ///
  /// - Returns: How many steps it took.
  func run(_ session: SantorioSession, endingAt step: Int?) async -> Int {
    let receiver = BluetoothReceiver(session: session, settings: settings)
    let operation = central.read([.genericGlucose], for: receiver)
    let reporting = Task { await reportEvents(of: operation) }
    let hasEnded = Locked(false)
    let watching = Task {
      await reporting.value
      hasEnded.withLock { $0 = true }
    }
    let steps = await pass(pacedBy: session, endingAt: step) { _ in hasEnded.withLock { $0 } }
    await watching.value
    return steps
  }

  /// Moves the clock until it is over, or ends the process at a step.
  ///
  /// - Parameters:
  ///   - session: Has done what it was asked before when the next step begins.
  ///   - last: The step at which the process ends.
  ///   - isOver: Whether it is, with the number of the records that wait.
  /// - Returns: How many steps it took.
  func pass(
    pacedBy session: SantorioSession, endingAt last: Int?, until isOver: (_ pending: Int) -> Bool
  ) async -> Int {
    var (steps, pending) = (0, 0)
    while !isOver(pending) {
      if steps == last { kill(getpid(), SIGKILL) }
      await step()
      pending = (try? await session.pendingCount()) ?? pending
      await Task.yield()
      steps += 1
    }
    return steps
  }

  /// Moves the clock to the next event of the radio, or by a quarter of a second.
  private func step() async {
    var isFirst = true
    await air.advance(by: .milliseconds(250)) {
      defer { isFirst = false }
      return !isFirst
    }
  }
}

/// Reports what an operation brings, up to its end.
func reportEvents(of operation: DeviceOperation) async {
  for await event in operation.events {
    switch event {
    case .reading(let record): report("READ \(record.logID)")
    case .rejected: report("REJECTED")
    case .ended(.failed(let error, _)): report("FAILED \(error)")
    default: break
    }
  }
}
