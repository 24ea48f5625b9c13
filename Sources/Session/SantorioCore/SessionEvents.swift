// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency

/// The events of a session, starting when the sequence was created.
///
/// An event counts as delivered, and is forgotten, when the loop over this sequence asks for the
/// next one. So an event whose handling was cut short by the end of the program comes again after
/// the next launch. Use one loop per sequence; each access of ``SantorioSession/events`` creates a
/// new one.
public struct SessionEvents: AsyncSequence, Sendable {
  /// The type of the elements.
  public typealias Element = SessionEvent

  let subscriber: EventSubscriber

  /// Makes the iterator of the loop.
  ///
  /// - Returns: The iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(subscriber: subscriber) }

  /// Returns one event after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let subscriber: EventSubscriber

    /// Waits for the next event; the previous one then counts as delivered.
    ///
    /// - Returns: The event; nil when the task is cancelled or the session is released.
    public mutating func next() async -> SessionEvent? { await subscriber.next() }
  }
}

/// One sequence's events between their delivery and their handling.
final class EventSubscriber: Sendable {
  private struct State {
    var buffer: [StoredEvent] = []
    var inHand: Int64?
    var isFinished = false
    var waiter: CheckedContinuation<SessionEvent?, Never>?

    /// The next event for the waiter, or nil at the end; no value at all means to keep waiting.
    mutating func take() -> SessionEvent?? {
      guard let first = buffer.first else { return isFinished ? .some(nil) : nil }
      buffer.removeFirst()
      inHand = first.id
      return first.event
    }

    mutating func answer() -> (() -> Void)? {
      guard let waiter, let event = take() else { return nil }
      self.waiter = nil
      return { waiter.resume(returning: event) }
    }
  }

  private let state = Locked(State())
  private let handled: @Sendable () -> Void

  /// Calls `handled` whenever an event's handling is over.
  init(handled: @escaping @Sendable () -> Void) { self.handled = handled }

  deinit { handled() }

  /// The first event that was not handled yet.
  var firstOpen: Int64? { state.withLock { $0.inHand ?? $0.buffer.first?.id } }

  func add(_ event: StoredEvent) {
    state.withLock { state in
      state.buffer.append(event)
      return state.answer()
    }?()
  }

  func finish() {
    state.withLock { state in
      state.isFinished = true
      return state.answer()
    }?()
  }

  func next() async -> SessionEvent? {
    let hadOne = state.withLock { state in
      defer { state.inHand = nil }
      return state.inHand != nil
    }
    if hadOne { handled() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let event = state.withLock { state -> SessionEvent?? in
          if let event = state.take() { return event }
          if Task.isCancelled { return .some(nil) }
          state.waiter = continuation
          return nil
        }
        if let event { continuation.resume(returning: event) }
      }
    } onCancel: {
      state.withLock { state in
        defer { state.waiter = nil }
        return state.waiter
      }?.resume(returning: nil)
    }
  }
}

/// Delivers stored events to all subscribers, and knows up to which one all have handled them.
final class SessionEventHub: Sendable {
  private struct State {
    var lastDelivered: Int64 = 0
    var subscribers: [WeakSubscriber] = []
  }

  private struct WeakSubscriber {
    weak var subscriber: EventSubscriber?
  }

  private let state = Locked(State())

  /// The last event that was delivered in this process.
  var lastDelivered: Int64 { state.withLock { $0.lastDelivered } }

  /// The last event up to which all events were delivered and handled.
  var handled: Int64 {
    state.withLock { state in
      state.subscribers.compactMap { $0.subscriber?.firstOpen }.map { $0 - 1 }
        .reduce(state.lastDelivered, min)
    }
  }

  func add(_ subscriber: EventSubscriber) {
    state.withLock { state in
      state.subscribers.removeAll { $0.subscriber == nil }
      state.subscribers.append(WeakSubscriber(subscriber: subscriber))
    }
  }

  func deliver(_ event: StoredEvent) {
    // Counted as delivered only after all have it: `handled` must not run ahead of a subscriber's
    // buffer.
    let subscribers = state.withLock { $0.subscribers.compactMap(\.subscriber) }
    for subscriber in subscribers { subscriber.add(event) }
    state.withLock { $0.lastDelivered = event.id }
  }

  func finish() {
    let subscribers = state.withLock { $0.subscribers.compactMap(\.subscriber) }
    for subscriber in subscribers { subscriber.finish() }
  }
}
