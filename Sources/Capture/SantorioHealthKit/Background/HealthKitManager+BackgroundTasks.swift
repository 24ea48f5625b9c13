// SPDX-License-Identifier: Apache-2.0

// macOS and watchOS have no such tasks.
#if os(iOS) || os(tvOS) || os(visionOS) || os(Linux)
  @unsafe @preconcurrency package import BackgroundTasks
  import Foundation
  import SantorioConcurrency

  extension HealthKitManager {
    /// Registers the tasks in which the app catches up; to be called at each launch, before it is over.
    ///
    /// They are asked for as long as there are subscriptions.
    ///
    /// - Parameter tasks: The tasks.
    /// - Returns: Whether the Info.plist permits all of them. The others are registered.
    @discardableResult public func registerBackgroundTasks(
      _ tasks: HealthKitBackgroundTasks
    ) -> Bool {
      registerBackgroundTasks(tasks, with: .shared)
    }

    @discardableResult package func registerBackgroundTasks(
      _ tasks: HealthKitBackgroundTasks, with scheduler: BGTaskScheduler
    ) -> Bool {
      let schedule = TaskSchedule(scheduler: scheduler, tasks: tasks, now: settings.now)
      backgroundTasks.withLock { requests in
        requests = BackgroundTaskRequests(
          names: tasks.names, submit: schedule.submit, cancel: schedule.cancel)
      }
      var isPermitted = true
      for name in tasks.names {
        let isLong = name == tasks.processing
        let isKnown = scheduler.register(forTaskWithIdentifier: name, using: nil) {
          [weak self] task in
          // Without an answer the system ends the app.
          guard let self else { return task.setTaskCompleted(success: false) }
          run(BackgroundTask(task), isLong: isLong)
        }
        isPermitted = isPermitted && isKnown
      }
      return isPermitted
    }

    private func run(_ task: BackgroundTask, isLong: Bool) {
      let time = readingTime()
      let work = Task {
        // First, so that the chain of tasks goes on if this one is not finished.
        await requestBackgroundTasks()
        let isComplete = await catchUp(withHistory: isLong, within: time)
        task.end(success: isComplete)
      }
      task.onExpiration {
        time.end()
        work.cancel()
      }
    }
  }

  /// A task of the system; ended once, by one side.
  private struct BackgroundTask: @unchecked Sendable {
    private let task: BGTask

    init(_ task: BGTask) { self.task = task }

    func onExpiration(_ body: @escaping @Sendable () -> Void) { task.expirationHandler = body }

    func end(success: Bool) { task.setTaskCompleted(success: success) }
  }

  /// The requests for the tasks.
  private struct TaskSchedule: @unchecked Sendable {
    let scheduler: BGTaskScheduler
    let tasks: HealthKitBackgroundTasks
    let now: @Sendable () -> Date

    /// Asks for the tasks that do not wait: a new request would put off the one that does.
    ///
    /// One that is refused keeps the other from nothing: of short tasks an app may ask for a single one,
    /// and that may be its own.
    func submit() async throws {
      let waiting = await waiting()
      var refusal: (any Error)?
      for request in requests() {
        // One that waits for longer was made while the clock was ahead.
        if let begin = waiting[request.identifier], begin <= request.earliestBeginDate ?? begin {
          continue
        }
        do {
          try scheduler.submit(request)
        } catch {
          refusal = refusal ?? error
        }
      }
      if let refusal { throw refusal }
    }

    private func requests() -> [BGTaskRequest] {
      var requests: [BGTaskRequest] = []
      if let name = tasks.refresh {
        let request = BGAppRefreshTaskRequest(identifier: name)
        request.earliestBeginDate = now() + tasks.refreshInterval
        requests.append(request)
      }
      if let name = tasks.processing {
        let request = BGProcessingTaskRequest(identifier: name)
        request.earliestBeginDate = now() + tasks.processingInterval
        request.requiresNetworkConnectivity = true
        requests.append(request)
      }
      return requests
    }

    /// When those that wait may begin, by their names.
    private func waiting() async -> [String: Date] {
      await withCheckedContinuation { continuation in
        scheduler.getPendingTaskRequests { requests in
          let begins = requests.map { ($0.identifier, $0.earliestBeginDate ?? .distantPast) }
          continuation.resume(returning: Dictionary(begins) { first, _ in first })
        }
      }
    }

    func cancel() {
      for name in tasks.names { scheduler.cancel(taskRequestWithIdentifier: name) }
    }
  }
#endif
