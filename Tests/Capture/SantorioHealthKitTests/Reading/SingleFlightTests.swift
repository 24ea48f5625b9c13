// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SantorioHealthKit

@Suite(.timeLimit(.minutes(15))) struct `Work once at a time` {
  private let flights = SingleFlight()

  private func cancel() { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }

  @Test func `goes on when the task that has begun it is cancelled`() async {
    let first = Task {
      cancel()
      // As queries do in a task that is cancelled.
      return await flights.run("rates") { Task.isCancelled ? .failed : .complete }
    }
    #expect(await first.value == .complete)
  }

  @Test func `is not waited for by a task that is cancelled`() async {
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    let first = Task {
      await flights.run("rates") {
        begin.finish()
        for await _ in ended {}
        return .complete
      }
    }
    for await _ in begun {}
    let second = Task {
      cancel()
      return await flights.run("rates") { .complete }
    }
    #expect(await second.value == .outOfTime)
    end.finish()
    #expect(await first.value == .complete)
  }
}
