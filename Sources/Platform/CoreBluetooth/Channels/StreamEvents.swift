// SPDX-License-Identifier: Apache-2.0

internal import SantorioConcurrency

/// Whether a stream of a channel is open, and the events due to its delegate.
///
/// Nothing is queued: the event is determined when a run loop runs.
final class StreamEvents: @unchecked Sendable {
  /// What a stream can do.
  struct Readiness {
    /// Whether there are bytes, or room for them.
    let isReady: Bool
    /// How the stream ended; nil while there is something to read.
    let end: RadioChannelEnd?
  }

  fileprivate enum Phase {
    case new, open, closed
  }

  fileprivate struct State {
    weak var stream: Stream?
    weak var delegate: (any StreamDelegate)?
    var phase = Phase.new
    var hasReportedOpening = false
    /// Reading or writing arms the stream: its delegate is notified once when it is ready again.
    var isArmed = true
    var hasReportedEnd = false
  }

  private let kind: Stream.Event
  private let readiness: () -> Readiness
  private let state = Locked(State())
  private let target = Locked(WeakEvents())
  private let source: RunLoopSource

  private struct WeakEvents {
    weak var events: StreamEvents?
  }

  /// The events of a stream that is notified of bytes, or of room.
  init(_ kind: Stream.Event, readiness: @escaping () -> Readiness) {
    self.kind = kind
    self.readiness = readiness
    source = RunLoopSource { [target] in target.withLock { $0.events }?.deliverNext() }
    target.withLock { $0.events = self }
  }

  func setStream(_ stream: Stream) {
    state.withLock { $0.stream = stream }
  }

  var delegate: (any StreamDelegate)? {
    get { state.withLock { $0.delegate } }
    set {
      state.withLock { $0.delegate = newValue }
      source.signal()
    }
  }

  // MARK: - The state

  var isOpen: Bool { state.withLock { $0.phase == .open } }

  func open() {
    state.withLock { state in
      if state.phase == .new { state.phase = .open }
    }
    source.signal()
  }

  /// Ends all events; true the first time.
  func close() -> Bool {
    let isFirst = state.withLock { state in
      defer { state.phase = .closed }
      return state.phase != .closed
    }
    source.removeAll()
    return isFirst
  }

  var status: Stream.Status {
    switch state.withLock({ $0.phase }) {
    case .new: return .notOpen
    case .closed: return .closed
    case .open: break
    }
    switch readiness().end {
    case nil: return .open
    case .closed: return .atEnd
    case .failed: return .error
    }
  }

  var error: NSError? {
    if case .failed(let error) = readiness().end { return error.object }
    return nil
  }

  // MARK: - Events

  func schedule(in loop: RunLoop, mode: RunLoop.Mode) {
    source.add(to: loop, mode: mode)
  }

  func remove(from loop: RunLoop, mode: RunLoop.Mode) {
    source.remove(from: loop, mode: mode)
  }

  /// The app has read or written.
  func arm() {
    state.withLock { $0.isArmed = true }
    source.signal()
  }

  /// There may be an event to deliver.
  func signal() {
    if isOpen { source.signal() }
  }

  var isAwaited: Bool { source.isAwaited }

  /// Delivers one event to the delegate on a run loop; the next one waits for another turn.
  private func deliverNext() {
    let readiness = readiness()
    // The last references must not be released under the lock.
    let (stream, delegate, event) = state.withLock { state in
      let (stream, delegate) = (state.stream, state.delegate)
      let isHeard = stream != nil && delegate != nil
      return (stream, delegate, isHeard ? state.takeEvent(kind, readiness) : nil)
    }
    guard let stream, let delegate, let event else { return }
    delegate.handle(event, of: stream)
    source.signal()
  }
}

// Where there is an Objective-C runtime, Foundation's streams are Objective-C's.
#if canImport(ObjectiveC)
  /// The type of a stream's properties.
  typealias StreamProperty = Any

  extension StreamDelegate {
    fileprivate func handle(_ event: Stream.Event, of stream: Stream) {
      self.stream?(stream, handle: event)
    }
  }
#else
  typealias StreamProperty = AnyObject

  extension StreamDelegate {
    fileprivate func handle(_ event: Stream.Event, of stream: Stream) {
      self.stream(stream, handle: event)
    }
  }
#endif

extension StreamEvents.State {
  fileprivate mutating func takeEvent(
    _ kind: Stream.Event, _ readiness: StreamEvents.Readiness
  ) -> Stream.Event? {
    guard phase == .open else { return nil }
    if !hasReportedOpening {
      hasReportedOpening = true
      return .openCompleted
    }
    if isArmed, readiness.isReady {
      isArmed = false
      return kind
    }
    guard let end = readiness.end, !hasReportedEnd else { return nil }
    hasReportedEnd = true
    return end == .closed ? .endEncountered : .errorOccurred
  }
}
