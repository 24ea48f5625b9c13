// SPDX-License-Identifier: Apache-2.0

// What public Bluetooth libraries name of UIKit; nothing of it does anything.
@_exported import Foundation

/// A task that goes on in the background.
public struct UIBackgroundTaskIdentifier: Hashable, Sendable {
  /// The number of the task.
  public let rawValue: Int
  /// No task.
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)

  /// A task by its number.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }
}

/// What an app's delegate conforms to.
public protocol UIApplicationDelegate: AnyObject {}

/// The app.
public final class UIApplication: Sendable {
  /// Why the app was launched.
  public struct LaunchOptionsKey: Hashable, Sendable {
    /// For central managers that are to be restored.
    public static let bluetoothCentrals = LaunchOptionsKey()
  }

  /// The only one.
  public static let shared = UIApplication()

  /// Begins no task.
  public func beginBackgroundTask(
    expirationHandler: (() -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier { .invalid }

  /// Ends none.
  public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
}
