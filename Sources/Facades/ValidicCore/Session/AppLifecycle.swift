// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(watchOS)
  import SantorioCore
  import UIKit

  /// Sends what waits when its app goes to the background, as far as the system's time allows, and
  /// tries again in the foreground.
  ///
  /// The session is not suspended: what wakes the app in the background, a device or HealthKit, would
  /// store readings that nothing sends before the app is opened.
  final class AppLifecycle: Sendable {
    private let session: SantorioSession

    private init(_ session: SantorioSession) { self.session = session }

    /// Follows the app as long as the process lives.
    ///
    /// - Parameter session: The session.
    static func follow(_ session: SantorioSession) {
      let lifecycle = AppLifecycle(session)
      Task { @MainActor in
        let center = NotificationCenter.default
        center.addObserver(
          forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: .main
        ) { _ in lifecycle.enterBackground() }
        center.addObserver(
          forName: UIApplication.willEnterForegroundNotification, object: nil, queue: .main
        ) { _ in lifecycle.enterForeground() }
      }
    }

    /// iOS grants about thirty seconds.
    private static let longestTime: TimeInterval = 25

    private func enterBackground() {
      // A semaphore may be used from any thread, but SDKs before iOS 17 do not declare it so.
      nonisolated(unsafe) let done = DispatchSemaphore(value: 0)
      let work = Task {
        _ = try? await session.drain(until: Date(timeIntervalSinceNow: Self.longestTime))
        unsafe done.signal()
      }
      ProcessInfo.processInfo.performExpiringActivity(withReason: "Sending readings") { isExpired in
        if isExpired {
          work.cancel()
        } else {
          _ = unsafe done.wait(timeout: .now() + Self.longestTime + 5)
        }
      }
    }

    private func enterForeground() {
      session.resume()
      session.processQueue()
    }
  }
#endif
