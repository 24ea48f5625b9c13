// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioCore

extension Queue {
  /// Decides about held records: those that are named, or all of one user of a device.
  func decide(
    _ decision: (SantorioSession, [HealthRecord]) async throws -> Void
  ) async throws -> Int32 {
    guard operands.isEmpty != (userSlot == nil) else {
      throw UsageError(
        "name records by their LOG_ID, or all of a user of a device with --slot.", command: "queue")
    }
    // What was declined is decided, unless it is named.
    let held = try await userSlot == nil ? session.heldRecords() : session.undecidedRecords()
    let chosen = held.filter { record in
      userSlot.map { $0 == record.source.device?.userSlot } ?? operands.contains(record.logID)
    }
    if userSlot != nil, Set(chosen.map { $0.source.device?.id }).count > 1 {
      throw CommandError(
        "readings of several devices are held, whose users are not the same people: name them by "
          + "their LOG_ID, which \"santorio queue list held\" shows")
    }
    let unknown = Set(operands).subtracting(chosen.map(\.logID))
    for name in unknown.sorted() {
      printError("santorio: no record \"\(name.printable)\" is held")
    }
    if !chosen.isEmpty { try await decision(session, chosen) }
    let left = try await session.heldCount()
    print("decided about \(chosen.count) records; \(left) are held")
    return unknown.isEmpty && !chosen.isEmpty ? 0 : 1
  }
}
