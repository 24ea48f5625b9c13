// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// What makes a session try to send at once, whatever it waits for; an open set.
public struct RetryTrigger: Hashable, Sendable, CustomStringConvertible {
  let name: String

  /// The trigger's name.
  public var description: String { name }

  /// The machine has got a connection, or another one.
  public static let connectivity = RetryTrigger(name: "connectivity")
  /// The app has become active; never on Linux.
  public static let foreground = RetryTrigger(name: "foreground")

  /// The device was unlocked, for the first time since its start too; never on macOS and Linux.
  public static let unlock = RetryTrigger(name: "unlock")

  /// All triggers.
  public static let all: Set<RetryTrigger> = [.connectivity, .foreground, .unlock]
}

/// Watches for triggers as long as it lives.
final class TriggerWatch: Sendable {
  private let connectivity: ConnectivityMonitor?
  private let notifications: [NotificationWatch]

  /// Calls `retry` on an unspecified thread, each time one of the triggers fires.
  ///
  /// - Parameters:
  ///   - triggers: The triggers.
  ///   - center: Where the system posts its notifications.
  ///   - retry: What to call.
  init(
    for triggers: Set<RetryTrigger>, in center: NotificationCenter = .default,
    retry: @escaping @Sendable () -> Void
  ) {
    connectivity = triggers.contains(.connectivity) ? ConnectivityMonitor(retry) : nil
    notifications = triggers.compactMap(\.notification).map {
      NotificationWatch($0, in: center, retry)
    }
  }
}

extension RetryTrigger {
  /// The system's notification for it, if there is one.
  ///
  /// By name: importing UIKit would prevent use in an app's extensions and in command line tools.
  var notification: Notification.Name? {
    #if os(macOS)
      let names = [Self.foreground: "NSApplicationDidBecomeActiveNotification"]
    #else
      let names = [
        Self.foreground: "UIApplicationDidBecomeActiveNotification",
        Self.unlock: "UIApplicationProtectedDataDidBecomeAvailable",
      ]
    #endif
    return names[self].map { Notification.Name($0) }
  }
}

/// Calls a closure for each notification of a name, as long as it lives.
package final class NotificationWatch: @unchecked Sendable {
  // Both are set once and used in `deinit` only; a center may be used from any thread, but SDKs
  // before iOS 17 do not declare it so.
  private let center: NotificationCenter
  private let observer: any NSObjectProtocol

  package init(
    _ name: Notification.Name, in center: NotificationCenter,
    _ posted: @escaping @Sendable () -> Void
  ) {
    self.center = center
    observer = center.addObserver(forName: name, object: nil, queue: nil) { _ in posted() }
  }

  deinit { center.removeObserver(observer) }
}
