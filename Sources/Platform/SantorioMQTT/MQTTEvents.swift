// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency

/// Hands a client's events to all who listen.
final class MQTTEvents: Sendable {
  private struct State {
    var listeners: [Int: AsyncStream<MQTTEvent>.Continuation] = [:]
    var next = 0
    /// The last event that was no message.
    var connection: MQTTEvent?
    var isFinished = false
  }

  /// How many events wait for a listener at most; then the oldest is dropped.
  private static let maximumWaiting = 4096

  private let state = Locked(State())

  /// A stream that begins with the state of the connection, where there is one.
  func stream() -> AsyncStream<MQTTEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: MQTTEvent.self, bufferingPolicy: .bufferingNewest(Self.maximumWaiting))
    let id: Int? = state.withLock { state in
      if let connection = state.connection { continuation.yield(connection) }
      guard !state.isFinished else { return nil }
      state.next += 1
      state.listeners[state.next] = continuation
      return state.next
    }
    guard let id else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.remove(id) }
    return stream
  }

  func emit(_ event: MQTTEvent) {
    state.withLock { state in
      if case .message = event {} else { state.connection = event }
      for listener in state.listeners.values { listener.yield(event) }
    }
  }

  func finish() {
    let listeners = state.withLock { state in
      defer { state.listeners = [:] }
      state.isFinished = true
      return state.listeners.values.map { $0 }
    }
    // Outside of the lock, since a stream's end calls back.
    for listener in listeners { listener.finish() }
  }

  private func remove(_ id: Int) { state.withLock { $0.listeners[id] = nil } }
}
