// SPDX-License-Identifier: Apache-2.0

/// Jobs of many clients that take turns.
///
/// One job of each client runs at a time, however many it has waiting.
struct FairQueue<Job: Sendable>: Sendable {
  private var waiting: [ClientKey: [Job]] = [:]
  /// The clients with waiting jobs and no running job, in the order of their turns.
  private var order: [ClientKey] = []
  private var running: Set<ClientKey> = []

  /// Whether a job could run now.
  var hasNext: Bool { !order.isEmpty }

  /// Adds a job after the others of its client.
  mutating func add(_ job: Job, of client: ClientKey) {
    waiting[client, default: []].append(job)
    enqueue(client)
  }

  /// Adds the rest of a job before the others of its client.
  ///
  /// The client's next turn comes after those of all other clients.
  mutating func putBack(_ job: Job, of client: ClientKey) {
    waiting[client, default: []].insert(job, at: 0)
    enqueue(client)
  }

  /// Takes the next job; its client gets no other until ``finished(_:)``.
  mutating func next() -> (client: ClientKey, job: Job)? {
    guard !order.isEmpty else { return nil }
    let client = order.removeFirst()
    guard var jobs = waiting[client], !jobs.isEmpty else { return next() }
    let job = jobs.removeFirst()
    waiting[client] = jobs.isEmpty ? nil : jobs
    running.insert(client)
    return (client, job)
  }

  /// Marks the client's job as done, so that its next one can have its turn.
  mutating func finished(_ client: ClientKey) {
    running.remove(client)
    enqueue(client)
  }

  /// Removes and returns all waiting jobs.
  mutating func removeAll() -> [Job] {
    defer {
      waiting = [:]
      order = []
    }
    return waiting.values.flatMap { $0 }
  }

  private mutating func enqueue(_ client: ClientKey) {
    guard waiting[client] != nil, !running.contains(client), !order.contains(client) else { return }
    order.append(client)
  }
}
