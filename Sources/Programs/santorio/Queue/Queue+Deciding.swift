// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthRecords
import SantorioBluetooth
import SantorioCore

extension Queue {
  /// Decides about held records: those that are named, or all of one user of a device.
  func decide(
    _ decision: (SantorioSession, [HealthRecord]) async throws -> Void
  ) async throws -> Int32 {
    guard operands.isEmpty != slots.isEmpty else {
      throw UsageError(
        "name records by their LOG_ID, or all of a user of a device with --slot.", command: "queue")
    }
    let chosen = try await slots.isEmpty ? named() : ofUsers()
    let unknown = Set(operands).subtracting(chosen.map(\.logID))
    for name in unknown.sorted() {
      printError("santorio: no record \"\(name.printable)\" is held")
    }
    if !chosen.isEmpty { try await decision(session, chosen) }
    let (held, waiting) = (
      try await session.heldCount() - session.olderCount(),
      try await session.undecidedRecords().count
    )
    print("decided about \(chosen.count) records; \(Self.text(held: held, waiting: waiting))")
    return unknown.isEmpty && !chosen.isEmpty ? 0 : 1
  }

  /// How many held records wait for a decision, and how many were declined.
  static func text(held: Int, waiting: Int) -> String {
    let declined = held > waiting ? ", \(held - waiting) declined" : ""
    return "\(waiting) wait for a decision\(declined)"
  }

  private func named() async throws -> [HealthRecord] {
    try await session.heldRecords().filter { operands.contains($0.logID) }
  }

  /// The readings of the users whom `--slot` names; what was declined is decided, unless it is named.
  private func ofUsers() async throws -> [HealthRecord] {
    let receiver = BluetoothReceiver(session: session)
    if let label = slots.label {
      let chosen = try await session.undecidedRecords().filter { $0.isOfUser(labeled: label) }
      guard Set(chosen.map { $0.source.device?.id }).count < 2 else {
        throw CommandError(
          "readings of several devices are held, whose users are not the same people: pass --slot "
            + "DEVICE=N, or name them by their LOG_ID, which \"santorio queue list held\" shows")
      }
      return chosen
    }
    let enrolled = try await receiver.enrolments()
    var chosen: [HealthRecord] = []
    for assignment in slots.assignments {
      let device = try SlotOption.identifier(of: assignment, among: enrolled)
      let held = try await receiver.undecidedRecords(of: device)
      chosen += held.filter { record in
        assignment.label.map { record.isOfUser(labeled: $0) } ?? false
      }
    }
    return chosen
  }
}

extension HealthRecord {
  /// The catalogue's entry of the device that it is of; nil for one that the catalogue lacks.
  var deviceModel: DeviceModel? {
    source.device?.peripheralID.flatMap { DeviceCatalogue.standard.entry(id: $0) }
  }

  /// Whether it is of the user whom its device calls by a number.
  func isOfUser(labeled label: Int) -> Bool {
    guard let slot = source.device?.userSlot else { return false }
    return (deviceModel?.userNumbering ?? .notPublic).slot(labeled: label) == slot
  }
}
