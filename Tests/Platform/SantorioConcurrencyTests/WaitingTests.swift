// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct `Waiting for a clock` {
  private let clock = ManualClock()

  @Test func `A long wait consists of sleeps that double`() async throws {
    let deadline = clock.now.advanced(by: .seconds(60))
    let clock = clock
    async let wait: Void = clock.waitInSteps(until: deadline)
    for seconds in [1, 1, 2, 4, 8, 16, 28] {
      #expect(await clock.sleepBegins { _ in true } == .seconds(seconds))
      clock.advance(by: .seconds(seconds))
    }
    try await wait
  }

  @Test func `A wait that began late ends at its deadline`() async throws {
    let deadline = clock.now.advanced(by: .seconds(3))
    let clock = clock
    async let wait: Void = clock.waitInSteps(until: deadline)
    #expect(await clock.sleepBegins { _ in true } == .seconds(1))
    clock.advance(by: .seconds(3600))
    try await wait
  }

  @Test func `A wait for a past instant ends at once`() async throws {
    try await ContinuousClock().wait(until: .now - .seconds(1))
  }

  @Test func `A cancelled wait throws`() async {
    let wait = Task { try await ContinuousClock().wait(for: .seconds(3600)) }
    wait.cancel()
    await #expect(throws: CancellationError.self) { try await wait.value }
  }
}
