// SPDX-License-Identifier: Apache-2.0

internal import SantorioConcurrency

/// Notifies the listeners of an environment's channels of changes, and waits for them.
final class ChannelNotifier: @unchecked Sendable {
  private struct WeakListener {
    weak var listener: (any RadioChannelListener)?
  }

  let queue = DispatchQueue(label: "org.santorio.channels")
  private let listeners = Locked<[WeakListener]>([])

  func add(_ listener: any RadioChannelListener) {
    listeners.withLock { list in
      list.removeAll { $0.listener == nil }
      list.append(WeakListener(listener: listener))
    }
  }

  /// Waits until no listener is about to notify its app, for instance on a run loop.
  func settle() async {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume() }
    }
    while isBusy {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(100)) {
          continuation.resume()
        }
      }
    }
  }

  private var isBusy: Bool {
    let current = listeners.withLock { $0.compactMap(\.listener) }
    // Every listener is queried (no `contains`): `isBusy` counts how often it was read.
    return !current.filter(\.isBusy).isEmpty
  }
}
