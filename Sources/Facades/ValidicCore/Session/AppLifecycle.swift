// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(watchOS)
  import SantorioCore
  import UIKit

  /// Suspends a session while its app is in the background, after what waits was sent as far as the
  /// system's time allows, and resumes it in the foreground.
  @MainActor
  final class AppLifecycle {
    private let session: SantorioSession
    private var isInBackground = false

    private init(_ session: SantorioSession) { self.session = session }

    /// Follows the app as long as the process lives.
    ///
    /// - Parameter session: The session.
    nonisolated static func follow(_ session: SantorioSession) {
      Task { @MainActor in
        let lifecycle = AppLifecycle(session)
        let center = NotificationCenter.default
        center.addObserver(
          forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: .main
        ) { _ in MainActor.assumeIsolated { lifecycle.enterBackground() } }
        center.addObserver(
          forName: UIApplication.willEnterForegroundNotification, object: nil, queue: .main
        ) { _ in MainActor.assumeIsolated { lifecycle.enterForeground() } }
      }
    }

    /// iOS grants about thirty seconds.
    private static let longestTime: TimeInterval = 25

    private func enterBackground() {
      isInBackground = true
      let done = DispatchSemaphore(value: 0)
      let work = Task {
        _ = try? await session.drain(until: Date(timeIntervalSinceNow: Self.longestTime))
        if isInBackground { await session.suspend() }
        // The app may have come back meanwhile.
        if !isInBackground { session.resume() }
        done.signal()
      }
      ProcessInfo.processInfo.performExpiringActivity(withReason: "Sending readings") { isExpired in
        if isExpired {
          work.cancel()
        } else {
          done.wait()
        }
      }
    }

    private func enterForeground() {
      isInBackground = false
      session.resume()
      session.processQueue()
    }
  }
#endif
