// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Dispatch
import Foundation
import Testing

/// Takes its time over the first state, and notes how much of the air's time passed meanwhile.
private final class SlowListener: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
  // All is touched on the queue only.
  let queue = DispatchQueue(label: "slow")
  private let clock: SimulatedClock
  private let passed: AsyncStream<Duration>.Continuation
  private var manager: CBCentralManager?

  init(_ host: SimulatedHost, _ passed: AsyncStream<Duration>.Continuation) {
    clock = host.air.clock
    self.passed = passed
    super.init()
    queue.async { [self] in
      manager = CBCentralManager(delegate: self, queue: queue, options: host.managerOptions)
    }
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    let begin = clock.now
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(50))
    passed.yield(begin.duration(to: clock.now))
  }
}

@Suite(.timeLimit(.minutes(15))) struct `An environment in real time` {
  @Test func `waits for the work of a callback`() async throws {
    let (passed, continuation) = AsyncStream.makeStream(of: Duration.self)
    let air = SimulatedRadioEnvironment()
    let listener = SlowListener(air.makeHost(named: "Phone"), continuation)
    // Something is due at any time.
    let ticks = Task { while (try? await air.clock.sleep(for: .milliseconds(1))) != nil {} }
    let running = Task { await air.run(speed: 1000) }
    defer {
      running.cancel()
      ticks.cancel()
    }

    #expect(await passed.first { _ in true } == .zero)

    withExtendedLifetime(listener) {}
  }

  @Test func `stops when it is no longer run`() async throws {
    let air = SimulatedRadioEnvironment()
    let running = Task { await air.run(speed: 1000) }
    try await air.clock.sleep(for: .seconds(60))
    running.cancel()
    await running.value

    let stopped = air.clock.now
    let minute = stopped.advanced(by: .seconds(60))
    let sleeper = Task { try await air.clock.sleep(until: minute) }
    await air.advance(by: .seconds(60))
    try await sleeper.value

    #expect(stopped.elapsed >= .seconds(60))
    #expect(air.clock.now == minute)
  }
}
