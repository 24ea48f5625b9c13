// SPDX-License-Identifier: Apache-2.0

// What the library names of UIKit, and of Foundation on Apple's platforms; there is no app, and nothing of it happens.
@_exported import Foundation

/// A task that goes on in the background.
public struct UIBackgroundTaskIdentifier: Hashable, Sendable {
  /// No task.
  public static let invalid = UIBackgroundTaskIdentifier()
}

/// Whether the system starts the app in the background.
public enum UIBackgroundRefreshStatus: Sendable {
  /// It does not, for all apps.
  case restricted
  /// It does not, for this one.
  case denied
  /// It does.
  case available
}

/// The app.
public final class UIApplication: Sendable {
  /// What the app is doing.
  public enum State: Sendable {
    /// It is used.
    case active
    /// It is seen.
    case inactive
    /// It is not seen.
    case background
  }

  /// The only one.
  public static let shared = UIApplication()

  /// Told when the app has started.
  public static let didFinishLaunchingNotification = Notification.Name("didFinishLaunching")
  /// Told before it is seen.
  public static let willEnterForegroundNotification = Notification.Name("willEnterForeground")
  /// Told when it is not seen any more.
  public static let didEnterBackgroundNotification = Notification.Name("didEnterBackground")
  /// Told before it is not used any more.
  public static let willResignActiveNotification = Notification.Name("willResignActive")
  /// Told before it ends.
  public static let willTerminateNotification = Notification.Name("willTerminate")
  /// Told when the day or the time zone changes.
  public static let significantTimeChangeNotification = Notification.Name("significantTimeChange")
  /// Told when the device is unlocked for the first time.
  public static let protectedDataDidBecomeAvailableNotification = Notification.Name("unlocked")

  /// It is used.
  public var applicationState: State { .active }
  /// The system may start it.
  public var backgroundRefreshStatus: UIBackgroundRefreshStatus { .available }
  /// The device is unlocked.
  public var isProtectedDataAvailable: Bool { true }

  /// Begins no task.
  public func beginBackgroundTask(
    withName name: String?, expirationHandler: (() -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier { .invalid }

  /// Ends none.
  public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
}

/// The device.
public final class UIDevice: Sendable {
  /// The only one.
  public static let current = UIDevice()
  /// The version of its system.
  public var systemVersion: String { "" }
  /// What it is.
  public var model: String { "" }
}

extension Notification.Name {
  /// Told when the device begins to save power, or ends.
  public static let NSProcessInfoPowerStateDidChange = Notification.Name("powerState")
}

extension ProcessInfo {
  /// Whether the device saves power.
  public var isLowPowerModeEnabled: Bool { false }
}

extension NotificationCenter {
  /// Observes, with a closure in place of a selector.
  public func addObserver(
    _ observer: Any, selector: @escaping @Sendable () -> Void, name: Notification.Name?,
    object: Any?
  ) {
    _ = addObserver(forName: name, object: object, queue: nil) { _ in selector() }
  }
}
