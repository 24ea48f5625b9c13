// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioBluetooth

/// The readings of operations that wait for a person's decision.
///
/// On disk they are held back, and not declined: when the screen is left, or the app ends, they are
/// shown again. An operation ends when all of its readings are decided.
@MainActor final class PendingDecisions {
  static let shared = PendingDecisions()

  private struct Entry {
    var undecided: Set<String>
    let continuation: CheckedContinuation<DeviceOperation.Decision, Never>
  }

  private var entries: [Int: Entry] = [:]
  private var number = 0

  /// How many operations wait.
  var count: Int { entries.count }

  /// Waits for the decision on some readings.
  ///
  /// - Parameters:
  ///   - records: The readings.
  ///   - begun: Called at once with the number under which they wait.
  /// - Returns: What the operation does with those that are still held back.
  func answer(
    for records: [HealthRecord], begun: @MainActor @Sendable (Int) -> Void
  ) async -> DeviceOperation.Decision {
    await withCheckedContinuation { continuation in
      number += 1
      entries[number] = Entry(
        undecided: Set(records.map(\.logID)), continuation: continuation)
      begun(number)
    }
  }

  /// Answers an operation.
  func answer(_ number: Int, _ decision: DeviceOperation.Decision) {
    entries.removeValue(forKey: number)?.continuation.resume(returning: decision)
  }

  /// Takes note that readings are decided and dealt with.
  func settle(_ logIDs: Set<String>) {
    for (number, entry) in entries {
      let undecided = entry.undecided.subtracting(logIDs)
      entries[number]?.undecided = undecided
      if undecided.isEmpty { answer(number, .declined) }
    }
  }
}
