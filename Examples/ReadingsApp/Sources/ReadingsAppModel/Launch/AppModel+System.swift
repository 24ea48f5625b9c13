// SPDX-License-Identifier: Apache-2.0

import Santorio
import SantorioHealthKit

// What the system says.
extension AppModel {
  /// The app is in front.
  public func becameActive() {
    isActive = true
    services?.session.resume()
    Task { [services] in
      await refresh()
      _ = await services?.health.fetchLatestData()
    }
  }

  /// The app is in the background.
  public func enteredBackground() {
    isActive = false
    #if os(iOS) || os(Linux)
      BackgroundWork.schedule(with: environment.scheduler)
    #endif
  }

  /// The phone was unlocked.
  public func wasUnlocked() async {
    await services?.health.deviceWasUnlocked()
    await refresh()
  }

  /// The system has uploads of the app that have ended.
  ///
  /// - Parameter identifier: Which.
  public func handleUploads(of identifier: String) async {
    for services in all.values { await services.session.handleEvents(of: identifier) }
  }

  /// Sends what waits in the time that the system gives.
  func drain() async -> Bool {
    let result = try? await services?.session.drain()
    return result == .empty || result == .handedOver
  }
}
