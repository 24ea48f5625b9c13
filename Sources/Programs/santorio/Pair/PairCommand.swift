// SPDX-License-Identifier: Apache-2.0

import SantorioBluetooth
import SantorioCore
import HealthDevices

extension Command {
  static let pair = Command(
    name: "pair",
    summary: "Pair a device, so that it gives its readings to this machine.",
    forms: [
      "[DEVICE] [--passkey N] [--yes] [--take-over] [--with-memory] [--slot N] [--seconds N] [--key-file FILE] [--json] [--data FOLDER [--server URL ...]] [--radio RADIO]"
    ],
    options: [
      CommandOption("passkey", "N", help: "The passkey that the device shows, or its fixed one."),
      CommandOption(
        "yes", help: "Answer yes to all questions; comparison numbers are then not checked."),
      CommandOption(
        "take-over",
        help: "Also pair another user's device of FOLDER; its readings become this user's."),
      CommandOption(
        "with-memory",
        help: "With --data: also take what the device has measured before; it must be the user's."),
      CommandOption(
        "slot", "N", help: "With --data: which of the device's users the session's user is."),
      CommandOption(
        "seconds", "N",
        help: "How long to look for the device; as long as it takes if not given, but 60 by name."),
      DeviceKeyOption.option,
      CommandOption("json", help: "Print one object per reading in the Inform v2 format."),
    ] + SessionOptions.all + [RadioChoice.option, ClockOption.option],
    details: """
      First put the device into pairing mode, as its manual describes. Without DEVICE the first
      catalogue device that is found is paired. Questions from the device are asked in the terminal.
      The system keeps the bond: a device is paired once for all programs.

      With --data the device is also enrolled, whether it needs a bond or not: "santorio read" reads
      the devices that were paired for its folder, and takes of a device that several people use the
      readings of user N, as the device shows it (see "santorio devices NUMBER").

      A device may send its stored readings as soon as it is paired, and delete them. They are
      printed. With --data the device is the user's from now on: what it has measured before is kept,
      but not sent, unless --with-memory takes it, too. With --server the queue is sent before the
      command ends, as far as the server answers.

      \(DeviceKeyOption.details)

      \(DeviceChoice.details)

      \(SessionOptions.details)

      \(RadioChoice.details)

      example: santorio pair UA-651BLE --data hub
      """
  ) { arguments in
    try await Pairing(arguments).run()
  }
}

/// Pairs one device.
struct Pairing: Sendable {
  private let radioChoice: RadioChoice
  private let device: DeviceChoice
  private let prompt: PairingPrompt
  private let session: SessionOptions
  private let printer: RecordPrinter
  private let takesOver: Bool
  private let takesMemory: Bool
  private let slot: Int?
  private let seconds: Int?
  private let key: DeviceKeyOption
  private let clockPolicy: ClockPolicy

  init(_ arguments: Arguments) throws {
    guard arguments.operands.count <= 1 else {
      throw UsageError("\"pair\" pairs one device at a time.", command: "pair")
    }
    radioChoice = try RadioChoice(arguments)
    device =
      try arguments.operands.first.map { text throws(UsageError) in
        try DeviceChoice(text, for: "pair")
      } ?? .any
    prompt = PairingPrompt(
      passkey: try Self.passkey(arguments), isUnattended: arguments.has("yes"))
    session = try SessionOptions(arguments)
    takesOver = arguments.has("take-over")
    takesMemory = arguments.has("with-memory")
    clockPolicy = try ClockOption.policy(arguments)
    slot = try arguments.integer("slot", in: 0...Int(UInt32.max))
    seconds = try arguments.integer("seconds", in: 1...3600)
    guard !takesMemory || session.isKept else {
      throw UsageError(
        "--with-memory requires --data: without it all readings are printed.", command: "pair")
    }
    guard slot == nil || session.isKept else {
      throw UsageError("--slot requires --data: it is kept there.", command: "pair")
    }
    key = try DeviceKeyOption(arguments, isKept: session.isKept)
    printer = RecordPrinter(isJSON: arguments.has("json"))
  }

