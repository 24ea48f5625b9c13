// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import SantorioBluetooth
import VirtualDevices
import HealthDevices

extension Command {
  static let simulate = Command(
    name: "simulate",
    summary: "Advertise a virtual medical device, for a phone or a gateway to find.",
    forms: ["DEVICE [--name NAME] [--every N] [--json] [--radio RADIO]", "--list"],
    options: [
      CommandOption("list", help: "List the devices and end."),
      CommandOption("name", "NAME", help: "The name to advertise instead of the model's."),
      CommandOption("every", "N", help: "Take a new measurement every N seconds."),
      CommandOption(
        "json",
        help: "With a simulated radio: print one object per reading in the Inform v2 format."),
      RadioChoice.option,
    ],
    details: """
      The device is in pairing mode and has measurements to send. In a terminal, Return takes a new
      one; a device that has sent all is silent until then, as real ones are. Runs until Ctrl-C.

      The adapter must be able to advertise, and the device can be found only from another machine.
      RADIO "simulated" cannot be received outside the process: there the command reads the device
      back, prints its readings, and ends.

      devices:
      \(Simulation.list)
      """
  ) { arguments in
    guard !arguments.has("list") else {
      guard arguments.operands.isEmpty else {
        throw UsageError("--list does not take a device.", command: "simulate")
      }
      print(Simulation.list)
      return 0
    }
    return try await Simulation(arguments).run()
  }
}

/// Advertises one virtual device.
struct Simulation: Sendable {
  /// What fits into advertisement and scan response in addition to the service.
  private static let maximumNameBytes = 29

  private let choice: RadioChoice
  private let model: VirtualDeviceModel
  private let seconds: Int?
  private let isJSON: Bool

  static var list: String {
    let width = VirtualDeviceModel.all.map(\.id.count).max() ?? 0
    return VirtualDeviceModel.all.map { "  \($0.id.padded(to: width + 2))\($0.summary)" }
      .joined(separator: "\n")
  }

  init(_ arguments: Arguments) throws(UsageError) {
    guard arguments.operands.count == 1, let name = arguments.operands.first else {
      throw UsageError(
        "\"simulate\" takes one device; the devices are\n\(Self.list)", command: "simulate")
    }
    guard var model = VirtualDeviceModel(id: name.lowercased()) else {
      throw UsageError(Self.unknown(name), command: "simulate")
    }
    if let name = arguments["name"] {
      guard (1...Self.maximumNameBytes).contains(name.utf8.count) else {
        throw UsageError(
          "--name takes 1 to \(Self.maximumNameBytes) bytes of UTF-8, which fit into an "
            + "advertisement; \"\(name.printable)\" has \(name.utf8.count).", command: "simulate")
      }
      model.advertisedName = name
    }
    self.model = model
    choice = try RadioChoice(arguments)
    seconds = try arguments.integer("every", in: 1...86_400)
    isJSON = arguments.has("json")
    if isJSON, case .bluez = choice {
      throw UsageError(
        "--json goes with a simulated radio, where the device is read back.", command: "simulate")
    }
  }

  private static func unknown(_ name: String) -> String {
    let unknown = "unknown virtual device '\(name.printable)'; "
    let known = VirtualDeviceModel.all.map(\.id)
    guard let similar = Suggestion.similar(to: name.lowercased(), among: known) else {
      return unknown + "\"santorio simulate --list\" lists the devices."
    }
    return unknown + "did you mean '\(similar)'?"
  }

  func run() async throws -> Int32 {
    guard case .simulated(let speed) = choice else { return try await runOnAir() }
    return try await readBack(SimulatedRadioEnvironment.running(speed: speed))
  }

  // MARK: - On an adapter

  private func runOnAir() async throws -> Int32 {
    // As on a device without buttons: passkeys are shown, and everything else is accepted.
    let prompt = PairingPrompt(passkey: nil, isUnattended: true)
    let radio = CommandRadio(choice, answering: prompt.answer)
    try await radio.waitUntilOn()
    let stop = await StopSignal()
    let (events, continuation) = AsyncStream.makeStream(of: VirtualDeviceEvent.self)
    let device = VirtualDevice(
      model, managerOptions: radio.managerOptions, onEvent: { continuation.yield($0) })
    start(device)
    let keys = Terminal.isInput ? Task { await measureOnReturn(device) } : nil
    defer { keys?.cancel() }
    let status = await withTaskGroup(of: Int32.self) { group in
      group.addTask { await report(events) }
      group.addTask {
        await stop.wait()
        return 0
      }
      if let seconds {
        group.addTask { await measure(device, every: .seconds(seconds)) }
      }
      defer { group.cancelAll() }
      return await group.next() ?? 1
    }
    device.switchOff()
    return status
  }

  private func start(_ device: VirtualDevice) {
    device.switchOn()
    device.enterPairingMode()
  }

  /// Reports what the device does, and ends when it cannot continue.
  private func report(_ events: AsyncStream<VirtualDeviceEvent>) async -> Int32 {
    for await event in events {
      switch event {
      case .advertising:
        printError("advertising as \"\(model.advertisedName)\"; press Ctrl-C to stop")
      case .clockSet: printError("its clock was set")
      case .subscribed: printError("a reader has subscribed to its measurements")
      case .transferred(let count):
        printError(
          "\(count) measurements were sent" + (Terminal.isInput ? "; Return takes one more" : ""))
      case .failed(let reason):
        printError("santorio: the device cannot be advertised: \(reason)")
        return 1
      }
    }
    return 0
  }

  private func measureOnReturn(_ device: VirtualDevice) async {
    while await Terminal.line() != nil, !Task.isCancelled { device.measure() }
  }

  private func measure(_ device: VirtualDevice, every interval: Duration) async -> Int32 {
    while (try? await Task.sleep(for: interval)) != nil { device.measure() }
    return 0
  }

  // MARK: - In the process

  /// Reads the device over the same simulated radio, since no other process can.
  private func readBack(_ air: SimulatedRadioEnvironment) async throws -> Int32 {
    printError("no other process can receive a simulated radio; the device is read back")
    let host = air.makeHost(named: model.advertisedName)
    let gateway = air.makeHost(named: "Gateway", at: SimulatedPosition(x: 2, y: 1))
    let device = VirtualDevice(model, on: host)
    start(device)
    let runner = CommandRadio(gateway).runner(for: nil, printing: RecordPrinter(isJSON: isJSON))
    try VirtualDeviceKey(for: model)?.store(
      in: runner.receiver, for: gateway.identifier(of: host))
    let stop = await StopSignal()
    let expected = model.readingCount
    return await withTaskGroup(of: Int32?.self) { group in
      group.addTask { await readBack(runner, expected) }
      group.addTask {
        await stop.wait()
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first ?? 1
    }
  }

  private func readBack(_ runner: DeviceRunner, _ expected: Int) async -> Int32 {
    var outcome = await runner.run(.read, DeviceTargets([.any])).outcome
    if expected > 0, outcome == .nothingNew {
      // A scale that has only introduced itself, by giving out its password, sends its values now.
      outcome = await runner.run(.read, DeviceTargets([.any])).outcome
    }
    switch outcome {
    case .finished, .nothingNew:
      guard outcome.records.count != expected else { return 0 }
      printError("santorio: \(outcome.records.count) of \(expected) readings arrived")
    case .failed(let error, _): printError("santorio: not read: \(error.advice)")
    case .cancelled: printError("santorio: interrupted")
    }
    return 1
  }
}
