// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCore
import SantorioHealthKit

#if os(iOS)
  import UIKit
#endif

/// Reads what the user has subscribed to, for as long as the session lasts.
final class HealthReader: Sendable {
  private let manager: HealthKitManager

  init(session: SantorioSession) {
    manager = HealthKitManager(session: session)
  }

  /// At each launch, before the app has finished launching.
  func launched() {
    let events = manager.events
    manager.observeCurrentSubscriptions()
    Task {
      for await event in events { note(event) }
    }
  }

  /// Once, from a screen that says why: the user may be asked for permission.
  func subscribe() async throws(HealthKitError) {
    try await manager.setSubscriptions([.routine, .sleep, .biometrics])
  }

  /// Each time the app comes to the foreground.
  func becameActive() async { await manager.fetchLatestData() }

  /// When the user has unlocked the device.
  func wasUnlocked() async { await manager.deviceWasUnlocked() }

  private func note(_ event: HealthKitEvent) {
    switch event {
    case .recordsProcessed(let type, _, let count): print("\(count) records of \(type)")
    case .deletionsProcessed(let type, let count): print("\(count) deletions of \(type)")
    case .failed(let type, let error): print("\(type): \(error.message)")
    case .backgroundTasksUnavailable(let error): print(error.message)
    case .subscriptionsEnded: print("The session has ended.")
    }
  }
}

private func fetch(with manager: HealthKitManager) async throws {
  let today = Date()
  let calendar = Calendar.current
  let first = calendar.date(byAdding: .day, value: -30, to: today) ?? today
  let parts: Set<Calendar.Component> = [.year, .month, .day]
  let days = manager.fetchHistory(
    [.routine, .fitness], from: calendar.dateComponents(parts, from: first),
    to: calendar.dateComponents(parts, from: today))
  for try await progress in days {
    print("\(progress.doneDays) of \(progress.totalDays) days")
  }
}

#if os(iOS) || os(Linux)
  private func register(with manager: HealthKitManager) {
    manager.registerBackgroundTasks(
      HealthKitBackgroundTasks(refresh: "org.example.refresh", processing: "org.example.catch-up"))
  }
#endif

private func check(_ manager: HealthKitManager) async {
  let test = HealthKitSelfTest(of: manager, savesReadings: true)
  for finding in await test.run() { print(finding) }
}

private func save(
  _ reading: HealthRecord, with manager: HealthKitManager
) async throws(HealthKitError) {
  try await manager.save([reading])  // the user may be asked for permission
}

#if os(iOS)
  @MainActor final class HealthAppDelegate: NSObject, UIApplicationDelegate {
    var reader: HealthReader?

    func application(
      _ application: UIApplication,
      didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
      reader?.launched()
      return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) {
      Task { await reader?.becameActive() }
    }

    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {
      Task { await reader?.wasUnlocked() }
    }
  }
#endif
