// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency

/// Runs a piece of work for each name once at a time: calls that come meanwhile have it run once more.
///
/// HealthKit announces changes in bursts. An actor alone would not help: it takes the next call while
/// the first one waits, and both would read from the same anchor and store everything twice.
final class SingleFlight: Sendable {
  private struct Flight {
    var isRunning = false
    var isWanted = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let flights = Locked<[String: Flight]>([:])

  /// Runs `work`, or leaves that to the one that runs; returns when what is there now was dealt with.
  func run(_ name: String, _ work: () async -> Void) async {
    let isFirst = flights.withLock { flights in
      var flight = flights[name] ?? Flight()
      defer { flights[name] = flight }
      flight.isWanted = flight.isRunning
      guard !flight.isRunning else { return false }
      flight.isRunning = true
      return true
    }
    guard isFirst else { return await wait(name) }
    var again = true
    while again {
      await work()
      let waiting = flights.withLock { flights -> [CheckedContinuation<Void, Never>] in
        again = flights[name]?.isWanted ?? false
        flights[name]?.isWanted = false
        guard !again else { return [] }
        return flights.removeValue(forKey: name)?.waiting ?? []
      }
      for continuation in waiting { continuation.resume() }
    }
  }

  private func wait(_ name: String) async {
    await withCheckedContinuation { continuation in
      let isOver = flights.withLock { flights in
        guard flights[name]?.isRunning == true else { return true }
        flights[name]?.waiting.append(continuation)
        return false
      }
      if isOver { continuation.resume() }
    }
  }
}
