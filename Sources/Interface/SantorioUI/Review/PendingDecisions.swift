// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioBluetooth
import SantorioCore

/// The readings of operations that wait for a person's decision.
///
/// On disk they are held back, and not declined: when the screen is left, or the app ends, they are
/// shown again. An operation ends when all of its readings are decided.
@MainActor final class PendingDecisions {
  private struct Known {
    weak var decisions: PendingDecisions?
  }

  private static var known: [ObjectIdentifier: Known] = [:]

  /// Those of a session: two sessions of a process may have read the same readings of one device, each
  /// for its own user.
  ///
  /// They live as long as a model of the session, or an operation that waits.
  static func of(_ session: SantorioSession) -> PendingDecisions {
    if let decisions = known[ObjectIdentifier(session)]?.decisions { return decisions }
    known = known.filter { $0.value.decisions != nil }
    let new = PendingDecisions()
    known[ObjectIdentifier(session)] = Known(decisions: new)
    return new
  }

  /// What a model hears of decisions on its readings that were made elsewhere: those that still wait,
  /// and how many of the others are sent.
  typealias Change = @MainActor @Sendable (_ waiting: Set<String>, _ sentCount: Int) -> Void

  private struct Entry {
    let all: Set<String>
    var undecided: Set<String>
    /// Those that are sent, as was decided elsewhere.
    var sent: Set<String> = []
    let changed: Change
    let continuation: CheckedContinuation<DeviceOperation.Decision, Never>
  }

  private var entries: [Int: Entry] = [:]
  /// What was answered and is not carried out yet.
  private var answers: [Int: (sent: Set<String>, declined: Set<String>)] = [:]
  private var number = 0

  /// How many operations wait.
  var count: Int { entries.count }

  /// Waits for the decision on some readings.
  ///
  /// - Parameters:
  ///   - records: The readings.
  ///   - begun: Called at once with the number under which they wait.
  ///   - changed: Called when something was decided elsewhere.
  /// - Returns: What the operation does with those that are still held back.
  func answer(
    for records: [HealthRecord], begun: @MainActor @Sendable (Int) -> Void,
    changed: @escaping Change
  ) async -> DeviceOperation.Decision {
    await withCheckedContinuation { continuation in
      number += 1
      let all = Set(records.map(\.logID))
      entries[number] = Entry(
        all: all, undecided: all, changed: changed, continuation: continuation)
      begun(number)
    }
  }

  /// Answers an operation.
  func answer(_ number: Int, _ decision: DeviceOperation.Decision) {
    entries.removeValue(forKey: number)?.continuation.resume(returning: decision)
  }

  /// Has an operation send some of its readings and decline the others.
  ///
  /// What was decided elsewhere stays as it is: it may have been sent, or deleted for good.
  func answer(_ number: Int, sending chosen: Set<String>) {
    guard let entry = entries[number] else { return }
    let chosen = chosen.intersection(entry.undecided)
    answers[number] = (chosen, entry.undecided.subtracting(chosen))
    answer(
      number, chosen.isEmpty ? .declined : .approved(without: entry.all.subtracting(chosen)))
  }

  /// An operation is over: other ones that have read the same need not ask any more.
  ///
  /// - Parameters:
  ///   - number: The number under which it has waited; nil where it has not.
  ///   - isCarriedOut: Whether it has done what was answered.
  func ended(_ number: Int?, isCarriedOut: Bool) {
    guard let answer = number.flatMap({ answers.removeValue(forKey: $0) }), isCarriedOut else {
      return
    }
    settle(answer.sent, areSent: true)
    settle(answer.declined, areSent: false)
  }

  /// Takes note that readings are decided and dealt with.
  func settle(_ logIDs: Set<String>, areSent: Bool) {
    for (number, entry) in entries {
      let decided = entry.all.intersection(logIDs)
      guard !decided.isEmpty else { continue }
      var entry = entry
      entry.undecided.subtract(decided)
      // What is sent is not declined by a tap that comes too late.
      if areSent { entry.sent.formUnion(decided) }
      entries[number] = entry
      entry.changed(entry.undecided, entry.sent.count)
      if entry.undecided.isEmpty { answer(number, .declined) }
    }
  }
}
