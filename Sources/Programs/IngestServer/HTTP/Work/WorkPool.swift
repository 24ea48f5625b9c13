// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SantorioConcurrency

/// Threads that carry out requests, so that the threads polling the sockets never block.
///
/// There are two lanes, so that small work never waits for large work. In each lane the clients
/// take turns.
final class WorkPool: Sendable {
  enum Lane: CaseIterable, Sendable {
    case small, large
  }

  /// The state of a job after a part of it was done.
  enum Step: Sendable {
    case done
    /// There is more to do, after the other clients have had their turns.
    case more(Lane)
    /// The job continues outside the pool; the client's turn lasts until ``Turn/end()``.
    case elsewhere
  }

  struct Job: Sendable {
    let client: ClientKey
    /// Does a part of the job.
    let run: @Sendable (Turn) -> Step
    /// Called instead of `run` when the server stops.
    let cancel: @Sendable () -> Void
  }

  /// A client's turn in a lane.
  struct Turn: Sendable {
    fileprivate let client: ClientKey
    let lane: Lane
    fileprivate let pool: WorkPool

    /// Ends the turn, so that the client's next job can run; call it once after ``Step/elsewhere``.
    func end() { pool.finished(client, in: lane) }
  }

  private struct State {
    var queues: [Lane: FairQueue<Job>] = [.small: FairQueue(), .large: FairQueue()]
    /// The indices of the idle threads.
    var idle: [Lane: [Int]]
    var isStopped = false
  }

  private let threads: [Lane: [DispatchQueue]]
  private let state: Locked<State>
  private let busy = DispatchGroup()

  /// Creates a pool with the given numbers of threads for small and large work.
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

  /// Adds a job.
  func submit(_ job: Job, to lane: Lane) {
    let isTaken = change(lane) { $0.add(job, of: job.client) }
    if !isTaken { job.cancel() }
  }

  /// Refuses further jobs and cancels the waiting ones.
  func stop() {
    let waiting = state.withLock { state in
      state.isStopped = true
      return Lane.allCases.flatMap { state.queues[$0]?.removeAll() ?? [] }
    }
    for job in waiting { job.cancel() }
  }

  /// Waits until no job runs; false on timeout.
  func waitUntilIdle(until deadline: DispatchTime) -> Bool {
    busy.wait(timeout: deadline) == .success
  }

  private func finished(_ client: ClientKey, in lane: Lane) {
    _ = change(lane) { $0.finished(client) }
  }

  /// Changes a lane and wakes a thread if there is a job to run.
  ///
  /// - Returns: False, without a change, when the pool was stopped.
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
        // Put it back before `finished`, so that it queues behind the clients already waiting.
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
