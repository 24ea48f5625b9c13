// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import SantorioBluetooth
import SantorioCore
import SantorioJSON

/// The devices that are enrolled in a session's folder, and which of their users its user is.
struct FolderDevices {
  private let receiver: BluetoothReceiver
  private let slots: SlotOption
  private let isJSON: Bool

  /// Works on the folder that the arguments name.
  ///
  /// - Returns: The exit status of the command.
  static func run(_ arguments: Arguments) async throws -> Int32 {
    let slots = try SlotOption(arguments, allowsNone: true)
    let path = arguments["data"] ?? ""
    let folder = URL(fileURLWithPath: path, isDirectory: true)
    try SessionFolder.check(folder, named: path, for: "devices")
    let session = try await SessionFolder.open(SessionFolder.configuration(of: folder))
    let devices = FolderDevices(
      receiver: BluetoothReceiver(session: session), slots: slots, isJSON: arguments.has("json"))
    try await devices.setSlots()
    try await devices.list()
    return 0
  }

  private func setSlots() async throws {
    for (device, label) in try await wanted() {
      let model = try await receiver.enrolments().first { $0.identifier == device }?.model
      let slot = try label.map { label in
        try model.map { try UserChoice.label(label).slot(on: $0) } ?? label
      }
      let count = try await receiver.setUserSlot(slot, of: device)
      if count > 0 { printError("\(count) readings that were held are this user's now") }
    }
  }

  /// The devices to be changed, and what each calls the user.
  private func wanted() async throws -> [(UUID, Int?)] {
    let enrolled = try await receiver.enrolments()
    if let label = slots.label {
      let devices = enrolled.map { DeviceChoice.identifier($0.identifier) }
      let choices = try slots.choices(of: devices, isOnce: false, enrolled: enrolled)
      guard let device = choices.devices.keys.first else {
        throw CommandError("no device is enrolled in the folder")
      }
      return [(device, label)]
    }
    var wanted: [(UUID, Int?)] = []
    for assignment in slots.assignments {
      let device = try SlotOption.identifier(of: assignment, among: enrolled)
      guard enrolled.contains(where: { $0.identifier == device }) else {
        throw CommandError(
          "\"\(assignment.name.printable)\" is not enrolled for this folder's user; pair it with "
            + "\"santorio pair --data FOLDER\"")
      }
      wanted.append((device, assignment.label))
    }
    return wanted
  }

  // MARK: - The list

  private func list() async throws {
    let devices = try await receiver.enrolments()
    guard !isJSON else { return devices.forEach { print(Self.json($0)) } }
    guard !devices.isEmpty else { return printError("no device is enrolled in the folder") }
    print(Self.row("DEVICE", "IDENTIFIER", "THIS USER IS", "HAS SHOWN", "HELD"))
    for device in devices { print(Self.line(device)) }
  }

  private static func row(_ cells: String...) -> String {
    zip(cells, [34, 36, 22, 22, 0]).map { $0.padded(to: $1) }.joined(separator: "  ")
  }

  private static func line(_ device: EnrolledDevice) -> String {
    let shown = device.users.shown.sorted().map { name($0, on: device) }
    return row(
      device.model?.name ?? "not in the catalogue", device.identifier.uuidString,
      device.users.own.map { name($0, on: device) } ?? unsaid(device),
      shown.isEmpty ? "no user" : shown.joined(separator: ", "), "\(device.users.heldCount)")
  }

  private static func unsaid(_ device: EnrolledDevice) -> String {
    if device.users.shown.count > 1 { return "not said, see --slot" }
    return device.tellsUsersApart ? "its one user" : "its user"
  }

  private static func name(_ slot: Int, on device: EnrolledDevice) -> String {
    device.model?.name(ofUserIn: slot) ?? "slot \(slot)"
  }

  private static func json(_ device: EnrolledDevice) -> String {
    let label = { (slot: Int?) in slot.flatMap { device.model?.userNumbering?.label(of: $0) } }
    var json = JSONWriter()
    json.object { json in
      json.key("identifier")
      json.string(device.identifier.uuidString)
      json.optional("catalogue", device.model?.id)
      json.optional("name", device.model?.name)
      json.optional("user_slot", device.users.own)
      json.optional("user_label", label(device.users.own))
      json.key("shown_slots")
      json.array { json in device.users.shown.sorted().forEach { json.integer($0) } }
      json.key("held")
      json.integer(device.users.heldCount)
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
