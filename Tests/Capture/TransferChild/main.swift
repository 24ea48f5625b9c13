// SPDX-License-Identifier: Apache-2.0

// Reads a virtual glucose meter into the session of a folder, and kills itself on the way: after
// some steps of the radio, or as if the power were cut at a change of the disk.
//
//   usage: TransferChild FOLDER RECORDS [radio STEP | disk CHANGE SEED | trace]

import CFaultVFS
import CoreBluetoothSimulation
import Foundation
import HealthDevices
import HealthRecords
import SantorioBluetooth
import SantorioConcurrency
import SantorioCore
import VirtualDevices

/// Where it ends itself; nowhere when nil.
enum End {
  case radio(step: Int)
  case disk(change: UInt64, seed: UInt64)

  init?(_ arguments: ArraySlice<String>) {
    let numbers = arguments.dropFirst().compactMap { UInt64($0) }
    switch (arguments.first, numbers.count) {
    case ("radio", 1): self = .radio(step: Int(numbers[0]))
    case ("disk", 2): self = .disk(change: numbers[0], seed: numbers[1])
    default: return nil
    }
  }
}

func report(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// The meter and the phone beside it, the same in each process.
struct Bedside {
  static let now = Date(timeIntervalSince1970: 1_774_785_600)

  let air = SimulatedRadioEnvironment(seed: 1)
  let meter: VirtualDevice
  let central: BluetoothCentral
  let settings: BluetoothSettings

  init(records: Int) {
    let phone = air.makeHost(named: "Phone")
    let host = air.makeHost(named: "Meter", at: SimulatedPosition(x: 1))
    var world = VirtualDevice.Settings()
    world.clock = air.clock
    world.now = { Self.now }
    world.zone = { .gmt }
    world.isConnected = { host.connectedPeers.contains($0) }
    meter = VirtualDevice(.glucoseMeter, settings: world, managerOptions: host.managerOptions)
    var settings = BluetoothSettings()
    settings.clock = air.clock
    settings.now = { Self.now }
    settings.timeZone = { .gmt }
    self.settings = settings
    central = BluetoothCentral(managerOptions: phone.managerOptions)
    meter.switchOn()
    for _ in 0..<records { meter.measure() }
  }

  /// Moves the clock until the operation is over.
  ///
  /// - Returns: How many steps it took.
  func run(_ session: SantorioSession, endingAt step: Int?) async -> Int {
    let receiver = BluetoothReceiver(session: session, settings: settings)
    let operation = central.read([.genericGlucose], for: receiver)
    let reporting = Task {
      for await event in operation.events {
        switch event {
        case .reading(let record): report("READ \(record.logID)")
        case .rejected: report("REJECTED")
        case .ended(let outcome): return outcome
        default: break
        }
      }
      return .cancelled([])
    }
    let hasEnded = Locked(false)
    let watching = Task {
      _ = await reporting.value
      hasEnded.withLock { $0 = true }
    }
    var steps = 0
    while !hasEnded.withLock({ $0 }) {
      if steps == step { kill(getpid(), SIGKILL) }
      await air.advance(by: .milliseconds(5))
      _ = try? await session.heldCount()
      await Task.yield()
      steps += 1
    }
    await watching.value
    if case .failed(let error, _) = await reporting.value { report("FAILED \(error)") }
    return steps
  }
}

let arguments = CommandLine.arguments
guard arguments.count >= 3, let records = Int(arguments[2]) else { exit(64) }
let end = End(arguments.dropFirst(3))
if arguments.dropFirst(3).first == "trace" {
  SantorioLogging.shared.setHandler { _, message in report("LOG \(message)") }
  SantorioLogging.shared.isEnabled = true
}
if case .disk(let change, let seed) = end {
  guard fault_vfs_install() == 0 else { exit(70) }
  fault_vfs_cut_power(change, seed, false)
}
guard let nowhere = URL(string: "http://127.0.0.1:9") else { exit(64) }
let session = SantorioSession(
  .init(directory: URL(fileURLWithPath: arguments[1]), endpoint: nowhere))
let bedside = Bedside(records: records)
let last: Int? = if case .radio(let step) = end { step } else { nil }
report("STEPS \(await bedside.run(session, endingAt: last))")
withExtendedLifetime(bedside) {}
