// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HealthRecords
@unsafe @preconcurrency public import HealthKit
import SantorioConcurrency
public import SantorioCore

/// Reads HealthKit for a session's user, also in the background, and submits what it finds.
///
/// Say once what is to be read, with ``setSubscriptions(_:)-(Set<HKSampleType>)``; only there the
/// user may be asked for permission. It is remembered until the session ends. At each launch call
/// ``observeCurrentSubscriptions()`` before the app has finished launching: the system launches the
/// app when there is something new.
///
/// What is read is stored together with how far it was read: neither a crash nor an app that is
/// ended loses a sample or stores one twice. Of a locked device nothing can be read; that is made up
/// for when it is unlocked.
public final class HealthKitManager: Sendable {
  /// Where the records go.
  public let session: SantorioSession
  let store: HKHealthStore
  let settings: HealthKitSettings
  private let streams = Locked<[UUID: AsyncStream<HealthKitEvent>.Continuation]>([:])
  private let flights = SingleFlight()
  private let changes = OrderedWork()
  private let summaries = OrderedWork()
  let backgroundTasks = Locked<BackgroundTaskRequests?>(nil)
  private let observing = Locked(Observing())

  private struct Observing {
    /// The queries that run, by type.
    var queries: [String: HKObserverQuery] = [:]
    /// Whether ``HealthKitManager/observeCurrentSubscriptions()`` was called in this launch.
    var wasAsked = false
    /// Types that could not be read while the device was locked.
    var owed: Set<String> = []
  }

  /// Makes a manager; HealthKit is not touched before something is set or observed.
  ///
  /// - Parameters:
  ///   - session: Where the records go.
  ///   - store: The health store.
  ///   - settings: How it is read.
  public init(
    session: SantorioSession, store: HKHealthStore = HKHealthStore(),
    settings: HealthKitSettings = HealthKitSettings()
  ) {
    self.session = session
    self.store = store
    self.settings = settings
  }

  deinit {
    for query in observing.withLock({ $0.queries.values }) { store.stop(query) }
    for continuation in streams.withLock({ Array($0.values) }) { continuation.finish() }
  }

  /// The events from now on.
  ///
  /// Each access makes a new stream; nothing is dropped for a slow reader.
  public var events: AsyncStream<HealthKitEvent> {
    AsyncStream { continuation in
      let id = UUID()
      streams.withLock { $0[id] = continuation }
      continuation.onTermination = { [streams] _ in
        _ = streams.withLock { $0.removeValue(forKey: id) }
      }
    }
  }

  /// Whether a type is observed.
  func observes(_ type: HKSampleType) -> Bool {
    observing.withLock { $0.queries[type.identifier] != nil }
  }

  /// Whether observation was asked for in this launch.
  var hasObserved: Bool { observing.withLock { $0.wasAsked } }

  var state: HealthKitState { HealthKitState(session: session) }

  var reader: FeedReader {
    FeedReader(store: store, session: session, settings: settings) { [weak self] event in
      self?.report(event)
    }
  }

  func report(_ event: HealthKitEvent) {
    for continuation in streams.withLock({ Array($0.values) }) { continuation.yield(event) }
    guard case .recordsProcessed(let type, let kind, let count) = event else { return }
    let center = settings.notificationCenter
    DispatchQueue.main.async { [weak self] in
      center().post(
        name: .healthKitRecordsProcessed, object: self,
        userInfo: [
          HealthKitNotificationKey.type: type, HealthKitNotificationKey.count: count,
          HealthKitNotificationKey.kind: kind.rawValue,
        ])
    }
  }

  // MARK: - Subscriptions

  /// The same as ``subscriptions()``, for a caller that cannot await.
  ///
  /// - Returns: The types.
  /// - Throws: ``HealthKitError`` when it cannot be read.
  package func subscriptionsAndWait() throws(HealthKitError) -> Set<HKSampleType> {
    do {
      return try state.subscriptionsAndWait()?.sampleTypes ?? []
    } catch {
      throw HealthKitError(error)
    }
  }

  /// What is subscribed to; empty without a session, and after another one has begun.
  ///
  /// - Throws: ``HealthKitError`` when it cannot be read.
  public func subscriptions() async throws(HealthKitError) -> Set<HKSampleType> {
    do {
      return try await state.subscriptions()?.sampleTypes ?? []
    } catch {
      throw HealthKitError(error)
    }
  }

