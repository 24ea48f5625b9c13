// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// The events so far, and those who read them.
final class EventLog: Sendable {
  private typealias Continuation = AsyncStream<BluetoothEvent>.Continuation

  private struct State {
    var events: [BluetoothEvent] = []
    var streams: [UUID: Continuation] = [:]
    var isFinished = false
  }

  private let state = Locked(State())

  deinit { finish() }

  /// The events so far, and all that follow; nothing is dropped for a slow reader.
  ///
  /// - Parameter givenUp: Called when the reader's task is cancelled, or it stops reading, before
  ///   the last event.
  /// - Returns: The events.
  func stream(givenUp: (@Sendable () -> Void)? = nil) -> AsyncStream<BluetoothEvent> {
    AsyncStream { continuation in
      let id = UUID()
      let isFinished = state.withLock { state in
        for event in state.events { continuation.yield(event) }
        if !state.isFinished { state.streams[id] = continuation }
        return state.isFinished
      }
      guard !isFinished else { return continuation.finish() }
      continuation.onTermination = { [weak self] reason in
        let wasReading = self?.state.withLock { $0.streams.removeValue(forKey: id) != nil } ?? false
        if wasReading, case .cancelled = reason { givenUp?() }
      }
    }
  }

  /// Adds an event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - body: What is done once it is added, before anybody who waits hears of it.
  func send(_ event: BluetoothEvent, _ body: () -> Void = {}) {
    let streams = state.withLock { state in
      state.events.append(event)
      return Array(state.streams.values)
    }
    body()
    // Without the lock: to wake a reader takes the lock of its task, and a task that is being
    // cancelled holds that while it takes its stream out of the state.
    for stream in streams { stream.yield(event) }
  }

  /// Forgets the events so far.
  func clear() { state.withLock { $0.events = [] } }

  /// No event follows.
  func finish() {
    let streams = state.withLock { state in
      state.isFinished = true
      defer { state.streams = [:] }
      return Array(state.streams.values)
    }
    for stream in streams { stream.finish() }
  }
}
