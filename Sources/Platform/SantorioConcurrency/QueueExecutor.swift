// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs an actor's work on a serial queue of its own.
///
/// Blocking calls then never occupy a thread of the cooperative pool, which has no more threads
/// than the machine has cores.
package final class QueueExecutor: SerialExecutor, @unchecked Sendable {
  // A queue may be used from any thread; SDKs before iOS 17 do not declare that.
  private let queue: DispatchQueue

  package init(label: String) { queue = DispatchQueue(label: label) }

  package func enqueue(_ job: UnownedJob) {
    queue.async {
      #if canImport(Darwin)
        // The name without the underscore came with iOS 17.
        unsafe job._runSynchronously(on: self.asUnownedSerialExecutor())
      #else
        unsafe job.runSynchronously(on: self.asUnownedSerialExecutor())
      #endif
    }
  }

  // The protocol's own default needs iOS 17.
  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    unsafe UnownedSerialExecutor(ordinary: self)
  }

  package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
