// SPDX-License-Identifier: Apache-2.0

/// The state of an environment: everything below it is accessed with its lock held.
final class EnvironmentCore: @unchecked Sendable {
  private let lock = NSLock()
  private var schedule = Schedule()
  private var time: Moment = 0
  private let deliveries = DispatchGroup()
  private var mailboxes: [ObjectIdentifier: WeakMailbox] = [:]
  /// Incremented with every event that is scheduled or delivered.
  private var activity: UInt64 = 0
  /// Incremented with every callback, and with every sleeping task that is woken.
  private var wakeUps: UInt64 = 0
  private var isRunning = false
  private let realTime: RealTime?

  let seed: UInt64
  var random: RandomSource
  var medium: SimulatedMedium
  var hosts: [HostCore] = []
  /// The central roles that scan or wait for a host.
  var listeners: [CentralRole] = []
  private var lastNumber: UInt64 = 0
  let channelNotifier = ChannelNotifier()

  private struct WeakMailbox {
    weak var mailbox: Mailbox?
  }

  init(seed: UInt64, mode: SimulatedRadioEnvironment.Mode, medium: SimulatedMedium) {
    self.seed = seed
    self.medium = medium
    random = RandomSource(seed: seed)
    switch mode {
    case .manual: realTime = nil
    case .realTime(let speed): realTime = RealTime(speed: speed)
    }
    realTime?.start { [weak self] in self?.runDue() }
  }

  // MARK: - The lock

  /// Calls the closure with the lock held.
  func locked<Result>(_ body: () -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    if let realTime { time = max(time, realTime.now) }
    return body()
  }

  /// Now; in real time, the moment at which the lock was taken.
  var now: Moment { time }

  /// A new, unused number.
  func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  /// Ends everything, so that no reference cycles are left.
  func shutDown() {
    locked {
      schedule = Schedule()
      hosts.forEach { $0.shutDown() }
      hosts = []
      listeners = []
    }
    realTime?.stop()
  }

  // MARK: - Time

  @discardableResult
  func after(_ delay: Int64, _ action: @escaping () -> Void) -> ScheduledEvent {
    let event = ScheduledEvent(action)
    add(event, at: time + max(0, delay))
    return event
  }

  /// Schedules an event, the first time or again after it has happened.
  func add(_ event: ScheduledEvent, at due: Moment) {
    let earliest = schedule.nextTime ?? .max
    schedule.add(event, at: due)
    activity &+= 1
    if due < earliest, !isRunning { realTime?.wake() }
  }

  /// Records that code outside the environment was resumed: a callback or a sleeping task.
  func noteWakeUp() {
    activity &+= 1
    wakeUps &+= 1
  }

  /// The mailbox of a queue, the same for all sessions on it.
  func mailbox(of queue: DispatchQueue) -> Mailbox {
    // A mailbox retains its queue, so the identity is not reused while the mailbox exists.
    if let known = mailboxes[ObjectIdentifier(queue)]?.mailbox { return known }
    let new = Mailbox(queue, deliveries)
    mailboxes = mailboxes.filter { $0.value.mailbox != nil }
    mailboxes[ObjectIdentifier(queue)] = WeakMailbox(mailbox: new)
    return new
  }

  /// Runs the block on a queue; the next event waits for it when the clock is manual.
  func deliver(to mailbox: Mailbox, _ block: @escaping @Sendable () -> Void) {
    noteWakeUp()
    mailbox.post(block)
  }

  /// Runs the due events in real time, and returns the time of the next one.
  private func runDue() -> Moment? {
    locked {
      isRunning = true
      while runNext(until: time) {}
      isRunning = false
      return schedule.nextTime
    }
  }

  /// Runs one event that is due by then, and returns whether there was one.
  private func runNext(until limit: Moment) -> Bool {
    guard let due = schedule.nextTime, due <= limit, let next = schedule.popNext() else {
      return false
    }
    time = max(time, next.time)
    next.action()
    return true
  }

  /// Runs events one after the other, each when the callbacks of the one before have finished.
  ///
  /// - Returns: Whether the condition held before the time was over.
  func advance(by duration: Int64, until condition: () -> Bool) async -> Bool {
    let limit = locked { time } + duration
    if realTime != nil { return await wait(until: limit, or: condition) }
    await settle()
    while !condition() {
      let (hasRun, hasWoken) = locked {
        let before = wakeUps
        return (runNext(until: limit), wakeUps != before)
      }
      guard hasRun else {
        locked { time = max(time, limit) }
        return false
      }
      if hasWoken { await settle() }
    }
    return true
  }

  /// Polls the condition while time passes by itself.
  private func wait(until limit: Moment, or condition: () -> Bool) async -> Bool {
    while !condition() {
      // A busy computer may be late with events that were due by then.
      let isOver = locked { time >= limit && schedule.nextTime ?? .max > limit }
      if isOver { return false }
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) {
          continuation.resume()
        }
      }
    }
    return true
  }

  /// Waits until the callbacks have run and there is no more activity.
  private func settle() async {
    var quietRounds = 0
    while quietRounds < 3 {
      let before = locked { activity }
      await withCheckedContinuation { continuation in
        deliveries.notify(queue: .global()) { continuation.resume() }
      }
      let queues = locked { mailboxes.values.compactMap(\.mailbox?.queue) }
      await Self.pass(queues)
      await channelNotifier.settle()
      for _ in 0..<8 { await Task.yield() }
      quietRounds = locked { activity } == before ? quietRounds + 1 : 0
    }
  }

  /// Waits until the queues have run what was added to them before.
  ///
  /// Together: to wait for one after the other costs a change of threads for each.
  private static func pass(_ queues: [DispatchQueue]) async {
    let blocks = DispatchGroup()
    for queue in queues { queue.async(group: blocks) {} }
    await withCheckedContinuation { continuation in
      blocks.notify(queue: .global()) { continuation.resume() }
    }
  }
}
