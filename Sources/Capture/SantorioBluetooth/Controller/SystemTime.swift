// SPDX-License-Identifier: Apache-2.0

import Foundation

#if SimulatedBluetooth
  import SimulatedCoreBluetooth
#else
  import CoreBluetooth
#endif
#if canImport(UIKit) && !os(watchOS)
  import UIKit
#endif

/// How the time of ``BackgroundTime/system`` is asked for, and what else the system does for an app
/// that does not run.
enum SystemTime {
  private static let reason = "Reading a health device"

  /// Whether the system launches an app for a device, which depends on the app.
  static var launchesForDevices: Bool {
    #if os(Linux) || os(macOS)
      false
    #else
      true
    #endif
  }

  /// The options of the central that an app shares.
  static var sharedCentralOptions: [String: Any]? {
    guard launchesForDevices, wakesForDevices else { return nil }
    return [CBCentralManagerOptionRestoreIdentifierKey: "org.santorio.bluetooth"]
  }

  #if os(macOS)
    static let wakesForDevices = true

    static func begin(_ expired: @escaping @Sendable () -> Void) -> BackgroundTime.End {
      let activity = Activity(reason)
      return { activity.end() }
    }

    /// Keeps macOS from napping the app, and from ending it as one that has nothing to do.
    private final class Activity: @unchecked Sendable {
      // Never changed; the system's methods may be called on any thread.
      private let token: any NSObjectProtocol

      init(_ reason: String) {
        token = ProcessInfo.processInfo.beginActivity(
          options: [.userInitiatedAllowingIdleSystemSleep, .suddenTerminationDisabled],
          reason: reason)
      }

      func end() { ProcessInfo.processInfo.endActivity(token) }
    }
  #elseif canImport(Darwin)
    static var wakesForDevices: Bool {
      let modes = Bundle.main.object(forInfoDictionaryKey: "UIBackgroundModes") as? [String]
      return modes?.contains("bluetooth-central") ?? false
    }

    static func begin(_ expired: @escaping @Sendable () -> Void) -> BackgroundTime.End {
      #if canImport(UIKit) && !os(watchOS)
        // An app extension has no application.
        guard Bundle.main.bundlePath.hasSuffix(".appex") else { return task(expired) }
      #endif
      return expiringActivity(expired)
    }

    private static func expiringActivity(
      _ expired: @escaping @Sendable () -> Void
    ) -> BackgroundTime.End {
      let end = End()
      ProcessInfo.processInfo.performExpiringActivity(withReason: reason) { isExpired in
        // Called once more, on another thread, when the time is about to be over.
        if isExpired { expired() } else { end.semaphore.wait() }
      }
      return { end.semaphore.signal() }
    }

    private final class End: @unchecked Sendable {
      // A semaphore may be used from any thread; SDKs before iOS 17 do not declare that.
      let semaphore = DispatchSemaphore(value: 0)
    }

    #if canImport(UIKit) && !os(watchOS)
      private static func task(_ expired: @escaping @Sendable () -> Void) -> BackgroundTime.End {
        let task = ApplicationTask()
        Task { await task.begin(reason, expired) }
        return { Task { await task.end() } }
      }

      @MainActor private final class ApplicationTask {
        private var identifier = UIBackgroundTaskIdentifier.invalid
        private var isOver = false

        nonisolated init() {}

        func begin(_ name: String, _ expired: @escaping @Sendable () -> Void) {
          guard !isOver, let application else { return }
          identifier = application.beginBackgroundTask(withName: name) { expired() }
          // There is no time to be had: it is over at once, and asked for again at the next event.
          if identifier == .invalid { expired() }
        }

        func end() {
          isOver = true
          guard identifier != .invalid else { return }
          application?.endBackgroundTask(identifier)
          identifier = .invalid
        }

        /// `UIApplication.shared`, which code for app extensions may not name.
        private var application: UIApplication? {
          let shared = NSSelectorFromString("sharedApplication")
          return unsafe (UIApplication.self as AnyObject).perform(shared)?
            .takeUnretainedValue() as? UIApplication
        }
      }
    #endif
  #else
    static let wakesForDevices = BackgroundTime.unlimited.wakesForDevices
    static let begin = BackgroundTime.unlimited.begin
  #endif
}
