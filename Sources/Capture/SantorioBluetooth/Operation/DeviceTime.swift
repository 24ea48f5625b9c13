// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The time of a device as an app hears of it: it stands still while the system keeps back what the
/// device sends.
struct DeviceTime {
  /// For how long it has stood still, up to now.
  private var stood = Duration.zero
  /// When it has come to a stand, on the app's clock.
  private var stop: Duration?

  /// How much of it has passed when the app's clock shows a time.
  func elapsed(at now: Duration) -> Duration { (stop ?? now) - stood }

  /// What the app's clock shows at an instant of it; nil as long as it stands still.
  func clockTime(of instant: Duration) -> Duration? { stop == nil ? instant + stood : nil }

  mutating func stop(at now: Duration) { stop = stop ?? now }

  mutating func goOn(at now: Duration) {
    guard let stop else { return }
    stood += now - stop
    self.stop = nil
  }
}

extension Notification.Name {
  // By name: UIKit is neither in app extensions nor on macOS and Linux.
  static let appEnteredBackground = Self("UIApplicationDidEnterBackgroundNotification")
  static let appEntersForeground = Self("UIApplicationWillEnterForegroundNotification")
}
