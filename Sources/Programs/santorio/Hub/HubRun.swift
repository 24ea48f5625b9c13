// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import CoreBluetoothBlueZ
import Foundation
import Hub
import SantorioBluetooth
import SantorioConcurrency
import SantorioCore
import SantorioSQLite
import SantorioSystemd

/// A hub in this process.
struct HubRun: Sendable {
  let file: String

  func run() async throws -> Int32 {
    ProcessSettings.raiseOpenFiles()
    ProcessSettings.shareFreeMemory()
    // Each patient has a queue, and most of them rest most of the time.
    SQLiteMemory.allocatePagesSingly()
    let reading = HubConfiguration.check(file: file, isRunning: true)
    for finding in reading.findings { printError("santorio: \(file): \(finding)") }
    guard let configuration = reading.configuration else { return Santorio.usageStatus }
    let stop = await StopSignal()
    // One that waits reads the file for all that came before it.
    let (reloads, reload) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let signal = await ReloadSignal { reload.yield() }
    Self.startLog()
    let service = try HubService(
      configuration, file: file, radio: Self.radio(configuration.radio)
    ) { line in HubLogLines.write(line) }
    print("reading for \(configuration.patients.count) patients; Ctrl-C or SIGTERM ends it")
    let start = Self.endStart()
    await service.run(reloads: reloads) { await stop.wait() }
    start.cancel()
    withExtendedLifetime(signal) {}
    return 0
  }

  /// Gives back the memory that only the start has needed, once that is over.
  private static func endStart() -> Task<Void, any Error> {
    Task {
      try await Task.sleep(for: .seconds(20))
      ProcessSettings.returnProgram()
    }
  }

  // MARK: - The radio

  /// The radio of a configuration, with a central of its own.
  private static func radio(_ choice: HubConfiguration.Radio) -> HubRadio {
    let pairing = Locked<HubPairing?>(nil)
    let radio = CommandRadio(RadioChoice(choice)) { question in
      guard let current = pairing.withLock({ $0 }), current.concerns(question.peripheral) else {
        return .reject
      }
      let prompt = PairingPrompt(
        passkey: current.passkey, isUnattended: current.acceptsAll, show: current.show,
        line: { nil })
      return await prompt.answer(question)
    }
    if let devices = radio.devices { Task { await devices.run() } }
    // BlueZ keeps no connections for a process that has ended: bonds are all that is needed.
    return HubRadio(
      central: BluetoothCentral(managerOptions: radio.managerOptions), clock: radio.clock,
      uptime: Uptime.now, name: RadioChoice(choice).name,
      prepare: { new in pairing.withLock { $0 = new } })
  }

  // MARK: - The log

  /// What happens goes into the journal with its fields, or to standard error.
  private static func startLog() {
    let environment = ProcessInfo.processInfo.environment
    let log = SantorioLogging.shared
    if !log.isEnabled {
      log.frameworks = .core
      log.isEnabled = true
    }
    if JournalLog.isStandardError(environment: environment) {
      log.setJournal(JournalLog(identifier: "santorio-hub"))
    } else {
      log.setHandler { tag, message in HubLogLines.write("\(tag): \(message)") }
    }
  }
}

/// Lines on standard error, which systemd takes into the journal with the time.
enum HubLogLines {
  private static let hasTime = JournalLog.isStandardError(
    environment: ProcessInfo.processInfo.environment)

  static func write(_ line: String) {
    printError(hasTime ? line : "\(Date().formatted(.iso8601)) \(line)")
  }
}

extension RadioChoice {
  /// The radio that a hub's configuration names.
  init(_ radio: HubConfiguration.Radio) {
    switch radio {
    case .bluez(let adapter): self = .bluez(adapter: adapter)
    case .simulated(let speed): self = .simulated(speed: speed)
    }
  }

  /// What it is called, to show.
  var name: String {
    switch self {
    case .bluez(let adapter): adapter ?? "Bluetooth"
    case .simulated: "simulated radio"
    }
  }
}
