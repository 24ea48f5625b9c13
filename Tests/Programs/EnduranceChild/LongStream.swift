// SPDX-License-Identifier: Apache-2.0

import CProcess
import FoundationEssentials
import Glibc
import SantorioConcurrency

/// A source of events that runs for months in a real process.
protocol LongStream {
  /// Lets events happen and returns when all of them were received.
  func run(_ count: Int) async throws
}

/// The resources of this process.
enum ProcessUsage {
  /// The processor time used so far.
  static var processorSeconds: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

  /// The memory that belongs to this process alone, after free memory was given back to the system.
  static var ownBytes: Int {
    cprocess_return_free_memory()
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") } ?? ""
    let kibibytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    return (kibibytes ?? 0) * 1024
  }
}

/// The number of received events, and the one who waits for more of them.
final class EventCount: Sendable {
  private struct State {
    var count = 0
    var waiter: (target: Int, continuation: CheckedContinuation<Void, Never>)?
  }

  private let state = Locked(State())

  var value: Int { state.withLock { $0.count } }

  func add(_ number: Int = 1) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.count += number
      guard let waiter = state.waiter, state.count >= waiter.target else { return nil }
      state.waiter = nil
      return waiter.continuation
    }
    waiter?.resume()
  }

  /// Waits until the count has reached a number.
  func reaches(_ target: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.count >= target { return true }
        state.waiter = (target, continuation)
        return false
      }
      if isReached { continuation.resume() }
    }
  }
}
