// SPDX-License-Identifier: Apache-2.0

import Foundation
@unsafe @preconcurrency import HealthKit
import SantorioConcurrency

/// Finds out what an app lacks to read HealthKit, also in the background.
///
/// Call it once in a debug build, after the first subscription. What an app is allowed by its
/// entitlements no app can read; a missing one is found by what HealthKit answers.
public struct HealthKitSelfTest: Sendable {
  /// Something that is missing.
  public struct Finding: Hashable, Sendable, CustomStringConvertible {
    /// What is missing.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      /// The device has no health data.
      case healthData
      /// `NSHealthShareUsageDescription` in the Info.plist: without it the app ends when it asks.
      case shareUsageDescription
      /// `NSHealthUpdateUsageDescription` in the Info.plist: without it the app ends when it saves.
      case updateUsageDescription
      /// The entitlement `com.apple.developer.healthkit`.
      case entitlement
      /// The entitlement `com.apple.developer.healthkit.background-delivery`.
      case backgroundDeliveryEntitlement
      /// `observeCurrentSubscriptions()` at each launch, before it is over.
      case launchCall
      /// The background mode `fetch`, for refreshes of the app.
      case fetchMode
      /// The background mode `processing`, for long work.
      case processingMode
      /// The names of the registered background tasks in `BGTaskSchedulerPermittedIdentifiers`.
      case taskIdentifier
      /// `registerBackgroundTasks(_:)` at each launch, before it is over.
      case taskRegistration
    }

    /// What is missing.
    public let kind: Kind
    /// What to do about it.
    public let message: String

    /// What is missing and what to do about it.
    public var description: String { "\(kind.rawValue): \(message)" }
  }

  /// The app's Info.plist.
  public var information: [String: Any] { get { info.value } }
  private let info: UncheckedInformation
  private let store: HKHealthStore
  private let savesReadings: Bool
  private let hasObserved: Bool
  /// The names of the background tasks that are registered.
  private let tasks: [String]
  private let isSubscribed: @Sendable (HKQuantityType) -> Bool

  private struct UncheckedInformation: @unchecked Sendable {
    let value: [String: Any]
  }

  /// A test of the running app.
  ///
  /// - Parameters:
  ///   - manager: The app's manager, after its first subscription.
  ///   - information: The app's Info.plist; that of the main bundle if nil.
  ///   - savesReadings: Whether the app writes Bluetooth readings to HealthKit.
  public init(
    of manager: HealthKitManager, information: [String: Any]? = nil, savesReadings: Bool = false
  ) {
    info = UncheckedInformation(value: information ?? Bundle.main.infoDictionary ?? [:])
    store = manager.store
    hasObserved = manager.hasObserved
    tasks = manager.backgroundTasks.withLock { $0?.names ?? [] }
    isSubscribed = { [weak manager] in manager?.observes($0) ?? false }
    self.savesReadings = savesReadings
  }

  /// Looks for what is missing.
  public func run() async -> [Finding] {
    guard HKHealthStore.isHealthDataAvailable() else {
      return [Finding(kind: .healthData, message: "This device has no health data.")]
    }
    return information(needed: savesReadings) + launch() + (await entitlements())
  }

  private func information(needed savesReadings: Bool) -> [Finding] {
    var findings: [Finding] = []
    func need(_ kind: Finding.Kind, _ isThere: Bool, _ message: String) {
      if !isThere { findings.append(Finding(kind: kind, message: message)) }
    }
    need(
      .shareUsageDescription, has("NSHealthShareUsageDescription"),
      "Say in NSHealthShareUsageDescription why the app reads health data.")
    if savesReadings {
      need(
        .updateUsageDescription, has("NSHealthUpdateUsageDescription"),
        "Say in NSHealthUpdateUsageDescription why the app saves health data.")
    }
    let modes = information["UIBackgroundModes"] as? [String] ?? []
    need(
      .fetchMode, modes.contains("fetch"),
      "Add \"fetch\" to UIBackgroundModes: what waits for an unlocked device is read in a refresh.")
    need(
      .processingMode, modes.contains("processing"),
      "Add \"processing\" to UIBackgroundModes: history is fetched while the device charges.")
    let permitted = information["BGTaskSchedulerPermittedIdentifiers"] as? [String] ?? []
    let missing = tasks.filter { !permitted.contains($0) }
    need(
      .taskIdentifier, missing.isEmpty,
      "Add \(missing.joined(separator: ", ")) to BGTaskSchedulerPermittedIdentifiers.")
    need(
      .taskRegistration, !tasks.isEmpty,
      "Call registerBackgroundTasks(_:) in application(_:didFinishLaunchingWithOptions:): what "
        + "background delivery misses is read in such a task.")
    return findings
  }

  private func has(_ key: String) -> Bool {
    (information[key] as? String).map { !$0.isEmpty } ?? false
  }

  private func launch() -> [Finding] {
    hasObserved
      ? []
      : [
        Finding(
          kind: .launchCall,
          message: "Call observeCurrentSubscriptions() in "
            + "application(_:didFinishLaunchingWithOptions:). Without it HealthKit does not find the "
            + "queries for which it has launched the app, and ends background delivery.")
      ]
  }

  private func entitlements() async -> [Finding] {
    let type = HKQuantityType(.bodyMass)
    do {
      try await store.checkPermission(toRead: [type])
    } catch {
      return [
        Finding(
          kind: .entitlement,
          message: "Enable HealthKit under Signing & Capabilities. \(error.localizedDescription)")
      ]
    }
    do {
      let isSubscribed = isSubscribed(type)
      try await store.orderDelivery(of: type, isSubscribed ? .immediate : .weekly)
      if !isSubscribed { try await store.endDelivery(of: type) }
      return []
    } catch {
      return [
        Finding(
          kind: .backgroundDeliveryEntitlement,
          message: "Enable Background Delivery below HealthKit under Signing & Capabilities. "
            + error.localizedDescription)
      ]
    }
  }
}
