// SPDX-License-Identifier: Apache-2.0

#if canImport(Combine)
  public import Combine
#endif

/// What a screen shows and does, without the screen.
///
/// All that is shown is in ``state``, a value. On Apple platforms a view model is an
/// `ObservableObject`; ``states`` is there on all platforms. For the screens that an app adds it
/// inherits from this class, and is tested without a screen like the others.
@MainActor open class ViewModel<State: Hashable & Sendable> {
  /// What is shown now.
  public private(set) var state: State
  private var watchers: [Int: AsyncStream<State>.Continuation] = [:]
  private var watched = 0

  /// A model that shows something at first.
  ///
  /// - Parameter state: What is shown.
  public init(_ state: State) { self.state = state }

  deinit { for watcher in watchers.values { watcher.finish() } }

  /// What is shown now, and after each change.
  ///
  /// Each access makes a new stream; nothing is dropped for a slow reader.
  public var states: AsyncStream<State> {
    watched += 1
    let number = watched
    return AsyncStream { continuation in
      continuation.yield(state)
      watchers[number] = continuation
      continuation.onTermination = { [weak self] _ in
        Task { @MainActor [weak self] in self?.watchers[number] = nil }
      }
    }
  }

  /// Changes what is shown; does nothing where that stays the same.
  ///
  /// Called by the model itself: a view calls the model's own methods.
  ///
  /// - Parameter change: The change.
  public final func update(_ change: (inout State) -> Void) {
    var next = state
    change(&next)
    guard next != state else { return }
    #if canImport(Combine)
      objectWillChange.send()
    #endif
    state = next
    for watcher in watchers.values { watcher.yield(next) }
  }

  /// Adds to what is shown, without the copy of a long list that ``update(_:)`` compares with.
  func extend(_ change: (inout State) -> Void) {
    #if canImport(Combine)
      objectWillChange.send()
    #endif
    change(&state)
    for watcher in watchers.values { watcher.yield(state) }
  }

  /// Shows something else.
  func show(_ next: State) { update { $0 = next } }
}

#if canImport(Combine)
  extension ViewModel: ObservableObject {}
#endif
