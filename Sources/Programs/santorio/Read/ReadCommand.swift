// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothBlueZ
import Foundation
import HealthRecords
import SantorioBluetooth
import SantorioConcurrency
import SantorioCore
import HealthDevices

extension Command {
  static let read = Command(
    name: "read",
    summary: "Read devices, and put their readings into a session's queue.",
    forms: [
      "[DEVICE ... | --any] [--slot [DEVICE=]N ... | --every-user] [--once] [--json] [--data FOLDER [--server URL ...]] [--radio RADIO]"
    ],
    options: [
      CommandOption("any", help: "Read every catalogue device in range, even other people's."),
      SlotOption.option(
        "[DEVICE=]N", help: "Take the readings of this user of a device only; once for each device."
      ),
      CommandOption(
        "every-user", help: "Take the readings of all users of a device for this user's."),
      CommandOption("once", help: "End when each named device, or any one, was read."),
      CommandOption("json", help: "Print one object per reading in the Inform v2 format."),
    ] + SessionOptions.all + [RadioChoice.option, ClockOption.option],
    details: """
      Readings are printed to standard output, one per line, everything else to standard error. With
      --data they are on the disk before they are printed. Without DEVICE the devices that were
      paired for the folder ("santorio pair --data FOLDER") are read, as many at once as the adapter
      can connect; a device without new readings is read less and less often. With --any all devices
      in range are read, including those of other people, whose readings are then attributed to this
      user.

      \(SlotOption.details)

      The readings of that user are taken, and the others stay on the device as far as it keeps them.
      --slot is for this call; "santorio devices --data FOLDER --slot DEVICE=N" says it once for all.
      A plain N is enough where one device is read, or one that tells its users apart. Of a device
      that has shown two users, and of which nothing was said, the readings are held until somebody
      decides whose they are, as are those of a person whom the device does not know: see
      "santorio queue release".

      Runs until Ctrl-C or SIGTERM unless --once is given, and survives a restart of bluetoothd and
      an unplugged adapter; with --server, queued readings are sent even without an adapter. It ends
      with status 1 when the session ends: the server has refused the token, or another user's
      session has started.

      \(DeviceChoice.details)

      \(SessionOptions.details)

      \(RadioChoice.details)

      examples: santorio read --once --json UA-651BLE
                santorio pair UA-651BLE --data hub
                santorio read --data hub --server https://readings.example.org --organization clinic --user bed-2
      """
  ) { arguments in
    try await Reading(arguments).run()
  }
}

/// Reads devices, once or continuously.
struct Reading: Sendable {
  /// Which of the concurrent tasks has ended.
  private enum End: Sendable {
    case reading(Int32)
    case stopped
    case sessionEnded
    case other
  }

  /// How often to check whether there is a radio.
  private static let radioPause = Duration.seconds(30)

  private let radioChoice: RadioChoice
  private let devices: [DeviceChoice]
  private let isOnce: Bool
  private let sessionOptions: SessionOptions
  private let printer: RecordPrinter
  private let slots: SlotOption
  private let takesEveryUser: Bool
  private let clockPolicy: ClockPolicy

  init(_ arguments: Arguments) throws(UsageError) {
    radioChoice = try RadioChoice(arguments)
    var devices: [DeviceChoice] = []
    for operand in arguments.operands { devices.append(try DeviceChoice(operand, for: "read")) }
    let entries = devices.count { if case .entry = $0 { true } else { false } }
    guard entries == 0 || entries == devices.count else {
      throw UsageError(
        "name either catalogue entries or single devices, not both.", command: "read")
    }
    isOnce = arguments.has("once")
    slots = try SlotOption(arguments)
    clockPolicy = try ClockOption.policy(arguments)
    takesEveryUser = arguments.has("every-user")
    guard slots.isEmpty || !takesEveryUser else {
      throw UsageError("name one user with --slot or pass --every-user, not both.", command: "read")
    }
    sessionOptions = try SessionOptions(arguments)
    guard devices.isEmpty || !arguments.has("any") else {
      throw UsageError("name devices or pass --any, not both.", command: "read")
    }
    guard !devices.isEmpty || arguments.has("any") || sessionOptions.isKept else {
      throw UsageError(
        "no device is named: name one, or pass --data FOLDER to read those that were paired for "
          + "it, or pass --any to read every device in range.", command: "read")
    }
    guard slots.label == nil || !arguments.has("any") else {
      throw UsageError(
        "--slot N with --any does not say which device is meant: name it, or pass --slot DEVICE=N.",
        command: "read")
    }
    let unnamed = arguments.has("any") ? DeviceChoice.any : .enrolled
    self.devices = devices.isEmpty ? [unnamed] : devices
    printer = RecordPrinter(isJSON: arguments.has("json"))
  }

  func run() async throws -> Int32 {
    // Queued readings are sent, whether there is a radio or not.
    let session = try await sessionOptions.open()
    let owner = if let session { try await SessionOwner(session) } else { SessionOwner?.none }
    let radio = CommandRadio(radioChoice, answering: Self.refuse)
    let stop = await StopSignal()
    let status = await withTaskGroup(of: End.self) { group in
      let uploads = session.map { addUpload(of: $0, owner, to: &group) }
      group.addTask { .reading(await readAll(radio, session, owner, uploads)) }
      group.addTask {
        await stop.wait()
        return .stopped
      }
      if let devices = radio.devices {
        group.addTask {
          await devices.run(); return .other
        }
      }
      return await self.status(&group)
    }
    guard let owner, await owner.hasEnded() else { return status }
    printError(await owner.endMessage())
    return 1
  }