  /// Subscribes to sets of types, and to nothing else.
  ///
  /// - Parameter sets: The sets; none ends all subscriptions.
  /// - Throws: ``HealthKitError`` as ``setSubscriptions(_:)-(Set<HKSampleType>)``.
  public func setSubscriptions(_ sets: [HealthKitSubscriptionSet]) async throws(HealthKitError) {
    try await setSubscriptions(Set(sets.flatMap(\.sampleTypes)))
  }

  /// Subscribes to types by their identifiers, and to nothing else.
  ///
  /// - Parameter identifiers: Identifiers such as `HKQuantityTypeIdentifierStepCount`; none ends all
  ///   subscriptions.
  /// - Throws: ``HealthKitError`` as ``setSubscriptions(_:)-(Set<HKSampleType>)``.
  public func setSubscriptions(identifiers: [String]) async throws(HealthKitError) {
    var types: Set<HKSampleType> = []
    for identifier in identifiers {
      guard let type = HKSampleType.named(identifier) else {
        throw HealthKitError(
          .unsupportedType, "HealthKit has no type of samples \"\(identifier)\".")
      }
      types.insert(type)
    }
    try await setSubscriptions(types)
  }

  /// Subscribes to types, and to nothing else, until the session ends.
  ///
  /// The user may be asked for permission. What is there since the beginning of the day is read at
  /// once; for what was before, see ``fetchHistory(_:from:to:)``. A type that was subscribed to before
  /// goes on where it was.
  ///
  /// - Parameter types: The types; none ends all subscriptions. A correlation stands for the types of
  ///   its parts.
  /// - Throws: ``HealthKitError``, and nothing is changed then: of code `noUser` without a session and
  ///   for the default user, `unsupportedType` for a type of which no record is made,
  ///   `notAuthorized` when an entitlement is missing, `submissionFailure` when it cannot be kept.
  public func setSubscriptions(_ types: Set<HKSampleType>) async throws(HealthKitError) {
    let setting = changes.add { [self] () -> Result<Void, HealthKitError> in
      do {
        try await set(types)
        return .success(())
      } catch {
        return .failure(HealthKitError(error))
      }
    }
    try await setting.value.value()
  }

  private func set(_ asked: Set<HKSampleType>) async throws {
    // HealthKit has neither permission nor delivery for correlations.
    let types = asked.reduce(into: Set<HKSampleType>()) { types, type in
      let parts = HealthFeed.parts(of: type)
      types.formUnion(parts.isEmpty ? [type] : parts)
    }
    for type in types where SampleRole(type) == nil || SampleRole(type) == .workout {
      throw HealthKitError(
        .unsupportedType, "No records are made of samples of \(type.identifier).")
    }
    let known = try await state.subscriptions()
    let before = try await state.keptSubscriptions()?.sampleTypes ?? []
    guard !types.isEmpty else { return try await forget() }
    guard HKHealthStore.isHealthDataAvailable() else {
      throw HealthKitError(.unavailable, "There is no health data on this device.")
    }
    let number = try await userSession()
    try await store.askForPermission(toRead: Self.permissions(for: types))
    let start = try await firstStart()
    var kept = KeptSubscriptions(session: number, types: [:])
    for type in types {
      kept.types[type.identifier] = known?.types[type.identifier] ?? start
    }
    kept.start(at: start, unlessBefore: settings.now())
    try await state.keep(kept)
    // Queries of a session before have read nothing for this one.
    if known == nil { await observe([]) }
    await endDelivery(of: before.subtracting(types))
    await observe(types)
    await requestBackgroundTasks()
  }

  /// Ends all subscriptions, of whatever session, and the delivery that was ordered for them; that of
  /// other code of the app stays.
  private func forget() async throws {
    let before = try await state.keptSubscriptions()?.sampleTypes ?? []
    await observe([])
    cancelBackgroundTasks()
    guard !before.isEmpty else { return }
    await endDelivery(of: before)
    try await state.keep(nil)
  }

  private func endDelivery(of types: Set<HKSampleType>) async {
    for type in types { try? await store.endDelivery(of: type) }
  }

