// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SantorioConcurrency

/// Threads that do what requests ask for, so that the threads that poll the sockets never wait.
///
/// There are two lanes, so that small work never waits behind large work, and in each the clients
/// take turns.
final class WorkPool: Sendable {
  enum Lane: CaseIterable, Sendable {
    case small, large
  }

  /// What is left of a job after a part of it was done.
  enum Step: Sendable {
    case done
    /// More, when the others have had their turns.
    case more(Lane)
    /// Nothing for the pool; the client's turn lasts until ``Turn/end()``.
    case elsewhere
  }

  struct Job: Sendable {
    let client: ClientKey
    /// Does a part of the job.
    let run: @Sendable (Turn) -> Step
    /// Called in place of `run` when the server ends.
    let cancel: @Sendable () -> Void
  }

  /// A client's turn in a lane.
  struct Turn: Sendable {
    fileprivate let client: ClientKey
    let lane: Lane
    fileprivate let pool: WorkPool

    /// Lets the client's next job run; to be called once, after ``Step/elsewhere``.
    func end() { pool.finished(client, in: lane) }
  }

  private struct State {
    var queues: [Lane: FairQueue<Job>] = [.small: FairQueue(), .large: FairQueue()]
    /// The places of the threads that have nothing to do.
    var idle: [Lane: [Int]]
    var isStopped = false
  }

  private let threads: [Lane: [DispatchQueue]]
  private let state: Locked<State>
  private let busy = DispatchGroup()

  /// Makes a pool with so many threads for small and for large work.
  init(small: Int, large: Int) {
    let counts = [(Lane.small, small), (.large, large)]
    threads = Dictionary(
      uniqueKeysWithValues: counts.map { lane, count in
        (lane, (0..<count).map { DispatchQueue(label: "santorio.ingest.\(lane).\($0)") })
      })
    state = Locked(
      State(
        idle: Dictionary(
          uniqueKeysWithValues: counts.map { ($0, Array(0..<$1)) })))
  }

  /// Takes a job.
  func submit(_ job: Job, to lane: Lane) {
    let isTaken = change(lane) { $0.add(job, of: job.client) }
    if !isTaken { job.cancel() }
  }

  /// Refuses further jobs, and cancels those that wait.
  func stop() {
    let waiting = state.withLock { state in
      state.isStopped = true
      return Lane.allCases.flatMap { state.queues[$0]?.removeAll() ?? [] }
    }
    for job in waiting { job.cancel() }
  }

  /// Waits until nothing runs; false when that takes too long.
  func waitUntilIdle(until deadline: DispatchTime) -> Bool {
    busy.wait(timeout: deadline) == .success
  }

  private func finished(_ client: ClientKey, in lane: Lane) {
    _ = change(lane) { $0.finished(client) }
  }

  /// Changes a lane and wakes a thread if there is something to do; false, with nothing changed,
  /// when the pool was stopped.
  private func change(_ lane: Lane, _ body: (inout FairQueue<Job>) -> Void) -> Bool {
    let (isTaken, thread) = state.withLock { state -> (Bool, Int?) in
      guard !state.isStopped else { return (false, nil) }
      body(&state.queues[lane, default: FairQueue()])
      guard state.queues[lane]?.hasNext == true else { return (true, nil) }
      return (true, state.idle[lane]?.popLast())
    }
    if let thread, let queue = threads[lane]?[thread] {
      queue.async(group: busy) { self.work(lane, thread) }
    }
    return isTaken
  }

  private func work(_ lane: Lane, _ thread: Int) {
    while let (client, job) = next(lane, thread) {
      switch job.run(Turn(client: client, lane: lane, pool: self)) {
      case .done: finished(client, in: lane)
      case .elsewhere: break
      case .more(let next):
        // First in, then on: its place is behind those that wait already.
        let isTaken = change(next) { $0.putBack(job, of: client) }
        finished(client, in: lane)
        if !isTaken { job.cancel() }
      }
    }
  }

  private func next(_ lane: Lane, _ thread: Int) -> (ClientKey, Job)? {
    state.withLock { state in
      if let next = state.queues[lane]?.next() { return next }
      state.idle[lane, default: []].append(thread)
      return nil
    }
  }
}
