// SPDX-License-Identifier: Apache-2.0

#if os(iOS) || os(Linux)
  import BackgroundTasks
  import Foundation

  /// The background task in which the app sends what waits.
  enum BackgroundWork {
    /// Says what the task does; before the launch is over.
    static func register(
      with scheduler: BGTaskScheduler, send: @escaping @Sendable () async -> Bool
    ) {
      scheduler.register(forTaskWithIdentifier: AppIdentifiers.drain, using: nil) {
        @Sendable task in
        let running = RunningTask(task: task)
        let sending = Task { running.task.setTaskCompleted(success: await send()) }
        task.expirationHandler = { sending.cancel() }
      }
    }

    /// Used by one side at a time: by the system, then by the app.
    private struct RunningTask: @unchecked Sendable {
      let task: BGTask
    }

    /// Asks for the task; it runs once, when the system likes.
    static func schedule(with scheduler: BGTaskScheduler, after pause: TimeInterval = 0) {
      let request = BGProcessingTaskRequest(identifier: AppIdentifiers.drain)
      if pause > 0 { request.earliestBeginDate = Date() + pause }
      request.requiresNetworkConnectivity = true
      // Without it, what waits is sent when the app is opened.
      try? scheduler.submit(request)
    }
  }
#endif