  /// From when on a new subscription reads.
  private func firstStart() async throws -> Date {
    let zones = try await state.zones(now: settings.now(), zone: settings.zone())
    let first = zones.day(of: settings.now()).advanced(by: -max(0, settings.daysBack))
    return zones.interval(of: first)?.start ?? settings.now()
  }

  /// The session whose user HealthKit is read for.
  func userSession() async throws -> Int64 {
    guard let number = try await session.currentNumber() else {
      throw HealthKitError(.noUser, "There is no session: start one, then subscribe.")
    }
    let user = try await session.user()
    guard user?.isDefault == false else {
      SantorioLogging.shared.log(.healthKit, "subscriptions refused for the default user")
      throw HealthKitError(
        .noUser,
        "The default user cannot subscribe, since nobody is asked whose the records are. Start the "
          + "session of a user of the server.")
    }
    return number
  }

  /// What must be allowed for types to be read.
  static func permissions(for types: Set<HKSampleType>) -> Set<HKObjectType> {
    var wanted = types
    if types.contains(HKObjectType.workoutType()) {
      wanted.formUnion(HealthKitSubscriptionSet.fitness.alsoRead)
    }
    return wanted
  }

  // MARK: - Observing

  /// Goes on with what was subscribed to; to be called at each launch.
  ///
  /// Call it in `application(_:didFinishLaunchingWithOptions:)`: the system may have launched the app
  /// because there is something new, and looks for the queries that are made here.
  ///
  /// - Returns: The task that looks up the subscriptions; its value says whether there are any. It need
  ///   not be awaited.
  @discardableResult public func observeCurrentSubscriptions() -> Task<Bool, Never> {
    observing.withLock { $0.wasAsked = true }
    return changes.add { [self] in
      do {
        guard var kept = try await state.subscriptions() else {
          try await forget()
          return false
        }
        if kept.start(at: try await firstStart(), unlessBefore: settings.now()) {
          try await state.keep(kept)
        }
        await observe(kept.sampleTypes)
        await requestBackgroundTasks()
        return true
      } catch {
        // A device that was not unlocked since it was started keeps the session's file closed.
        report(.failed(type: "subscriptions", HealthKitError(error)))
        return false
      }
    }
  }

  /// Runs an observer query for each of these types, and no others.
  private func observe(_ types: Set<HKSampleType>) async {
    let (started, stopped) = observing.withLock { observing in
      let wanted = Dictionary(uniqueKeysWithValues: types.map { ($0.identifier, $0) })
      let stopped = observing.queries.filter { wanted[$0.key] == nil }
      let started = wanted.filter { observing.queries[$0.key] == nil }
        .mapValues { makeQuery($0) }
      observing.queries = observing.queries.filter { wanted[$0.key] != nil }
        .merging(started) { $1 }
      return (started, stopped)
    }
    for query in stopped.values { store.stop(query) }
    for query in started.values { store.execute(query) }
    for type in types where started[type.identifier] != nil {
      do {
        try await store.orderDelivery(of: type, .immediate)
      } catch {
        report(.failed(type: type.identifier, HealthKitError(error)))
      }
    }
  }

  private func makeQuery(_ type: HKSampleType) -> HKObserverQuery {
    HKObserverQuery(sampleType: type, predicate: nil) { [weak self] _, completion, error in
      nonisolated(unsafe) let completion = completion
      guard let self else { return unsafe completion() }
      if let error { report(.failed(type: type.identifier, HealthKitError(error))) }
      let time = readingTime(until: settings.now() + settings.backgroundTime)
      Task {
        await self.read(type, within: time)
        // Also after an error: HealthKit ends the delivery to an app that does not answer.
        unsafe completion()
      }
    }
  }

  // MARK: - Reading

  /// Reads everything that is new of all subscriptions, and what was owed from a locked device.
  ///
  /// Call it when the app comes to the foreground. When its task is cancelled, no further page is read.
  ///
  /// - Parameter deadline: After it no further page is read.
  /// - Returns: Whether everything was read; if not, ``events`` say why.
  @discardableResult
  public func fetchLatestData(until deadline: Date = .distantFuture) async -> Bool {
    let time = readingTime(until: deadline)
    return await withTaskCancellationHandler {
      await fetchLatestData(within: time)
    } onCancel: {
      time.end()
    }
  }

