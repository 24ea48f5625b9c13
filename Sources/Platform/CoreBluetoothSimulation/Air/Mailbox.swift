// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Delivers events to the queue of a manager.
///
/// Dispatching to a queue costs more than most events do, so all events that are posted before the
/// queue runs are delivered together.
final class Mailbox: @unchecked Sendable {
  let queue: DispatchQueue
  private let deliveries: DispatchGroup
  private let lock = NSLock()
  private var blocks: [@Sendable () -> Void] = []

  /// A mailbox of the queue; the group is entered while a delivery is on its way.
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
