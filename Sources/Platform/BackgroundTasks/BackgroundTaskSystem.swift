// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a phone's system does with the tasks of an app: its requests, their conditions, and the end of
/// the time.
package final class BackgroundTaskSystem: @unchecked Sendable {
  /// The system of the program's scheduler; a simulated phone sets it.
  package static var current: BackgroundTaskSystem? {
    get { currentLock.withLock { unlockedCurrent } }
    set { currentLock.withLock { unlockedCurrent = newValue } }
  }

  private static let currentLock = NSLock()
  private nonisolated(unsafe) static var unlockedCurrent: BackgroundTaskSystem?

  /// What the system looks at before it runs a task.
  package struct Conditions: Sendable {
    /// The tasks that the app's Info.plist names; nil permits all.
    package var permitted: Set<String>?
    /// Whether the user allows work in the background.
    package var isEnabled = true
    /// Whether the device charges.
    package var isCharging = true
    /// Whether there is a network.
    package var hasNetwork = true
  }

  /// How a task has ended.
  package struct Outcome: Sendable {
    package let identifier: String
    /// What the app has said; nil if it said nothing.
    package let success: Bool?
  }

  private struct Handler {
    let queue: DispatchQueue
    let launch: (BGTask) -> Void
  }

  private struct Running {
    let request: BGTaskRequest
    let deadline: Date
    var task: BGTask?
    var queue = DispatchQueue.global()
    var isExpired = false
  }

  private let lock = NSLock()
  // All below is touched under the lock only.
  private var unlockedConditions = Conditions()
  private var handlers: [String: Handler] = [:]
  private var requests: [String: BGTaskRequest] = [:]
  private var running: [String: Running] = [:]
  private var unlockedOutcomes: [Outcome] = []
  /// What waits until no task runs.
  private var waiting: [@Sendable () -> Void] = []

  package init() {}

  /// What the system looks at.
  package var conditions: Conditions {
    get { lock.withLock { unlockedConditions } }
    set { lock.withLock { unlockedConditions = newValue } }
  }

  /// The tasks that have ended.
  package var outcomes: [Outcome] { lock.withLock { unlockedOutcomes } }

  // MARK: - The app

  func register(
    _ identifier: String, _ queue: DispatchQueue?, _ launch: @escaping (BGTask) -> Void
  ) -> Bool {
    lock.withLock {
      guard permits(identifier) else { return false }
      precondition(
        handlers[identifier] == nil, "The task \(identifier) has a handler already.")
      handlers[identifier] = Handler(queue: queue ?? .global(), launch: launch)
      return true
    }
  }

  func submit(_ request: BGTaskRequest) throws {
    guard let copy = request.copy() as? BGTaskRequest else { return }
    try lock.withLock {
      try check(copy)
      requests[copy.identifier] = copy
    }
  }

  func cancel(where isMeant: (String) -> Bool) {
    lock.withLock { requests = requests.filter { !isMeant($0.key) } }
  }

  func copies() -> [BGTaskRequest] {
    lock.withLock {
      requests.sorted { $0.key < $1.key }.compactMap { $0.value.copy() as? BGTaskRequest }
    }
  }

  /// Forgets what the app's process had; its requests stay.
  package func appEnded() {
    lock.withLock {
      handlers = [:]
      unlockedOutcomes += running.keys.sorted().map { Outcome(identifier: $0, success: nil) }
      running = [:]
    }
    releaseWaiting()
  }

  // MARK: - The phone

  /// Takes the requests that are due out of those that wait, to run them after a launch of the app.
  ///
  /// - Returns: The names of the tasks, for ``run(_:)``.
  package func takeDue(at now: Date) -> [String] {
    lock.withLock {
      let due = requests.filter { isDue($0.value, at: now) }
      for (identifier, request) in due {
        requests[identifier] = nil
        running[identifier] = Running(request: request, deadline: now + request.time)
      }
      return due.keys.sorted()
    }
  }

  /// Calls the handlers of tasks; one without a handler ends at once.
  package func run(_ identifiers: [String]) {
    for identifier in identifiers {
      let start: (() -> Void)? = lock.withLock {
        guard let running = running[identifier], let handler = handlers[identifier] else {
          return nil
        }
        let task = running.request.makeTask { [weak self] in self?.end(identifier, $0) }
        self.running[identifier]?.task = task
        self.running[identifier]?.queue = handler.queue
        return { handler.queue.async { handler.launch(task) } }
      }
      if let start { start() } else { end(identifier, nil) }
    }
  }

  /// Calls the expiration handlers of tasks whose time is over.
  ///
  /// - Returns: Whether one has still not ended some seconds later: the system ends the app then.
  package func expire(at now: Date) -> Bool {
    let (late, isTooLate) = lock.withLock {
      let isTooLate = running.values.contains {
        $0.isExpired && $0.deadline + Self.grace <= now
      }
      let late = running.filter {
        $0.value.task != nil && $0.value.deadline <= now && !$0.value.isExpired
      }
      for identifier in late.keys { running[identifier]?.isExpired = true }
      return (late, isTooLate)
    }
    for running in late.values {
      if let handler = running.task?.takeExpirationHandler() {
        running.queue.async { handler() }
      } else {
        running.task?.setTaskCompleted(success: false)
      }
    }
    return isTooLate
  }

  /// Waits until no task runs.
  package func ended() async {
    await withCheckedContinuation { continuation in
      lock.withLock { waiting.append { continuation.resume() } }
      releaseWaiting()
    }
  }

  private func end(_ identifier: String, _ success: Bool?) {
    lock.withLock {
      guard running.removeValue(forKey: identifier) != nil else { return }
      unlockedOutcomes.append(Outcome(identifier: identifier, success: success))
    }
    releaseWaiting()
  }

  private func releaseWaiting() {
    let bodies = lock.withLock {
      guard running.isEmpty else { return [@Sendable () -> Void]() }
      defer { waiting = [] }
      return waiting
    }
    for body in bodies { body() }
  }

  // MARK: - Rules

  /// How many requests of the short and the long kind may wait.
  private static let most = (refresh: 1, processing: 10)
  /// How many seconds after its time a task must have ended.
  private static let grace: TimeInterval = 5

  private func permits(_ identifier: String) -> Bool {
    unlockedConditions.permitted?.contains(identifier) ?? true
  }

  private func check(_ request: BGTaskRequest) throws {
    guard unlockedConditions.isEnabled else {
      throw BGTaskScheduler.Error.error(
        .unavailable, "The user has switched off work in the background.")
    }
    guard permits(request.identifier) else {
      throw BGTaskScheduler.Error.error(
        .notPermitted,
        "BGTaskSchedulerPermittedIdentifiers of the Info.plist lacks \(request.identifier).")
    }
    let isLong = request is BGProcessingTaskRequest
    let others = requests.values.filter {
      ($0 is BGProcessingTaskRequest) == isLong && $0.identifier != request.identifier
    }
    guard others.count < (isLong ? Self.most.processing : Self.most.refresh) else {
      throw BGTaskScheduler.Error.error(
        .tooManyPendingTaskRequests,
        "\(others.count) requests of this kind wait already; cancel one of them.")
    }
  }

  private func isDue(_ request: BGTaskRequest, at now: Date) -> Bool {
    guard unlockedConditions.isEnabled, running[request.identifier] == nil,
      request.earliestBeginDate ?? .distantPast <= now
    else { return false }
    guard let long = request as? BGProcessingTaskRequest else { return true }
    return (unlockedConditions.isCharging || !long.requiresExternalPower)
      && (unlockedConditions.hasNetwork || !long.requiresNetworkConnectivity)
  }
}

extension BGTaskRequest {
  /// How many seconds its task has; Apple publishes no figures.
  fileprivate var time: TimeInterval { self is BGProcessingTaskRequest ? 300 : 30 }

  fileprivate func makeTask(completed: @escaping (Bool) -> Void) -> BGTask {
    self is BGProcessingTaskRequest
      ? BGProcessingTask(identifier, completed: completed)
      : BGAppRefreshTask(identifier, completed: completed)
  }
}
