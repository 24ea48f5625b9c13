// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// The streams of events that are open.
final class EventStreams: Sendable {
  private let continuations = Locked<[UUID: AsyncStream<OneTouchEvent>.Continuation]>([:])

  /// A new stream, of the events from now on.
  var stream: AsyncStream<OneTouchEvent> {
    AsyncStream { continuation in
      let id = UUID()
      continuations.withLock { $0[id] = continuation }
      continuation.onTermination = { [continuations] _ in
        _ = continuations.withLock { $0.removeValue(forKey: id) }
      }
    }
  }

  /// Gives an event to all streams.
  func send(_ event: OneTouchEvent) {
    for continuation in continuations.withLock({ Array($0.values) }) { continuation.yield(event) }
  }

  /// Ends all streams.
  func finish() {
    for continuation in continuations.withLock({ Array($0.values) }) { continuation.finish() }
  }
}
