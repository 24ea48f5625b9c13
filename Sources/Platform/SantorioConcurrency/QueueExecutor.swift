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

  /// Does some of an actor's work for a caller that cannot await: the caller's thread waits until it
  /// is done.
  ///
  /// It is done in turn with the actor's other work, and needs no thread of the cooperative pool, so
  /// that callers on all of its threads cannot wait for each other.
  ///
  /// - Parameters:
  ///   - actor: An actor that this executes, and that does not call this.
  ///   - work: What to do.
  /// - Returns: What `work` returns.
  package func sync<Subject: Actor, Value>(
    _ actor: Subject, _ work: (isolated Subject) -> Value
  ) -> Value {
    withoutActuallyEscaping(work) { work in
      // `assumeIsolated` does the same, but asks a runtime before iOS 18's, which knows of jobs only.
      let run = unsafe unsafeBitCast(work, to: ((Subject) -> Value).self)
      return queue.sync { run(actor) }
    }
  }
}
