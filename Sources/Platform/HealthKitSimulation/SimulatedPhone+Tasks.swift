// SPDX-License-Identifier: Apache-2.0

import BackgroundTasks
import Foundation

/// The background tasks of the app.
///
/// A task begins when the time moves, the app is not in the foreground, and what its request asks for
/// holds. A refresh has 30 seconds, a processing task 5 minutes: Apple publishes no figures. A task
/// that has not ended 5 seconds after its expiration handler was called ends the app.
extension SimulatedPhone {
  /// How a background task has ended.
  public struct EndedTask: Hashable, Sendable {
    /// The name of the task.
    public let identifier: String
    /// Whether the app calls it a success; nil if it ended without a word, for lack of a handler too.
    public let success: Bool?

    /// What a test expects.
    public init(identifier: String, success: Bool?) {
      self.identifier = identifier
      self.success = success
    }
  }

  /// The scheduler of the app on this phone; `BGTaskScheduler.shared` is that of the default phone.
  public func makeTaskScheduler() -> BGTaskScheduler { BGTaskScheduler(of: tasks) }

  /// The background tasks that have ended, in that order.
  public var endedTasks: [EndedTask] {
    tasks.outcomes.map { EndedTask(identifier: $0.identifier, success: $0.success) }
  }

  /// The tasks that the app's Info.plist names; nil, at first, for any.
  public var permittedTasks: Set<String>? {
    get { tasks.conditions.permitted }
    set { tasks.conditions.permitted = newValue }
  }

  /// Whether the user lets the app work in the background.
  public var allowsBackgroundTasks: Bool {
    get { tasks.conditions.isEnabled }
    set { tasks.conditions.isEnabled = newValue }
  }

  /// Whether the phone charges.
  public var isCharging: Bool {
    get { tasks.conditions.isCharging }
    set { tasks.conditions.isCharging = newValue }
  }

  /// Whether the phone has a network.
  public var hasNetwork: Bool {
    get { tasks.conditions.hasNetwork }
    set { tasks.conditions.hasNetwork = newValue }
  }

  /// Ends tasks whose time is over, and begins those that are due.
  func runTasks() {
    if tasks.expire(at: now) { terminateApp() }
    guard appState != .foreground, system.canRunApp else { return }
    let due = tasks.takeDue(at: now)
    guard !due.isEmpty else { return }
    _ = system.whenLaunched { [tasks] in tasks.run(due) }
  }
}
