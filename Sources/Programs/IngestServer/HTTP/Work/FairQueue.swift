// SPDX-License-Identifier: Apache-2.0

/// Work of many clients, of which each has its turn: one after the other, and one job of each at a
/// time, however many jobs it has waiting.
struct FairQueue<Job: Sendable>: Sendable {
  private var waiting: [ClientKey: [Job]] = [:]
  /// The clients that have jobs and of which none runs, in the order of their turns.
  private var order: [ClientKey] = []
  private var running: Set<ClientKey> = []

  /// Whether a job could run now.
  var hasNext: Bool { !order.isEmpty }

  /// Adds a job behind the others of its client.
  mutating func add(_ job: Job, of client: ClientKey) {
    waiting[client, default: []].append(job)
    line(up: client)
  }

  /// Adds what is left of a job, before the others of its client, whose next turn comes after those
  /// of all other clients.
  mutating func putBack(_ job: Job, of client: ClientKey) {
    waiting[client, default: []].insert(job, at: 0)
    line(up: client)
  }

  /// Takes the job whose turn it is; its client has no other until ``finished(_:)``.
  mutating func next() -> (client: ClientKey, job: Job)? {
    guard !order.isEmpty else { return nil }
    let client = order.removeFirst()
    guard var jobs = waiting[client], !jobs.isEmpty else { return next() }
    let job = jobs.removeFirst()
    waiting[client] = jobs.isEmpty ? nil : jobs
    running.insert(client)
    return (client, job)
  }

  /// The client's job is done: the next one may have its turn.
  mutating func finished(_ client: ClientKey) {
    running.remove(client)
    line(up: client)
  }

  /// Takes all jobs that wait.
  mutating func removeAll() -> [Job] {
    defer {
      waiting = [:]
      order = []
    }
    return waiting.values.flatMap { $0 }
  }

  private mutating func line(up client: ClientKey) {
    guard waiting[client] != nil, !running.contains(client), !order.contains(client) else { return }
    order.append(client)
  }
}
