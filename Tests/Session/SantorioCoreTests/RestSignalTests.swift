// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency
import Testing

@testable import SantorioCore

@Suite(.timeLimit(.minutes(15))) struct `Waiting for the rest of the uploader` {
  private let signal = RestSignal()
  private let wakeUp = WakeUp()
  private let isOver = Locked(false)

  /// Waits for a rest once `wakeUp` was called.
  private func wait() async -> Task<Void, Never> {
    let task = Task { [signal, wakeUp, isOver] in
      await signal.next { wakeUp.call(.retry) }
      isOver.withLock { $0 = true }
    }
    while !wakeUp.isCalled(.retry) { await Task.yield() }
    return task
  }

  @Test func `is not over before the work was looked for that was there`() async {
    let task = await wait()
    signal.rested(unless: { wakeUp.isCalled(.work) })
    for _ in 0..<100 { await Task.yield() }
    #expect(!isOver.withLock { $0 })
    #expect(wakeUp.take() == .retry)
    signal.rested(unless: { wakeUp.isCalled(.work) })
    await task.value
  }

  @Test func `is over when the uploader does not run any more`() async {
    let task = await wait()
    signal.rested()
    await task.value
  }

  @Test func `is over when the task is cancelled`() async {
    let task = await wait()
    task.cancel()
    await task.value
  }
}
