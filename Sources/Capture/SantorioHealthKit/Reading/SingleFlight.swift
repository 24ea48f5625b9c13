// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// Runs a piece of work for each name once at a time: calls that come meanwhile have it run once more.
///
/// HealthKit announces changes in bursts. An actor alone would not help: it takes the next call while
/// the first one waits, and both would read from the same anchor and store everything twice.
final class SingleFlight: Sendable {
  /// How a piece of work has ended.
  enum Outcome: Sendable {
    /// Everything was dealt with.
    case complete
    /// The time of the call that ran it was over: another one may have more.
    case outOfTime
    case failed
  }

  private struct Flight {
    var isWanted = false
    var waiting: [UUID: CheckedContinuation<Outcome, Never>] = [:]
  }

  private let flights = Locked<[String: Flight]>([:])

  /// Runs `work`, or leaves that to the one that runs; returns when what is there now was dealt with, or
  /// could not be.
  ///
  /// Work goes on when the call's task is cancelled, since others may wait for it; a call that waits
  /// returns then.
  ///
  /// - Returns: How the last run has ended; of another call's work if that ran.
  func run(
    _ name: String, _ work: @escaping @Sendable () async -> Outcome
  ) async -> Outcome {
    let isFirst = flights.withLock { flights in
      guard flights[name] != nil else {
        flights[name] = Flight()
        return true
      }
      flights[name]?.isWanted = true
      return false
    }
    guard isFirst else { return await wait(name) }
    while true {
      let outcome = await Task { await work() }.value
      let waiting = flights.withLock { flights -> [UUID: CheckedContinuation<Outcome, Never>]? in
        guard flights[name]?.isWanted == true, outcome != .outOfTime else {
          return flights.removeValue(forKey: name)?.waiting ?? [:]
        }
        flights[name]?.isWanted = false
        return nil
      }
      guard let waiting else { continue }
      for continuation in waiting.values { continuation.resume(returning: outcome) }
      return outcome
    }
  }

  // A flight that has ended meanwhile may have ended before the call: it is to be run again.
  private func wait(_ name: String) async -> Outcome {
    let id = UUID()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = flights.withLock { flights in
          guard flights[name] != nil, !Task.isCancelled else { return true }
          flights[name]?.waiting[id] = continuation
          return false
        }
        if isOver { continuation.resume(returning: .outOfTime) }
      }
    } onCancel: {
      flights.withLock { $0[name]?.waiting.removeValue(forKey: id) }?.resume(returning: .outOfTime)
    }
  }
}
