// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Launches the app in the background for work that it has asked for.
///
/// Only a simulated phone does that: in a program on Linux that runs without one, requests are refused
/// with the error `unavailable`.
open class BGTaskScheduler: NSObject, @unchecked Sendable {
  /// The scheduler of the running app.
  open class var shared: BGTaskScheduler { common }

  private static let common = BGTaskScheduler(of: nil)
  private let own: BackgroundTaskSystem?
  private var system: BackgroundTaskSystem? { own ?? .current }

  /// The scheduler of a phone; that of the current one if nil.
  package init(of system: BackgroundTaskSystem?) { own = system }

  /// Says what a task does; to be called before the app has finished launching.
  ///
  /// - Parameters:
  ///   - identifier: The name of the task. A second handler for it stops the program.
  ///   - queue: Where the handler is called; nil for a queue in the background.
  ///   - launchHandler: Gets the task. It must call `setTaskCompleted(success:)` when it is done.
  /// - Returns: Whether the task is one that the app names.
  @discardableResult
  open func register(
    forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
    launchHandler: @escaping (BGTask) -> Void
  ) -> Bool {
    guard let system else { return true }
    return system.register(identifier, queue, launchHandler)
  }

  /// Asks for a launch; a request of the same name is replaced.
  ///
  /// - Throws: ``Error``.
  open func submit(_ taskRequest: BGTaskRequest) throws {
    guard let system else {
      throw Error.error(.unavailable, "Nothing launches programs in the background here.")
    }
    try system.submit(taskRequest)
  }

  /// Withdraws a request.
  open func cancel(taskRequestWithIdentifier identifier: String) {
    system?.cancel { $0 == identifier }
  }

  /// Withdraws all requests.
  open func cancelAllTaskRequests() { system?.cancel { _ in true } }

  /// The requests that wait, as copies.
  open func getPendingTaskRequests(
    completionHandler: @escaping @Sendable ([BGTaskRequest]) -> Void
  ) {
    let system = system
    DispatchQueue.global().async { completionHandler(system?.copies() ?? []) }
  }

  /// The requests that wait, as copies.
  @discardableResult
  open func pendingTaskRequests() async -> [BGTaskRequest] { system?.copies() ?? [] }
}
