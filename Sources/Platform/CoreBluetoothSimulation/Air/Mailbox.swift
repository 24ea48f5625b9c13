// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The way of events to the queue of a manager.
///
/// Waking a queue costs more than most events do: what happens before it runs goes together.
final class Mailbox: @unchecked Sendable {
  let queue: DispatchQueue
  private let deliveries: DispatchGroup
  private let lock = NSLock()
  private var blocks: [@Sendable () -> Void] = []

  /// The way to the queue; the group is entered while something is on it.
  init(_ queue: DispatchQueue, _ deliveries: DispatchGroup) {
    self.queue = queue
    self.deliveries = deliveries
  }

  func post(_ block: @escaping @Sendable () -> Void) {
    lock.lock()
    blocks.append(block)
    let isFirst = blocks.count == 1
    lock.unlock()
    guard isFirst else { return }
    deliveries.enter()
    queue.async { [self] in
      for block in take() { block() }
      deliveries.leave()
    }
  }

  private func take() -> [@Sendable () -> Void] {
    lock.lock()
    defer { lock.unlock() }
    defer { blocks = [] }
    return blocks
  }
}
