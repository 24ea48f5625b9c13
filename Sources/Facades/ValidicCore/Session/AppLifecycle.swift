// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(watchOS)
  import SantorioConcurrency
  import SantorioCore
  import UIKit

  /// Suspends a session while its app is in the background, after what waits was sent as far as the
  /// system's time allows, and resumes it in the foreground.
  final class AppLifecycle: Sendable {
    private let session: SantorioSession
    private let isInBackground = Locked(false)

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

    private var isAway: Bool { isInBackground.withLock { $0 } }

    private func enterBackground() {
      isInBackground.withLock { $0 = true }
      // A semaphore may be used from any thread, but SDKs before iOS 17 do not declare it so.
      nonisolated(unsafe) let done = DispatchSemaphore(value: 0)
      let work = Task {
        _ = try? await session.drain(until: Date(timeIntervalSinceNow: Self.longestTime))
        if isAway { await session.suspend() }
        // The app may have come back meanwhile.
        if !isAway { session.resume() }
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
      isInBackground.withLock { $0 = false }
      session.resume()
      session.processQueue()
    }
  }
#endif
