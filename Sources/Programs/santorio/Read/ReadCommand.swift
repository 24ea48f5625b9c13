// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothBlueZ
import HealthRecords
import SantorioBluetooth
import SantorioCore

extension Command {
  static let read = Command(
    name: "read",
    summary: "Read devices, and put their readings into a session's queue.",
    forms: [
      "[DEVICE ...] [--once] [--json] [--data FOLDER [--server URL ...]] [--radio RADIO]"
    ],
    options: [
      CommandOption("once", help: "End when each device named, or one, was read; Ctrl-C ends too."),
      CommandOption("json", help: "Print readings as objects a line in the Inform v2 form."),
    ] + SessionOptions.all + [RadioChoice.option],
    details: """
      Readings are printed to standard output, one a line, all else to standard error. With --data they
      are on the disk before they are printed. Without DEVICE any device of the catalogue is read.
      Runs until Ctrl-C or SIGTERM unless --once is given, and survives a restart of bluetoothd and an
      adapter that is unplugged. Devices that ask for it must have been paired («santorio pair»).

      \(DeviceChoice.details)

      \(SessionOptions.details)

      \(RadioChoice.details)

      examples: santorio read --once --json UA-651BLE
                santorio read --data hub --server https://readings.example.org --organization clinic --user bed-2
      """
  ) { arguments in
    try await Reading(arguments).run()
  }
}

/// Reads devices, once or for as long as it runs.
struct Reading: Sendable {
  /// What has ended of the work that goes on side by side.
  private enum End: Sendable {
    case reading(Int32)
    case stopped
    case uploading((any Error)?)
    case other
  }

  /// How often a device is tried whose connection breaks, when it is to be read once.
  private static let tries = 3
  private static let pause = Duration.seconds(2)

  private let radioChoice: RadioChoice
  private let devices: [DeviceChoice]
  private let isOnce: Bool
  private let sessionOptions: SessionOptions
  private let printer: RecordPrinter

  init(_ arguments: Arguments) throws(UsageError) {
    radioChoice = try RadioChoice(arguments)
    var devices: [DeviceChoice] = []
    for operand in arguments.operands { devices.append(try DeviceChoice(operand, for: "read")) }
    let entries = devices.count { if case .entry = $0 { true } else { false } }
    guard entries == 0 || entries == devices.count else {
      throw UsageError(
        "name either entries of the catalogue or single devices, not both.", command: "read")
    }
    self.devices = devices.isEmpty ? [.any] : devices
    isOnce = arguments.has("once")
    sessionOptions = try SessionOptions(arguments)
    printer = RecordPrinter(isJSON: arguments.has("json"))
  }

  func run() async throws -> Int32 {
    let radio = CommandRadio(radioChoice, answering: Self.refuse)
    try await radio.waitUntilOn()
    let session = try await sessionOptions.open()
    let stop = await StopSignal()
    let uploads = session.map { UploadReport($0, isCounting: isOnce && sessionOptions.sends) }
    return await withTaskGroup(of: End.self) { group in
      group.addTask { .reading(await readAll(radio, session, uploads)) }
      group.addTask {
        await stop.wait()
        return .stopped
      }
      if let session, sessionOptions.sends { addUpload(of: session, to: &group) }
      if let uploads {
        group.addTask {
          await uploads.run(); return .other
        }
      }
      if let ward = radio.ward {
        group.addTask {
          await ward.run(); return .other
        }
      }
      return await status(&group)
    }
  }

  /// Whom to trust is decided when a device is paired, by a person.
  @Sendable private static func refuse(_ question: PairingQuestion) async -> PairingAnswer {
    // That a bond is lost is told by the error that follows.
    if question.kind != .bondReplacement {
      let device = question.name.map { "«\($0.printable)»" } ?? "a device"
      printError("santorio: \(device) asks to be paired, which «santorio pair» does")
    }
    return .reject
  }

  private func addUpload(of session: Session, to group: inout TaskGroup<End>) {
    group.addTask {
      do {
        try await session.run()
        return .uploading(nil)
      } catch {
        return .uploading(error)
      }
    }
  }

  /// Waits for what ends the command, then for the orderly end of all of it.
  private func status(_ group: inout TaskGroup<End>) async -> Int32 {
    var status: Int32?
    while let end = await group.next() {
      switch end {
      case .reading(let result) where status == nil: status = result
      case .stopped where status == nil:
        status = isOnce ? 1 : 0
        if isOnce { printError("santorio: interrupted") }
      case .uploading(let error?):
        // Readings are taken and kept all the same.
        printError("santorio: not sent from here: \(error)")
      default: break
      }
      if status != nil { group.cancelAll() }
    }
    return status ?? 1
  }

  // MARK: - Reading

  private func readAll(
    _ radio: CommandRadio, _ session: Session?, _ uploads: UploadReport?
  ) async -> Int32 {
    var devices: [DeviceChoice] = []
    for device in self.devices {
      guard let found = await radio.resolve(device) else { return 1 }
      devices.append(found)
    }
    let runner = DeviceRunner(controller: radio.controller(session), printer: printer)
    for line in Self.instructions(DeviceTargets(devices)) { printError(line) }
    guard isOnce else { return await readOn(devices, runner, radio.clock) }
    return await readOnce(devices, runner, radio.clock, uploads)
  }

  private func readOnce(
    _ devices: [DeviceChoice], _ runner: DeviceRunner, _ clock: any Clock<Duration>,
    _ uploads: UploadReport?
  ) async -> Int32 {
    var (remaining, logIDs) = (devices, Set<String>())
    var tries = Self.tries
    while !remaining.isEmpty {
      let run = await runner.run(.read, DeviceTargets(remaining))
      switch run.outcome {
      case .finished(let records):
        guard let found = run.found else { return 1 }
        logIDs.formUnion(records.map(\.logID))
        remaining.removeAll { $0.matches(found.peripheral, identifier: found.identifier) }
      case .cancelled: return 1
      case .failed(let error, _):
        tries -= 1
        printError("santorio: not read: \(error.advice)")
        guard Self.maySucceed(after: error), tries > 0 else { return 1 }
        try? await clock.sleep(for: Self.pause)
      }
    }
    await uploads?.wait(for: logIDs)
    return 0
  }

  /// A connection may break because the program that used the device before is just ending it, which
  /// takes bluetoothd some seconds.
  private static func maySucceed(after error: BluetoothError) -> Bool {
    [.communicationFailure, .connectionFailure].contains(error.code)
  }

  private func readOn(
    _ devices: [DeviceChoice], _ runner: DeviceRunner, _ clock: any Clock<Duration>
  ) async -> Int32 {
    var lastError: BluetoothError?
    while !Task.isCancelled {
      guard case .failed(let error, _) = await runner.run(.read, DeviceTargets(devices)).outcome
      else {
        lastError = nil
        continue
      }
      // That nothing appeared for a while is no news, nor is a fault that lasts.
      guard error.code != .connectionTimeout else { continue }
      if error != lastError { printError("santorio: not read: \(error.advice)") }
      lastError = error
      try? await clock.sleep(for: Self.pause)
    }
    return 0
  }

  /// What to do on the device.
  static func instructions(_ targets: DeviceTargets) -> [String] {
    guard targets.identifiers == nil, targets.peripherals.count == 1,
      let only = targets.peripherals.first
    else { return ["waiting for devices; press Ctrl-C to stop"] }
    return ["\(only.name): \(only.instructions)", "press Ctrl-C to stop"]
  }
}
