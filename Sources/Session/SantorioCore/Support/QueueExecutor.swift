// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs an actor's work on a serial queue of its own, so that blocking calls never occupy a thread
/// of the cooperative pool, which has no more threads than the machine has cores.
final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(label: String) { queue = DispatchQueue(label: label) }

  func enqueue(_ job: UnownedJob) {
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  // The protocol's own default needs iOS 17.
  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    unsafe UnownedSerialExecutor(ordinary: self)
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
