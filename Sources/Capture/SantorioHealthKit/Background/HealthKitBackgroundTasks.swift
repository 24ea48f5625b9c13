// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SantorioConcurrency
import SantorioCore

/// The background tasks in which an app makes up for what HealthKit's background delivery has missed.
///
/// HealthKit ends the delivery to an app that was slow three times, and delivers nothing of a locked
/// device. A refresh reads what is new and sends it; a long task also goes on with a fetch of history
/// that was interrupted. Register them with ``HealthKitManager/registerBackgroundTasks(_:)`` at each
/// launch. Both names stand in `BGTaskSchedulerPermittedIdentifiers` of the Info.plist, and
/// `UIBackgroundModes` has `fetch` and `processing`.
public struct HealthKitBackgroundTasks: Hashable, Sendable {
  /// The name of the short task; nil for none.
  public var refresh: String?
  /// The name of the long task, for which the system waits until the device is idle; nil for none.
  public var processing: String?
  /// After how many seconds the next short task may begin; 4 hours by default.
  public var refreshInterval: TimeInterval = 4 * 3_600
  /// After how many seconds the next long task may begin; a day by default.
  public var processingInterval: TimeInterval = 86_400

  /// The names of the tasks.
  public init(refresh: String?, processing: String?) {
    self.refresh = refresh
    self.processing = processing
  }

  var names: [String] { [refresh, processing].compactMap { $0 } }
}

/// How the tasks are asked for, where the system has them.
struct BackgroundTaskRequests: Sendable {
  let names: [String]
  /// Asks for those that do not wait already.
  let submit: @Sendable () async throws -> Void
  let cancel: @Sendable () -> Void
}

extension HealthKitManager {
  /// Asks for the background tasks that were registered.
  func requestBackgroundTasks() async {
    guard let requests = backgroundTasks.withLock({ $0 }) else { return }
    do {
      try await requests.submit()
    } catch {
      report(
        .backgroundTasksUnavailable(
          HealthKitError(
            .failed,
            "The system refuses the app's background tasks; check the Info.plist and the user's "
              + "settings (see HealthKitSelfTest). \(error.localizedDescription)")))
    }
  }

  /// Withdraws the requests: there is nothing to read.
  func cancelBackgroundTasks() { backgroundTasks.withLock { $0 }?.cancel() }

  /// Reads what is new, goes on with history in a long task, and sends.
  ///
  /// - Returns: Whether everything was read.
  func catchUp(withHistory: Bool, within time: ReadingTime) async -> Bool {
    var isComplete = await fetchLatestData(within: time)
    if withHistory, !time.isOver {
      do {
        if let history = try await resumeHistory() { for try await _ in history {} }
      } catch {
        isComplete = false
        report(.failed(type: "history", HealthKitError(error)))
      }
    }
    guard !time.isOver else { return false }
    _ = try? await session.drain()
    return isComplete && !time.isOver
  }
}
