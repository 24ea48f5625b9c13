// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SantorioConcurrency
import Testing

@testable import IngestServer

@Suite struct `Fair queue` {
  private static let (alice, bob, carol) = (ClientKey.user(1), ClientKey.user(2), ClientKey.user(3))

  @Test func `gives each client its turn, however many jobs another has waiting`() {
    var queue = FairQueue<String>()
    for number in 1...3 { queue.add("a\(number)", of: Self.alice) }
    queue.add("b1", of: Self.bob)
    queue.add("c1", of: Self.carol)

    var order: [String] = []
    while let (client, job) = queue.next() {
      order.append(job)
      queue.finished(client)
    }

    #expect(order == ["a1", "b1", "c1", "a2", "a3"])
  }

  @Test func `runs one job of a client at a time`() {
    var queue = FairQueue<String>()
    queue.add("a1", of: Self.alice)
    queue.add("a2", of: Self.alice)
    #expect(queue.next()?.job == "a1")

    #expect(!queue.hasNext)
    #expect(queue.next() == nil)

    queue.finished(Self.alice)
    #expect(queue.next()?.job == "a2")
  }

  @Test func `queues the rest of a job before the client's other jobs and after other clients`() {
    var queue = FairQueue<String>()
    queue.add("a1", of: Self.alice)
    queue.add("a2", of: Self.alice)
    queue.add("b1", of: Self.bob)
    #expect(queue.next()?.job == "a1")

    queue.putBack("rest of a1", of: Self.alice)
    queue.finished(Self.alice)

    #expect(queue.next()?.job == "b1")
    #expect(queue.next()?.job == "rest of a1")
  }

  @Test func `returns all waiting jobs`() {
    var queue = FairQueue<String>()
    queue.add("a1", of: Self.alice)
    queue.add("b1", of: Self.bob)
    _ = queue.next()

    #expect(queue.removeAll() == ["b1"])
    #expect(!queue.hasNext)
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Work pool` {
  private static let (alice, bob) = (ClientKey.user(1), ClientKey.user(2))

  /// A job that waits for a gate.
  private static func blocked(
    _ client: ClientKey, by gate: DispatchSemaphore, started: DispatchSemaphore
  ) -> WorkPool.Job {
    WorkPool.Job(
      client: client,
      run: { _ in
        started.signal()
        gate.wait()
        return .done
      }, cancel: {})
  }

  private static func signal(_ client: ClientKey, _ done: DispatchSemaphore) -> WorkPool.Job {
    WorkPool.Job(
      client: client,
      run: { _ in
        done.signal()
        return .done
      }, cancel: {})
  }

  @Test func `runs small work while large work runs`() {
    let pool = WorkPool(small: 1, large: 1)
    let (gate, started, done) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    pool.submit(Self.blocked(Self.alice, by: gate, started: started), to: .large)
    started.wait()

    pool.submit(Self.signal(Self.bob, done), to: .small)
    done.wait()
    pool.submit(Self.signal(Self.alice, done), to: .small)
    done.wait()

    gate.signal()
    #expect(pool.waitUntilIdle(until: .now() + 240))
  }

  @Test func `runs other clients' jobs between the parts of a long job`() {
    let pool = WorkPool(small: 1, large: 1)
    let (gate, started) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let order = Locked<[String]>([])
    pool.submit(Self.blocked(.user(3), by: gate, started: started), to: .large)
    started.wait()
    let parts = Locked(0)
    pool.submit(
      WorkPool.Job(
        client: Self.alice,
        run: { turn in
          let part = parts.withLock {
            $0 += 1
            return $0
          }
          order.withLock { $0.append("a\(part)") }
          return part < 3 ? .more(turn.lane) : .done
        }, cancel: {}), to: .large)
    for number in 1...2 {
      pool.submit(
        WorkPool.Job(
          client: Self.bob,
          run: { _ in
            order.withLock { $0.append("b\(number)") }
            return .done
          }, cancel: {}), to: .large)
    }

    gate.signal()
    #expect(pool.waitUntilIdle(until: .now() + 240))

    #expect(order.withLock { $0 } == ["a1", "b1", "a2", "b2", "a3"])
  }

  @Test func `keeps a client's turn until its work outside the pool has ended`() {
    let pool = WorkPool(small: 2, large: 1)
    let turns = Locked<[WorkPool.Turn]>([])
    let (started, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    pool.submit(
      WorkPool.Job(
        client: Self.alice,
        run: { turn in
          turns.withLock { $0.append(turn) }
          started.signal()
          return .elsewhere
        }, cancel: {}), to: .small)
    started.wait()
    pool.submit(Self.signal(Self.alice, done), to: .small)
    pool.submit(Self.signal(Self.bob, started), to: .small)
    started.wait()
    #expect(pool.waitUntilIdle(until: .now() + 240))
    #expect(done.wait(timeout: .now()) == .timedOut)

    turns.withLock { $0 }[0].end()

    #expect(done.wait(timeout: .now() + 240) == .success)
  }

  @Test func `cancels waiting and later jobs when it is stopped`() {
    let pool = WorkPool(small: 1, large: 1)
    let (gate, started) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let cancelled = Locked<[String]>([])
    func job(_ name: String) -> WorkPool.Job {
      WorkPool.Job(
        client: Self.bob, run: { _ in .done },
        cancel: { cancelled.withLock { $0.append(name) } })
    }
    pool.submit(Self.blocked(Self.alice, by: gate, started: started), to: .small)
    started.wait()
    pool.submit(job("waiting"), to: .small)

    pool.stop()
    pool.submit(job("late"), to: .large)

    #expect(cancelled.withLock { $0 } == ["waiting", "late"])
    #expect(!pool.waitUntilIdle(until: .now()))
    gate.signal()
    #expect(pool.waitUntilIdle(until: .now() + 240))
  }
}
