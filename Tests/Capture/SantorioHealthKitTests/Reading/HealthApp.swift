// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitSimulation
import HealthRecords
import SantorioConcurrency
import SantorioCore
import SantorioHealthKit
import TestSupport

/// An app with a session on a simulated phone; the phone's time is 14 July 2026, 9:00 in Rome.
final class HealthApp {
  let folder: TemporaryFolder
  let phone: SimulatedPhone
  private(set) var session: SantorioSession
  private(set) var manager: HealthKitManager
  private let zone = Locked(TimeZone(identifier: "Europe/Rome") ?? .gmt)

  static let now = Date(timeIntervalSince1970: 1_784_012_400)
  static let watch = HKSourceRevision(
    source: HKSource(name: "Watch", bundleIdentifier: "com.apple.health.watch"), version: "11",
    productType: "Watch6,2", operatingSystemVersion: OperatingSystemVersion())
  static let iPhone = HKSourceRevision(
    source: HKSource(name: "iPhone", bundleIdentifier: "com.apple.health.phone"), version: "18",
    productType: "iPhone14,5", operatingSystemVersion: OperatingSystemVersion())

  init(
    user: SantorioUser? = HealthApp.user, backgroundTime: TimeInterval = 20,
    _ change: @escaping (inout HealthKitSettings) -> Void = { _ in }
  ) async throws {
    folder = try TemporaryFolder()
    phone = SimulatedPhone(store: folder.url.appendingPathComponent("health.sqlite"))
    phone.setTime(Self.now)
    session = Self.session(folder)
    manager = Self.manager(session, phone, zone) { settings in
      settings.backgroundTime = backgroundTime
      change(&settings)
    }
    if let user { try await session.start(user) }
  }

  static let user = SantorioUser(userID: "user", organizationID: "ward", accessToken: "token")

  private static func session(_ folder: TemporaryFolder) -> SantorioSession {
    let nowhere = URL(string: "http://127.0.0.1:9") ?? URL(fileURLWithPath: "/")
    return SantorioSession(
      .init(directory: folder.url.appendingPathComponent("session"), endpoint: nowhere))
  }

  private static func manager(
    _ session: SantorioSession, _ phone: SimulatedPhone, _ zone: Locked<TimeZone>,
    _ change: (inout HealthKitSettings) -> Void = { _ in }
  ) -> HealthKitManager {
    var settings = HealthKitSettings()
    settings.now = { phone.now }
    settings.zone = { zone.withLock { $0 } }
    settings.pageSize = 7
    change(&settings)
    return HealthKitManager(
      session: session, store: phone.makeHealthStore(), settings: settings)
  }

  /// Ends the app, and launches it again as the system or the user does.
  func relaunch() async throws {
    phone.terminateApp()
    session = Self.session(folder)
    manager = Self.manager(session, phone, zone)
    phone.openApp()
    try await openSession()
  }

  /// Has the system launch the ended app when it wants to; the app registers its tasks and observes.
  func launchInBackground() async throws {
    session = Self.session(folder)
    manager = Self.manager(session, phone, zone)
    try await openSession()
    let (manager, scheduler) = (manager, phone.makeTaskScheduler())
    phone.launchApp {
      manager.registerBackgroundTasks(Self.tasks, with: scheduler)
      manager.observeCurrentSubscriptions()
    }
  }

  /// Lets go of the manager, and makes another one.
  func replaceManager() { manager = Self.manager(session, phone, zone) }

  static let tasks = HealthKitBackgroundTasks(refresh: "refresh", processing: "long")

  /// Registers the app's background tasks, as at a launch.
  @discardableResult func registerTasks() -> Bool {
    manager.registerBackgroundTasks(Self.tasks, with: phone.makeTaskScheduler())
  }

  /// The day that is so many days before the phone's first day.
  func day(_ before: Int) -> DateComponents {
    Calendar(identifier: .gregorian).dateComponents(
      in: TimeZone(identifier: "Europe/Rome") ?? .gmt, from: Self.now - 86_400 * Double(before))
  }

  private func openSession() async throws {
    // What the app before was doing ends by itself, and only then it leaves the folder.
    while true {
      do throws(SessionError) {
        return try await session.open()
      } catch {
        guard error.code == .folderInUse else { throw error }
        await Task.yield()
      }
    }
  }

  func travel(to name: String) { zone.withLock { $0 = TimeZone(identifier: name) ?? .gmt } }

  // MARK: - Samples

  static func rate(_ rate: Double, _ minutes: Double) -> HKQuantitySample {
    quantity(.heartRate, HKUnit(from: "count/min"), rate, minutes, minutes)
  }

  static func steps(_ count: Double, _ from: Double, _ to: Double) -> HKQuantitySample {
    quantity(.stepCount, .count(), count, from, to)
  }

  /// A quantity of minutes after the phone's first time.
  static func quantity(
    _ type: HKQuantityTypeIdentifier, _ unit: HKUnit, _ value: Double, _ from: Double, _ to: Double
  ) -> HKQuantitySample {
    HKQuantitySample(
      type: HKQuantityType(type), quantity: HKQuantity(unit: unit, doubleValue: value),
      start: now + from * 60, end: now + to * 60)
  }

  static func pressure(_ systolic: Double, _ diastolic: Double, _ minutes: Double) -> HKCorrelation
  {
    let time = now + minutes * 60
    return HKCorrelation(
      type: HKCorrelationType(.bloodPressure), start: time, end: time,
      objects: [
        quantity(.bloodPressureSystolic, .millimeterOfMercury(), systolic, minutes, minutes),
        quantity(.bloodPressureDiastolic, .millimeterOfMercury(), diastolic, minutes, minutes),
      ])
  }

  /// The values of a metric that wait for the server, in the order of time.
  func pending(_ type: MetricType) async throws -> [Double] {
    try await session.pendingRecords().sorted { $0.time.start < $1.time.start }
      .compactMap { $0.value(type) }
  }
}
