// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthKit
import SantorioConcurrency
import SantorioCore
public import SantorioHealthKit
import ValidicCore

/// The domain of errors of HealthKit; the codes are those of ``VLDHealthKitErrorCode``.
public let kVLDHealthKitErrorDomain = "VLDHealthKitErrorDomain"

/// Why HealthKit could not be read.
///
/// Validic's numbers are not public: these are the library's own.
#if canImport(ObjectiveC)
  @objc(VLDHealthKitErrorCode)
#endif
public enum VLDHealthKitErrorCode: Int, Sendable {
  /// HealthKit reports an error.
  case failed = 0
  /// The device has no health data.
  case unavailable = 1
  /// There is no session, or that of the default user.
  case noUser = 2
  /// A type that cannot be subscribed to.
  case unsupportedType = 3
  /// An entitlement is missing, or the user was not asked.
  case notAuthorized = 4
  /// The device is locked.
  case locked = 5
  /// A range of days that cannot be fetched.
  case invalidRange = 6
  /// What was read could not be stored; it is read again.
  case submissionFailure = 7
}

/// What of the past can be fetched; the numbers are Validic's.
#if canImport(ObjectiveC)
  @objc(VLDHealthKitHistoricalSet)
#endif
public enum VLDHealthKitHistoricalSet: UInt, CaseIterable, Sendable {
  /// Steps and other sums of a day.
  case routine = 0
  /// Workouts.
  case fitness = 1
  /// The steps of each quarter of an hour, of today and the six days before.
  case intraday = 2
}

extension NSNotification.Name {
  /// Records were made of samples and wait for the server; `userInfo` has `recordType`, the number of a
  /// `VLDRecordType`, and `count`.
  public static let vldHealthKitRecordsProcessed = NSNotification.Name(
    "kVLDHealthKitRecordsProcessedNotification")
}

/// Sends what HealthKit has, and what is added to it, to the server.
///
/// It needs the session of a user of the server, and ends with it. All methods may be called on any
/// thread; completions are called on the main thread.
#if canImport(ObjectiveC)
  @objc(VLDHealthKitManager) @objcMembers
#endif
public final class VLDHealthKitManager: NSObject, Sendable {
  /// Gets the number of records by `VLDRecordType`, both as `NSNumber`, or an error.
  public typealias HistoryCompletion =
    @Sendable (
      _ results: [AnyHashable: Any]?, _ error: (any Error)?
    ) -> Void

  private let session: VLDSession
  private let manager: HealthKitManager
  private let changes = OrderedWork()
  private let wanted = Locked(Wanted())
  private let sendsIntraday: Locked<Bool>
  private let events: Task<Void, Never>

  /// What was set and is not yet in force.
  private struct Wanted {
    var types: [HKSampleType]?
    var changes = 0
  }

  // MARK: - Instance

  private struct Shared {
    var store: HKHealthStore?
    var settings = HealthKitSettings()
    var instance: VLDHealthKitManager?
  }

  private static let shared = Locked(Shared())

  /// The manager of the app's session.
  ///
  /// - Returns: The manager.
  public static func sharedInstance() -> VLDHealthKitManager {
    let session = VLDSession.sharedInstance()
    return shared.withLock { shared in
      if let instance = shared.instance, instance.session === session { return instance }
      let new = VLDHealthKitManager(session, shared.store ?? HKHealthStore(), shared.settings)
      shared.instance = new
      return new
    }
  }

  /// Sets the store and the clocks that are used, before the first use.
  ///
  /// - Parameters:
  ///   - settings: The settings.
  ///   - store: The store; nil for a new one.
  /// - Returns: False when HealthKit is in use already; then nothing changes.
  @discardableResult
  #if canImport(ObjectiveC)
    @nonobjc
  #endif
  public static func configure(_ settings: HealthKitSettings, store: HKHealthStore? = nil) -> Bool {
    shared.withLock { shared in
      guard shared.instance == nil else { return false }
      (shared.settings, shared.store) = (settings, store)
      return true
    }
  }

  /// Forgets the instance and what was configured, as the end of the process does.
  package static func forgetInstance() { shared.withLock { $0 = Shared() } }