  /// Time to read until a deadline, or until it is ended before.
  package func readingTime(until deadline: Date = .distantFuture) -> ReadingTime {
    ReadingTime(until: deadline, now: settings.now)
  }

  /// Reads everything that is new.
  ///
  /// - Returns: Whether all of it was read.
  @discardableResult package func fetchLatestData(within time: ReadingTime) async -> Bool {
    let types: Set<HKSampleType>
    do {
      types = try await state.subscriptions()?.sampleTypes ?? []
    } catch {
      report(.failed(type: "subscriptions", HealthKitError(error)))
      return false
    }
    if types.isEmpty { await end() }
    var isComplete = true
    for type in types.sorted(by: { $0.identifier < $1.identifier }) {
      if time.isOver { return false }
      if await !read(type, within: time) { isComplete = false }
    }
    return isComplete
  }

  /// Reads what a locked device has kept back; to be called when it was unlocked.
  ///
  /// On iOS this is when `UIApplication.protectedDataDidBecomeAvailableNotification` is posted.
  public func deviceWasUnlocked() async {
    // What is subscribed to may have been kept back, too.
    if hasObserved { _ = await observeCurrentSubscriptions().value }
    let owed = observing.withLock { observing in
      defer { observing.owed = [] }
      return observing.owed
    }
    for identifier in owed.sorted() {
      if let type = HKSampleType.named(identifier) { await read(type, within: readingTime()) }
    }
  }

  /// Reads what is new of a type.
  ///
  /// - Returns: Whether all of it was read.
  @discardableResult private func read(
    _ type: HKSampleType, within time: ReadingTime
  ) async -> Bool {
    switch SampleRole(type) {
    case .record:
      var isRead = true
      for feed in HealthFeed.feeds(for: type) {
        let isFeedRead = await read(type, as: feed.name, within: time) { [self] kept in
          guard let since = kept.since(feed) else { return true }
          return try await reader.readRecords(of: feed, kept, since: since, within: time)
        }
        isRead = isRead && isFeedRead
      }
      return isRead
    case .day:
      return await read(type, as: "days", within: time) { [self] kept in
        try await oneAtATime { try await self.reader.readDays(kept, within: time) }
      }
    case .sleep:
      return await read(type, as: "sleep", within: time) { [self] kept in
        guard let since = kept.types[type.identifier] else { return true }
        return try await oneAtATime {
          try await self.reader.readSleep(kept, since: since, within: time)
        }
      }
    case .workout, nil: return true
    }
  }

  private func read(
    _ type: HKSampleType, as name: String, within time: ReadingTime,
    _ work: @escaping @Sendable (KeptSubscriptions) async throws -> Bool
  ) async -> Bool {
    var outcome: SingleFlight.Outcome
    repeat {
      // What another call has read had that call's time.
      outcome = await flights.run(name) { [self] in await run(work, of: type) }
    } while outcome == .outOfTime && !time.isOver && !Task.isCancelled
    return outcome == .complete
  }

  private func run(
    _ work: @Sendable (KeptSubscriptions) async throws -> Bool, of type: HKSampleType
  ) async -> SingleFlight.Outcome {
    do {
      guard let kept = try await state.subscriptions() else {
        await end()
        return .complete
      }
      return try await work(kept) ? .complete : .outOfTime
    } catch {
      let error = HealthKitError(error)
      if error.code == .noUser {
        await end()
        return .failed
      }
      if error.code == .locked { observing.withLock { _ = $0.owed.insert(type.identifier) } }
      report(.failed(type: type.identifier, error))
      return .failed
    }
  }

  /// Runs what makes days and nights: all of it compares with what was submitted before, and changes
  /// that.
  func oneAtATime<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = summaries.add { () -> Result<Value, any Error> in
      do {
        return .success(try await work())
      } catch {
        return .failure(error)
      }
    }
    switch await task.value {
    case .success(let value): return value
    case .failure(let error): throw error
    }
  }

  /// Ends what was subscribed to in a session that is over, unless there is something new meanwhile.
  private func end() async {
    await changes.add { [self] in
      do {
        guard try await state.subscriptions() == nil else { return }
        let isObserving = observing.withLock { !$0.queries.isEmpty }
        try await forget()
        if isObserving { report(.subscriptionsEnded) }
      } catch {
        report(.failed(type: "subscriptions", HealthKitError(error)))
      }
    }.value
  }
}
