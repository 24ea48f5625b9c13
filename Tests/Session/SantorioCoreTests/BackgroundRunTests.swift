// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency
import TestSupport
import Testing

@testable import SantorioCore

/// Who needs a session to run, and when it runs for them.
@Suite(.timeLimit(.minutes(15))) struct `Background run` {
  private let run = BackgroundRun()

  /// A run that goes on after its cancellation until it is released.
  private final class SlowRun: Sendable {
    let begun = AsyncStream<Void>.makeStream()
    let cancelled = AsyncStream<Void>.makeStream()
    let isOver = Locked(false)
    private let gate = Locked<CheckedContinuation<Void, Never>?>(nil)

    func perform() async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          gate.withLock { $0 = continuation }
          begun.continuation.yield()
        }
      } onCancel: {
        cancelled.continuation.yield()
      }
      isOver.withLock { $0 = true }
    }

    func untilBegun() async { for await _ in begun.stream { break } }
    func untilCancelled() async { for await _ in cancelled.stream { break } }

    func end() {
      gate.withLock { gate in
        defer { gate = nil }
        return gate
      }?.resume()
    }
  }

  @Test func `begins anew only when the run that was stopped is over`() async {
    let (first, second) = (SlowRun(), SlowRun())
    run.want { await first.perform() }
    await first.untilBegun()
    async let stopped: Void = run.stop()
    await first.untilCancelled()

    let wasOver = Locked(false)
    run.want {
      wasOver.withLock { $0 = first.isOver.withLock { $0 } }
      await second.perform()
    }
    first.end()
    await stopped
    await second.untilBegun()

    #expect(wasOver.withLock { $0 })
    async let end: Void = run.stop()
    await second.untilCancelled()
    second.end()
    await end
  }

  @Test func `is lent while an earlier run ends`() async {
    let (first, second) = (SlowRun(), SlowRun())
    run.want { await first.perform() }
    await first.untilBegun()
    async let stopped: Void = run.stop()
    await first.untilCancelled()

    #expect(run.borrow { await second.perform() })
    first.end()
    await stopped
    await second.untilBegun()

    async let isOver = run.giveBack()
    await second.untilCancelled()
    second.end()
    #expect(await isOver)
  }

  @Test func `is not lent to what the program runs itself`() async {
    run.begins()
    #expect(!run.borrow {})
    run.ends()
    #expect(run.borrow {})
    #expect(await run.giveBack())
  }

  @Test func `goes on when the app wants it before the last borrower is done`() async {
    let only = SlowRun()
    #expect(run.borrow { await only.perform() })
    await only.untilBegun()
    run.want { Issue.record("begun twice") }

    #expect(await run.giveBack() == false)
    #expect(!only.isOver.withLock { $0 })
    async let end: Void = run.stop()
    await only.untilCancelled()
    only.end()
    await end
  }

  @Test func `is given back also when it has ended by itself`() async {
    let (ended, continuation) = AsyncStream<Void>.makeStream()
    #expect(run.borrow { continuation.finish() })
    for await _ in ended {}
    #expect(await run.giveBack())
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Delivery of background events` {
  private let signal = DeliverySignal()

  @Test func `is waited for`() async {
    async let first: Void = signal.next()
    async let second: Void = signal.next()
    let delivering = Task { while !Task.isCancelled { signal.delivered(); await Task.yield() } }
    await first
    await second
    delivering.cancel()
  }

  @Test func `counts for one wait when it came before`() async {
    signal.delivered()
    await signal.next()
    let waiting = Task { await signal.next() }
    waiting.cancel()
    await waiting.value
  }

  @Test func `is not waited for by a cancelled task`() async {
    let waiting = Task { await signal.next() }
    await Task.yield()
    waiting.cancel()
    await waiting.value
  }
}

@Suite struct `Error codes of URLSession` {
  @Test(arguments: [
    (-999, TransportError.Code.cancelled), (-1001, .timedOut), (-1003, .unreachable),
    (-1009, .unreachable), (-1020, .unreachable), (-1022, .blockedBySystem), (-1200, .tlsFailed),
    (-1206, .tlsFailed), (-1207, .incomplete), (-1199, .incomplete), (-1000, .invalidRequest),
    (-1005, .incomplete), (-995, .invalidRequest), (-997, .incomplete),
  ])
  func `have a meaning`(number: Int, code: TransportError.Code) {
    let error = TransportError(urlError: number)
    #expect(error.code == code)
    #expect(error.systemCode == number)
  }

  @Test func `say what to do`() {
    #expect(TransportError(urlError: -1022).message.contains("NSAppTransportSecurity"))
    #expect(TransportError(urlError: -995).message.contains("sharedContainer"))
    #expect(TransportError(urlError: -997).message.contains("another process"))
  }
}
