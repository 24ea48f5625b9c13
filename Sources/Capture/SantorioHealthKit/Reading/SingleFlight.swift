// SPDX-License-Identifier: Apache-2.0

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
    var waiting: [CheckedContinuation<Outcome, Never>] = []
  }

  private let flights = Locked<[String: Flight]>([:])

  /// Runs `work`, or leaves that to the one that runs; returns when what is there now was dealt with, or
  /// could not be.
  ///
  /// - Returns: How the last run has ended; of another call's work if that ran.
  func run(_ name: String, _ work: () async -> Outcome) async -> Outcome {
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
      let outcome = await work()
      let waiting = flights.withLock { flights -> [CheckedContinuation<Outcome, Never>]? in
        guard flights[name]?.isWanted == true, outcome != .outOfTime else {
          return flights.removeValue(forKey: name)?.waiting ?? []
        }
        flights[name]?.isWanted = false
        return nil
      }
      guard let waiting else { continue }
      for continuation in waiting { continuation.resume(returning: outcome) }
      return outcome
    }
  }

  // A flight that has ended meanwhile may have ended before the call: it is to be run again.
  private func wait(_ name: String) async -> Outcome {
    await withCheckedContinuation { continuation in
      let isOver = flights.withLock { flights in
        guard flights[name] != nil else { return true }
        flights[name]?.waiting.append(continuation)
        return false
      }
      if isOver { continuation.resume(returning: .outOfTime) }
    }
  }
}