  private init(_ session: VLDSession, _ store: HKHealthStore, _ settings: HealthKitSettings) {
    let sendsIntraday = Locked(settings.sendsIntradaySteps())
    var settings = settings
    settings.sendsIntradaySteps = { sendsIntraday.withLock { $0 } }
    self.session = session
    self.sendsIntraday = sendsIntraday
    manager = HealthKitManager(session: session.session, store: store, settings: settings)
    events = HealthNotifications.post(manager.events, in: settings.notificationCenter())
    super.init()
  }

  deinit { events.cancel() }

  // MARK: - Subscriptions

  /// What is subscribed to.
  ///
  /// - Returns: The sample types; empty when nothing is.
  public func subscriptions() -> [HKSampleType]? {
    if let types = wanted.withLock(\.types) { return types }
    do throws(HealthKitError) {
      return try manager.subscriptionsAndWait().sorted { $0.identifier < $1.identifier }
    } catch {
      FacadeLog.warn(.healthKit, "the subscriptions cannot be read now")
      return nil
    }
  }

  /// Subscribes to sample types, in place of what was subscribed to; asks the user for permission
  /// where HealthKit has to.
  ///
  /// - Parameters:
  ///   - subscriptions: The types; empty or nil ends all subscriptions. Those of which no records are
  ///     made are left out, with a line in the log.
  ///   - completion: Called when they are in force, or have failed, which is logged.
  public func setSubscriptions(
    _ subscriptions: [HKSampleType]?, completion: (@Sendable () -> Void)?
  ) {
    let asked = subscriptions ?? []
    let types = SampleTypes(asked.filter { VLDHealthKitSubscription.recordType(for: $0) != .none })
    if types.value.count < asked.count {
      FacadeLog.warn(.healthKit, "types of which no records are made are not subscribed to")
    }
    change(to: types, completion)
  }

  /// Subscribes to sample types by their identifiers, see ``setSubscriptions(_:completion:)``.
  ///
  /// - Parameters:
  ///   - identifiers: For instance `HKQuantityTypeIdentifierStepCount`.
  ///   - completion: Called when they are in force, or have failed, which is logged.
  public func setSubscriptionsFromIdentifiers(
    _ identifiers: [String]?, completion: (@Sendable () -> Void)?
  ) {
    let names = identifiers ?? []
    let types = names.compactMap { name -> HKSampleType? in .named(name) }
    if types.count < names.count {
      FacadeLog.warn(.healthKit, "identifiers that HealthKit does not have are left out")
    }
    setSubscriptions(types, completion: completion)
  }

  private func change(
    to types: SampleTypes, _ completion: (@Sendable () -> Void)?
  ) {
    // In one step, so that the order of two threads is the same in both.
    wanted.withLock { state in
      state.types = types.value
      state.changes += 1
      _ = changes.add { [manager, wanted] in
        do throws(HealthKitError) {
          try await manager.setSubscriptions(Set(types.value))
        } catch {
          Self.warn(error)
        }
        wanted.withLock { wanted in
          wanted.changes -= 1
          if wanted.changes == 0 { wanted.types = nil }
        }
        guard let completion else { return }
        await MainActor.run { completion() }
      }
    }
  }

  private static func warn(_ error: HealthKitError) {
    switch error.code {
    case .noUser: FacadeLog.warn(.healthKit, "no subscription: it needs a user of the server")
    case .unavailable: FacadeLog.warn(.healthKit, "no subscription: there is no health data here")
    case .unsupportedType:
      FacadeLog.warn(.healthKit, "no subscription: no records are made of one of the types")
    case .notAuthorized: FacadeLog.warn(.healthKit, "no subscription: an entitlement is missing")
    default: FacadeLog.warn(.healthKit, "no subscription: it failed or could not be stored")
    }
  }

  /// Goes on with what was subscribed to in an earlier launch: call it in
  /// `application(_:didFinishLaunchingWithOptions:)`.
  public func observeCurrentSubscriptions() { manager.observeCurrentSubscriptions() }

  /// Reads what was added since the last time.
  public func fetchLatestData() { Task { [manager] in await manager.fetchLatestData() } }

  /// Whether a subscription to steps also sends the steps of each quarter of an hour; to be set at each
  /// launch.
  ///
  /// When it is true again, the next reading makes up for the last days on which it was not.
  public var processIntraday: Bool {
    get { sendsIntraday.withLock { $0 } }
    set { sendsIntraday.withLock { $0 = newValue } }
  }

