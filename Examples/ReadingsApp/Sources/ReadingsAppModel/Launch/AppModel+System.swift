// SPDX-License-Identifier: Apache-2.0

import Foundation
import Santorio
import SantorioHealthKit
import SantorioUI

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
    if state.phase.isUnknown { services?.restorePassive() }
    await refresh()
    await services?.health.deviceWasUnlocked()
  }

  /// The system has uploads of the app that have ended.
  ///
  /// - Parameter identifier: Which.
  public func handleUploads(of identifier: String) async {
    for services in all.values { await services.session.handleEvents(of: identifier) }
  }

  /// Sends what waits in the time that the system gives.
  func drain() async -> Bool {
    guard let session = services?.session else { return true }
    let result = try? await session.drain()
    let isDone = result == .empty || result == .handedOver
    #if os(iOS) || os(Linux)
      // A task runs once, and the app may not be opened for days.
      if !isDone { BackgroundWork.schedule(with: environment.scheduler, after: Self.pause) }
    #endif
    return isDone
  }

  /// When what could not be sent is tried again at the earliest.
  private static let pause: TimeInterval = 900
}
