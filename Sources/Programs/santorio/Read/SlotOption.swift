// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import SantorioBluetooth

/// Which users of devices are meant, as `--slot` names them: `2`, or `DEVICE=2` for each device.
struct SlotOption: Sendable {
  /// A user of one device.
  struct Assignment: Sendable {
    /// The device as it was named.
    let name: String
    let device: DeviceChoice
    /// What the device calls the user; nil for "none".
    let label: Int?

    /// Whether it may mean a device.
    fileprivate func fits(_ enrolled: EnrolledDevice) -> Bool {
      switch device {
      case .identifier(let identifier): enrolled.identifier == identifier
      case .entry(let entry): enrolled.model?.id == entry.id
      case .name(let text):
        enrolled.model?.name.lowercased().contains(text.lowercased()) ?? false
      case .any, .enrolled: false
      }
    }
  }

  /// The word that forgets what was said of a device.
  private static let none = "none"
  /// Some devices give their users the numbers of accounts.
  private static let numbers = 0...Int(UInt32.max)

  /// The user of the one device that is meant; nil where devices are named.
  private(set) var label: Int?
  /// The users of the devices that are named.
  private(set) var assignments: [Assignment] = []
  private let command: String

  /// Makes the option of a command.
  static func option(_ value: String, help: String) -> CommandOption {
    CommandOption("slot", value, help: help, repeats: true)
  }

  /// The help text about the value.
  static let details = """
    Several people may use one device, each in a slot. N of --slot is the number that the device
    shows or has on its button (M1, M2); "santorio devices NUMBER" says where it is not public how
    a device labels its users: then it is the number that the device sends. DEVICE is the
    identifier of an enrolled device, which "santorio devices --data FOLDER" shows, or a part of its
    model's name.
    """

  /// Takes the option from the arguments.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - allowsNone: Whether a device's user may be "none".
  /// - Throws: ``UsageError`` for a value that names no user.
  init(_ arguments: Arguments, allowsNone: Bool = false) throws(UsageError) {
    command = arguments.command
    for text in arguments.values(of: "slot") {
      guard let sign = text.lastIndex(of: "=") else {
        guard label == nil else {
          throw UsageError(
            "--slot N can be given once; name the devices: DEVICE=N.", command: command)
        }
        label = try Self.label(text, for: command)
        continue
      }
      let (name, user) = (String(text[..<sign]), String(text[text.index(after: sign)...]))
      let device = try DeviceChoice(name, for: command)
      let label: Int? =
        allowsNone && user == Self.none ? nil : try Self.label(user, for: command)
      assignments.append(Assignment(name: name, device: device, label: label))
    }
    guard label == nil || assignments.isEmpty else {
      throw UsageError("--slot takes N, or DEVICE=N for each device, not both.", command: command)
    }
  }

  /// Whether it was not given.
  var isEmpty: Bool { label == nil && assignments.isEmpty }

  private static func label(_ text: String, for command: String) throws(UsageError) -> Int {
    guard let label = Int(text), numbers.contains(label) else {
      throw UsageError(
        "--slot takes a user's number, as N or DEVICE=N, not \"\(text.printable)\".",
        command: command)
    }
    return label
  }

  // MARK: - Devices

  /// The one device of an assignment.
  ///
  /// - Throws: ``CommandError`` for a model of which not one device is enrolled.
  static func identifier(
    of assignment: Assignment, among enrolled: [EnrolledDevice]
  ) throws(CommandError) -> UUID {
    if case .identifier(let identifier) = assignment.device { return identifier }
    let fitting = enrolled.filter { assignment.fits($0) }
    guard fitting.count < 2 else {
      throw CommandError(
        "\(fitting.count) devices of the model \"\(assignment.name.printable)\" are enrolled; name one "
          + "by its identifier: \(fitting.map(\.identifier.uuidString).joined(separator: ", "))")
    }
    guard let device = fitting.first else {
      throw CommandError(
        "no device of the model \"\(assignment.name.printable)\" is enrolled in the folder; "
          + "\"santorio devices --data FOLDER\" shows those that are")
    }
    return device.identifier
  }

  /// Whose readings are wanted of which device.
  ///
  /// - Parameters:
  ///   - devices: What is to be read.
  ///   - isOnce: Whether one device of each model is read.
  ///   - enrolled: The devices that are enrolled.
  /// - Returns: The users.
  /// - Throws: ``CommandError`` where it is not clear which device is meant, or the device has no
  ///   such user.
  func choices(
    of devices: [DeviceChoice], isOnce: Bool, enrolled: [EnrolledDevice]
  ) throws(CommandError) -> UserChoices {
    var choices = UserChoices()
    for assignment in assignments {
      let identifier = try Self.identifier(of: assignment, among: enrolled)
      choices.devices[identifier] = try choice(assignment.label, of: identifier, among: enrolled)
    }
    guard let label else { return choices }
    switch try meaning(of: devices, isOnce: isOnce, enrolled: enrolled) {
    case .model: choices.any = .label(label)
    case .device(let device):
      choices.devices[device] = try choice(label, of: device, among: enrolled)
    case nil: break
    }
    return choices
  }

  private func choice(
    _ label: Int?, of device: UUID, among enrolled: [EnrolledDevice]
  ) throws(CommandError) -> UserChoice? {
    guard let label else { return nil }
    let choice = UserChoice.label(label)
    guard let model = enrolled.first(where: { $0.identifier == device })?.model else {
      return choice
    }
    do throws(BluetoothError) {
      return .slot(try choice.slot(on: model))
    } catch {
      throw CommandError(error.message)
    }
  }

  /// Of what a number without a device is the user.
  private enum Meaning {
    case model
    case device(UUID)
  }

  private func meaning(
    of devices: [DeviceChoice], isOnce: Bool, enrolled: [EnrolledDevice]
  ) throws(CommandError) -> Meaning? {
    if case .entry = devices.first {
      guard isOnce, devices.count == 1 else {
        throw CommandError(
          "--slot \(label ?? 0) does not say which device is meant: name one device by its "
            + "identifier, or pass --slot DEVICE=N")
      }
      return .model
    }
    let named = devices.compactMap { device in
      if case .identifier(let identifier) = device { identifier } else { nil }
    }
    if named.count == 1 { return .device(named[0]) }
    let wanted = named.isEmpty ? enrolled : enrolled.filter { named.contains($0.identifier) }
    // A pairing takes the slot, too.
    guard !wanted.isEmpty || !named.isEmpty else { return nil }
    let fitting = wanted.count == 1 ? wanted : wanted.filter(\.tellsUsersApart)
    guard fitting.count == 1 else { throw ambiguity(fitting) }
    return .device(fitting[0].identifier)
  }

  private func ambiguity(_ devices: [EnrolledDevice]) -> CommandError {
    guard !devices.isEmpty else {
      return CommandError(
        "none of these devices tells its users apart so far, so --slot \(label ?? 0) is of none; "
          + "pass --slot DEVICE=N")
    }
    let examples = devices.map { device in
      "  --slot \(device.identifier)=N   \(device.model?.name ?? "a device")"
    }
    return CommandError(
      "\(devices.count) devices tell their users apart, and user \(label ?? 0) of one need not be "
        + "user \(label ?? 0) of another; say it for each, as its own number:\n"
        + examples.joined(separator: "\n"))
  }
}

/// Whose readings are wanted of the devices of a command.
struct UserChoices: Hashable, Sendable {
  /// Of whichever device is found.
  var any: UserChoice?
  /// Of single devices.
  var devices: [UUID: UserChoice] = [:]
}
