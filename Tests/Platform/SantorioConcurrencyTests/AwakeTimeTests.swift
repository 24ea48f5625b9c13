// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency
import TestSupport
import Testing

/// The time of a process that its system suspends.
@Suite(.timeLimit(.minutes(15))) struct `Awake time` {
  private let manual = ManualClock()
  private let clock: MonotonicClock

  init() { clock = MonotonicClock(awakeTimeOf: manual) }

  @Test func `passes while the process runs`() {
    for second in 1...20 {
      manual.advance(by: .seconds(1))
      #expect(clock.now() == .seconds(second))
    }
  }

  @Test(arguments: [(6, 6), (7, 5), (3600, 5)])
  func `counts a long pause as the few seconds after which the clock is read`(
    pause: Int, counted: Int
  ) {
    manual.advance(by: .seconds(2))
    #expect(clock.now() == .seconds(2))
    manual.advance(by: .seconds(pause))
    #expect(clock.now() == .seconds(2 + counted))
    manual.advance(by: .seconds(1))
    #expect(clock.now() == .seconds(3 + counted))
  }

  @Test func `does not let a sleep end by a time in which the process was suspended`() async throws
  {
    async let sleep: Void = clock.sleep(.seconds(12))
    #expect(await manual.sleepBegins { _ in true } == .seconds(5))
    // Suspended for an hour: the first step has ended late.
    manual.advance(by: .seconds(3600))
    #expect(await manual.sleepBegins { _ in true } == .seconds(5))
    manual.advance(by: .seconds(5))
    #expect(await manual.sleepBegins { _ in true } == .seconds(2))
    manual.advance(by: .seconds(2))
    try await sleep
    #expect(clock.now() == .seconds(12))
  }

  @Test func `ends a sleep whose task is cancelled`() async {
    let clock = clock
    let sleep = Task { try await clock.sleep(.seconds(60)) }
    _ = await manual.sleepBegins { _ in true }
    sleep.cancel()
    await #expect(throws: CancellationError.self) { try await sleep.value }
  }
}