  private static func passkey(_ arguments: Arguments) throws(UsageError) -> Int? {
    guard let text = arguments["passkey"] else { return nil }
    guard let passkey = PairingPrompt.passkey(text) else {
      throw UsageError("--passkey takes one to six digits, not \"\(text)\".", command: "pair")
    }
    return passkey
  }

  func run() async throws -> Int32 {
    let radio = CommandRadio(radioChoice, answering: prompt.answer)
    try await radio.waitUntilOn()
    let session = try await session.open()
    let stop = await StopSignal()
    var settings = BluetoothSettings()
    settings.takesDevicesOver = takesOver
    settings.clockPolicy = clockPolicy
    var runner = radio.runner(for: session, settings: settings, printing: printer)
    runner.users.any = slot.map { .label($0) }
    runner.takesMemory = takesMemory || !self.session.isKept
    return await withTaskGroup(of: Int32?.self) { [runner] group in
      group.addTask {
        let status = await pair(radio, runner)
        if let session, self.session.sends { await Self.sendAll(of: session) }
        return status
      }
      group.addTask {
        await stop.wait()
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      // After Ctrl-C the device is released first.
      let last = await group.next() ?? nil
      return first ?? last ?? 1
    }
  }

  private func pair(_ radio: CommandRadio, _ runner: DeviceRunner) async -> Int32 {
    let byName = Duration.seconds(seconds ?? 60)
    guard let choice = await radio.resolve(device, within: byName) else { return 1 }
    let targets = DeviceTargets([choice])
    for line in Self.instructions(targets) { printError(line) }
    let run = await runner.run(.pair, targets, within: seconds.map { .seconds($0) })
    if let paired = run.standing {
      if case .failed(let error, _) = run.outcome {
        printError("santorio: paired, and not read after that: \(error.advice)")
      }
      print("paired  \(paired.peripheral.name)  \(paired.peripheralUUID)")
      printError(
        session.isKept ? enrolled(paired) : "Read it with: santorio read \(paired.peripheralUUID)")
      return key.store(for: paired, in: runner.receiver, isKept: session.isKept) ? 0 : 1
    }
    switch run.outcome {
    case .finished, .nothingNew: return 1
    case .cancelled:
      printError("santorio: not paired: interrupted")
      return 1
    case .failed(let error, _):
      // Devices that are given a wrong passkey simply disconnect.
      let isPasskey = prompt.hasGivenPasskey && error.code != .connectionTimeout
      // The advice for other commands is to run this one.
      let said = error.code == .pairingFailure ? error.message : error.advice
      let advice = isPasskey ? "Perhaps the passkey was wrong. \(said)" : said
      printError("santorio: not paired: \(advice)")
      return 1
    }
  }

  /// Sends what is in the queue, until nothing is due or the server does not answer.
  private static func sendAll(of session: SantorioSession) async {
    guard let pending = try? await session.pendingCount(), pending > 0 else { return }
    let report = UploadReport(session, of: nil, isCounting: false)
    await withTaskGroup { group in
      group.addTask { await UploadLoop(session: session).run() }
      group.addTask { _ = await report.run() }
      group.addTask { await report.watch() }
      await report.waitUntilSettled()
      group.cancelAll()
    }
  }

  private func enrolled(_ paired: PairingMetadata) -> String {
    let known = "It is enrolled: for this folder \"santorio read\" reads only enrolled devices."
    guard let slot else { return known }
    return known + " This user is its user \(slot)."
  }

  /// What to do on the device.
  static func instructions(_ targets: DeviceTargets) -> [String] {
    let texts = targets.peripherals.compactMap { entry in
      entry.pairingInstructions.map { (entry.name, $0) }
    }
    guard targets.identifiers == nil, texts.count == 1, let only = texts.first else {
      return ["Put the device into pairing mode as its manual describes. Press Ctrl-C to cancel."]
    }
    return ["\(only.0): \(only.1)", "Press Ctrl-C to cancel."]
  }
}