  // MARK: - History

  /// Fetches whole days of the past; asks the user for permission where HealthKit has to.
  ///
  /// - Parameters:
  ///   - historicalSets: Numbers of ``VLDHealthKitHistoricalSet``.
  ///   - from: The first day; year, month and day. At most 179 days before today.
  ///   - to: The last day.
  ///   - completion: Gets the number of records by the number of their `VLDRecordType`, when all are
  ///     stored and wait for the server; or an error.
  #if canImport(ObjectiveC)
    @objc(fetchHistoricalSets:from:to:completion:)
  #endif
  public func fetchHistoricalSets(
    _ historicalSets: [NSNumber], from: DateComponents, to: DateComponents,
    completion: HistoryCompletion?
  ) {
    let sets = Set(historicalSets.compactMap { HealthKitHistorySet(rawValue: $0.intValue) })
    let progress = manager.fetchHistory(sets, from: from, to: to)
    Task { @MainActor in
      do {
        var counts: [HealthKitHistorySet: Int] = [:]
        for try await step in progress { counts = step.records }
        completion?(Self.results(counts), nil)
      } catch let error as HealthKitError {
        completion?(nil, NSError(error))
      } catch {
        completion?(nil, error)
      }
    }
  }

  /// Fetches the last 179 days, see ``fetchHistoricalSets(_:from:to:completion:)``.
  ///
  /// - Parameters:
  ///   - historicalSets: Numbers of ``VLDHealthKitHistoricalSet``.
  ///   - completion: Gets the number of records, or an error.
  public func fetchHistoricalSets(_ historicalSets: [NSNumber], completion: HistoryCompletion?) {
    let calendar = Calendar(identifier: .gregorian)
    let units: Set<Calendar.Component> = [.year, .month, .day]
    let now = Date()
    let first = calendar.date(byAdding: .day, value: -179, to: now) ?? now
    fetchHistoricalSets(
      historicalSets, from: calendar.dateComponents(units, from: first),
      to: calendar.dateComponents(units, from: now), completion: completion)
  }

  private static func results(_ counts: [HealthKitHistorySet: Int]) -> [AnyHashable: Any] {
    counts.reduce(into: [:]) { results, count in
      let type: VLDRecordType =
        switch count.key {
        case .routine: .routine
        case .fitness: .fitness
        case .intraday: .intraDaySteps
        }
      results[NSNumber(value: type.rawValue)] = NSNumber(value: count.value)
    }
  }
}

/// Sample types never change; SDKs before iOS 17 do not declare it so.
private struct SampleTypes: @unchecked Sendable {
  let value: [HKSampleType]

  init(_ value: [HKSampleType]) { self.value = value }
}

/// Posts what was made of samples as notifications, on the main thread.
private enum HealthNotifications {
  static func post(
    _ events: AsyncStream<HealthKitEvent>, in center: NotificationCenter
  ) -> Task<Void, Never> {
    let center = PostingCenter(center)
    return Task { @MainActor in
      for await event in events {
        guard case .recordsProcessed(let type, let kind, let count) = event else { continue }
        let recordType = VLDRecordType(kind, ofType: type)
        center.post(
          Notification(
            name: .vldHealthKitRecordsProcessed, object: nil,
            userInfo: [
              "recordType": NSNumber(value: recordType.rawValue), "count": NSNumber(value: count),
            ]))
      }
    }
  }
}

extension NSError {
  /// An error of Santorio's in Validic's domain.
  convenience init(_ error: HealthKitError) {
    let code: VLDHealthKitErrorCode =
      switch error.code {
      case .unavailable: .unavailable
      case .noUser: .noUser
      case .unsupportedType: .unsupportedType
      case .notAuthorized: .notAuthorized
      case .locked: .locked
      case .invalidRange: .invalidRange
      case .submissionFailure: .submissionFailure
      case .failed: .failed
      }
    self.init(
      domain: kVLDHealthKitErrorDomain, code: code.rawValue,
      userInfo: [NSLocalizedDescriptionKey: error.message, NSUnderlyingErrorKey: error])
  }
}