  /// The user decides which device to trust when it is paired, not here.
  @Sendable private static func refuse(_ question: PairingQuestion) async -> PairingAnswer {
    // A lost bond is reported by the error that follows.
    if question.kind != .bondReplacement {
      let device = question.name.map { "\"\($0.printable)\"" } ?? "a device"
      printError("santorio: \(device) asks to be paired; run \"santorio pair\"")
    }
    return .reject
  }

  private func addUpload(
    of session: SantorioSession, _ owner: SessionOwner?, to group: inout TaskGroup<End>
  ) -> UploadReport {
    let sends = sessionOptions.sends
    let report = UploadReport(session, of: owner, isCounting: isOnce && sends)
    group.addTask { await report.run() ? .sessionEnded : .other }
    guard sends else { return report }
    group.addTask {
      await UploadLoop(session: session).run()
      return .other
    }
    group.addTask {
      await report.watch()
      return .other
    }
    return report
  }

  /// Waits for what ends the command, then for the orderly end of all tasks.
  private func status(_ group: inout TaskGroup<End>) async -> Int32 {
    var status: Int32?
    while let end = await group.next() {
      switch end {
      case .reading(let result) where status == nil: status = result
      case .stopped where status == nil:
        status = isOnce ? 1 : 0
        if isOnce { printError("santorio: interrupted") }
      case .sessionEnded where status == nil: status = 1
      default: break
      }
      if status != nil { group.cancelAll() }
    }
    return status ?? 1
  }

  // MARK: - Reading

  private func readAll(
    _ radio: CommandRadio, _ session: SantorioSession?, _ owner: SessionOwner?,
    _ uploads: UploadReport?
  ) async -> Int32 {
    guard await isOn(radio, uploads) else { return 1 }
    var devices: [DeviceChoice] = []
    for device in self.devices {
      guard let found = await radio.resolve(device) else { return 1 }
      devices.append(found)
    }
    var settings = BluetoothSettings()
    settings.takesEveryUser = takesEveryUser
    settings.clockPolicy = clockPolicy
    var runner = radio.runner(for: session, settings: settings, printing: printer)
    let receiver = runner.receiver
    guard let users = await users(of: devices, receiver) else { return 1 }
    runner.users = users
    if devices == [.any] { printError(Self.risk) }
    if devices.contains(.enrolled) {
      let others = (try? await receiver.devicesOfOthers()) ?? []
      if let advice = TurnReading.adviceOnOthers(others) { printError(advice) }
    }
    let targets = { @Sendable [devices] in
      DeviceTargets(devices, enrolled: await receiver.enrolledOrNone())
    }
    for line in await targets().map(Self.instructions) ?? [] { printError(line) }
    guard isOnce else {
      let monotonicClock = MonotonicClock(radio.clock)
      return await TurnReading(
        runner: runner, monotonicClock: monotonicClock, owner: owner, targets: targets,
        waitsForEnrolment: sessionOptions.sends
      ).run()
    }
    return await OnceReading(
      runner: runner, clock: radio.clock, owner: owner, uploads: uploads,
      sends: sessionOptions.sends
    ).run(devices)
  }

  /// Whose readings are wanted; nil, with a message, where that is not clear.
  private func users(
    of devices: [DeviceChoice], _ receiver: BluetoothReceiver
  ) async -> UserChoices? {
    guard !slots.isEmpty else { return UserChoices() }
    do {
      return try slots.choices(
        of: devices, isOnce: isOnce, enrolled: try await receiver.enrolments())
    } catch {
      printError("santorio: \(error)")
      return nil
    }
  }

  /// The warning about --any.
  static let risk = """
    santorio: warning: with --any every device in range is read; other people's readings are \
    attributed to this user
    """

  /// Waits for the radio, while there is something else to do: to send queued readings.
  private func isOn(_ radio: CommandRadio, _ uploads: UploadReport?) async -> Bool {
    var last: String?
    while !Task.isCancelled {
      do throws(RadioUnavailable) {
        try await radio.waitUntilOn()
        return true
      } catch {
        guard !Task.isCancelled else { return false }
        if error.description != last { printError("santorio: \(error)") }
        last = error.description
      }
      guard sessionOptions.sends, let uploads else { return false }
      guard !isOnce else {
        await uploads.waitUntilSettled()
        return false
      }
      try? await Task.sleep(for: Self.radioPause)
    }
    return false
  }

  /// What to do on the device.
  static func instructions(_ targets: DeviceTargets) -> [String] {
    guard targets.identifiers == nil, targets.peripherals.count == 1,
      let only = targets.peripherals.first
    else { return ["waiting for devices; press Ctrl-C to stop"] }
    return ["\(only.name): \(only.instructions)", "press Ctrl-C to stop"]
  }
}

extension BluetoothReceiver {
  /// The enrolled devices; none, with a message, when they cannot be read.
  func enrolledOrNone() async -> [UUID] {
    do throws(BluetoothError) {
      return try await enrolledDevices()
    } catch {
      printError("santorio: the enrolled devices cannot be read: \(error)")
      return []
    }
  }
}
