// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

@Suite(.timeLimit(.minutes(15))) struct `Code in tasks` {
  /// An actor on the queue of its manager, as an app may have it.
  private actor Reader {
    private let executor: QueueExecutor
    private let clock: SimulatedClock

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(queue: DispatchQueue, clock: SimulatedClock) {
      executor = QueueExecutor(queue: queue)
      self.clock = clock
    }

    /// Reads at a fixed pace.
    func read(
      _ characteristic: CBCharacteristic, of peripheral: CBPeripheral, times: Int
    ) async throws -> [Duration] {
      var moments: [Duration] = []
      for _ in 0..<times {
        peripheral.readValue(for: characteristic)
        moments.append(clock.now.elapsed)
        try await clock.sleep(for: .seconds(10))
      }
      return moments
    }
  }

  @Test func `follows the simulated time`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let characteristic = Unguarded(value: try link("FFF2"))
    let peripheral = Unguarded(value: link.peripheral)
    let reader = Reader(queue: lab.central.queue, clock: lab.air.clock)
    let begin = lab.air.clock.now.elapsed

    let reading = Task {
      try await reader.read(characteristic.value, of: peripheral.value, times: 5)
    }
    await lab.air.advance(by: .seconds(60)) { lab.central.log.count("value") == 5 }
    await lab.run(.seconds(10))
    let moments = try await reading.value

    #expect(moments.map { $0 - begin } == [0, 10, 20, 30, 40].map { .seconds($0) })
    #expect(lab.central.log.count("value FFF2 68656c6c6f") == 5)
  }
}

private struct Unguarded<Value>: @unchecked Sendable {
  let value: Value
}

private final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(queue: DispatchQueue) {
    self.queue = queue
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
