// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// Makes a workout step by step: samples, events, parts and metadata are added while it goes on.
///
/// Samples are saved when they are added; they become part of the workout when it is finished.
open class HKWorkoutBuilder: NSObject {
  private enum Phase { case new, collecting, ended, finished }

  private struct State {
    var phase = Phase.new
    var start: Date?
    var end: Date?
    var metadata: [String: Any] = [:]
    var events: [HKWorkoutEvent] = []
    var activities: [HKWorkoutActivity] = []
    var samples: [HKSample] = []
  }

  /// The device of the workout.
  public let device: HKDevice?
  /// What is done, and where.
  public let workoutConfiguration: HKWorkoutConfiguration

  private let store: HKHealthStore
  private let state = UncheckedLock(State())

  /// The start; nil before ``beginCollection(withStart:completion:)``.
  open var startDate: Date? { state.read(\.start) }
  /// The end; nil before ``endCollection(withEnd:completion:)``.
  open var endDate: Date? { state.read(\.end) }
  /// What was added to the workout's metadata.
  open var metadata: [String: Any] { state.read(\.metadata) }
  /// Pauses, laps and the like, in the order in which they were added.
  open var workoutEvents: [HKWorkoutEvent] { state.read(\.events) }
  /// The parts of a workout of several activities.
  open var workoutActivities: [HKWorkoutActivity] { state.read(\.activities) }
  /// What the quantities among the samples amount to, by type.
  open var allStatistics: [HKQuantityType: HKStatistics] {
    state.read { Self.statistics($0.samples) }
  }

  /// Makes a workout in a store.
  public init(
    healthStore: HKHealthStore, configuration: HKWorkoutConfiguration, device: HKDevice?
  ) {
    store = healthStore
    workoutConfiguration = configuration.copy() as? HKWorkoutConfiguration ?? configuration
    self.device = device
  }

  /// What the quantities of a type amount to; nil without a sample.
  @discardableResult
  open func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
    allStatistics[quantityType]
  }

  /// How long the workout has lasted at a time, without the pauses; 0 before its start.
  @discardableResult
  open func elapsedTime(at date: Date) -> TimeInterval {
    state.read { state in
      guard let start = state.start, start < date else { return 0 }
      let end = min(date, state.end ?? date)
      let events = state.events.filter { $0.dateInterval.start <= end }
      return WorkoutClock.duration(from: start, to: end, events.inOrder)
    }
  }

  // MARK: - Steps

  /// Starts the workout; required before anything is added.
  @preconcurrency
  open func beginCollection(
    withStart startDate: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    perform(completion, in: [.new], otherwise: "has begun already") { state, _ in
      state.phase = .collecting
      state.start = startDate
    }
  }

  /// Adds samples, which are saved unless they were before; none may start before the workout.
  @preconcurrency
  open func add(
    _ samples: [HKSample], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    perform(completion) { state, system in
      if let start = state.start, samples.contains(where: { $0.startDate < start }) {
        throw HKError.error(.errorInvalidArgument, "A sample starts before the workout.")
      }
      try system.requireSharing(samples)
      try system.write { database in
        for sample in samples where try sample.row == nil && database.row(of: sample.uuid) == nil {
          try database.save([sample], from: system.revision)
        }
      }
      state.samples += samples
    }
  }

  /// Adds pauses, laps and the like.
  @preconcurrency
  open func addWorkoutEvents(
    _ workoutEvents: [HKWorkoutEvent], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    perform(completion) { state, _ in state.events += workoutEvents }
  }

  /// Adds metadata; what has the key of something earlier replaces it.
  @preconcurrency
  open func addMetadata(
    _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    nonisolated(unsafe) let metadata = metadata
    perform(completion) { state, _ in state.metadata.merge(metadata) { $1 } }
  }

  /// Adds a part that has its own activity.
  @preconcurrency
  open func addWorkoutActivity(
    _ workoutActivity: HKWorkoutActivity,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    nonisolated(unsafe) let activity = workoutActivity
    perform(completion) { state, _ in state.activities.append(activity) }
  }

  /// Ends a part that was added.
  @preconcurrency
  open func updateActivity(
    uuid UUID: UUID, end endDate: Date,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    perform(completion) { state, _ in
      try Self.change(UUID, in: &state.activities) { $0.changed(end: endDate) }
    }
  }

  /// Adds metadata to a part that was added.
  @preconcurrency
  open func updateActivity(
    uuid UUID: UUID, adding metadata: [String: Any],
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    nonisolated(unsafe) let metadata = metadata
    perform(completion) { state, _ in
      try Self.change(UUID, in: &state.activities) { $0.changed(adding: metadata) }
    }
  }

  /// Ends the workout; required before it is finished.
  @preconcurrency
  open func endCollection(
    withEnd endDate: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    perform(
      completion, in: [.collecting], otherwise: "has not begun, or has ended already"
    ) { state, _ in
      guard let start = state.start, start <= endDate else {
        throw HKError.error(.errorInvalidArgument, "The workout would end before its start.")
      }
      state.phase = .ended
      state.end = endDate
    }
  }

  /// Saves the workout, and makes the samples a part of it.
  ///
  /// - Parameter completion: Is called with the workout; with neither a workout nor an error if the
  ///   device is locked: the workout is then saved later.
  @preconcurrency
  open func finishWorkout(completion: @escaping @Sendable (HKWorkout?, (any Error)?) -> Void) {
    let saved = UncheckedLock<HKWorkout?>(nil)
    perform(
      { [saved] _, error in completion(saved.read { $0 }, error) },
      in: [.ended], otherwise: "has not ended, or was finished already"
    ) { [self] state, system in
      guard let start = state.start, let end = state.end else { return }
      let workout = made(state, start, end)
      if system.isLockedOnQueue {
        try system.save([workout])
      } else {
        let samples = state.samples
        try system.requireSharing([workout])
        try system.write { database in
          try database.save([workout], from: system.revision)
          try database.add(samples, to: workout, from: system.revision)
        }
        saved.change { $0 = workout }
      }
      state.phase = .finished
    }
  }

  /// Ends without a workout; the samples that were added stay in the store.
  open func discardWorkout() { state.change { $0.phase = .finished } }

  // MARK: - The same, asynchronously

  /// Starts the workout; required before anything is added.
  open func beginCollection(at startDate: Date) async throws {
    try await done { beginCollection(withStart: startDate, completion: $0) }
  }

  /// Adds samples, which are saved unless they were before; none may start before the workout.
  open func addSamples(_ samples: [HKSample]) async throws {
    try await done { add(samples, completion: $0) }
  }

  /// Adds pauses, laps and the like.
  open func addWorkoutEvents(_ workoutEvents: [HKWorkoutEvent]) async throws {
    try await done { addWorkoutEvents(workoutEvents, completion: $0) }
  }

  /// Adds metadata; what has the key of something earlier replaces it.
  open func addMetadata(_ metadata: [String: Any]) async throws {
    try await done { addMetadata(metadata, completion: $0) }
  }

  /// Adds a part that has its own activity.
  open func addWorkoutActivity(_ workoutActivity: HKWorkoutActivity) async throws {
    try await done { addWorkoutActivity(workoutActivity, completion: $0) }
  }

  /// Ends a part that was added.
  open func updateActivity(uuid UUID: UUID, end endDate: Date) async throws {
    try await done { updateActivity(uuid: UUID, end: endDate, completion: $0) }
  }

  /// Adds metadata to a part that was added.
  open func updateActivity(uuid UUID: UUID, adding metadata: [String: Any]) async throws {
    try await done { updateActivity(uuid: UUID, adding: metadata, completion: $0) }
  }

  /// Ends the workout; required before it is finished.
  open func endCollection(at endDate: Date) async throws {
    try await done { endCollection(withEnd: endDate, completion: $0) }
  }

  /// Saves the workout, and makes the samples a part of it; nil if the device is locked.
  @discardableResult
  open func finishWorkout() async throws -> HKWorkout? {
    try await withCheckedThrowingContinuation { continuation in
      finishWorkout { workout, error in
        if let error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: workout)
        }
      }
    }
  }

  // MARK: - Support

  private func done(
    _ work: (@escaping @Sendable (Bool, (any Error)?) -> Void) -> Void
  ) async throws {
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      work { _, error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }

  private func perform(
    _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void,
    in phases: Set<Phase> = [.collecting, .ended],
    otherwise reason: String = "has not begun, or is finished",
    _ work: @escaping (inout State, HealthSystem) throws -> Void
  ) {
    let (system, state) = (store.system, state)
    system.async {
      do {
        try state.change { state in
          guard phases.contains(state.phase) else {
            throw HKError.error(.errorInvalidArgument, "The workout \(reason).")
          }
          try work(&state, system)
        }
        completion(true, nil)
      } catch {
        completion(false, error)
      }
    }
  }

  private func made(_ state: State, _ start: Date, _ end: Date) -> HKWorkout {
    let events = state.events.inOrder
    var content = HKWorkout.Content(
      workoutConfiguration.activityType,
      duration: WorkoutClock.duration(from: start, to: end, events))
    content.events = events
    content.activities = state.activities
    content.statistics = Self.statistics(state.samples)
    return HKWorkout(
      content, start, end,
      ObjectFacts(device: device, metadata: state.metadata.isEmpty ? nil : state.metadata))
  }

  private static func change(
    _ uuid: UUID, in activities: inout [HKWorkoutActivity],
    _ changed: (HKWorkoutActivity) -> HKWorkoutActivity
  ) throws {
    guard let index = activities.firstIndex(where: { $0.uuid == uuid }) else {
      throw HKError.error(.errorInvalidArgument, "The workout has no part \(uuid).")
    }
    activities[index] = changed(activities[index])
  }

  private static func statistics(_ samples: [HKSample]) -> [HKQuantityType: HKStatistics] {
    let quantities = samples.compactMap { $0 as? HKQuantitySample }
    return Dictionary(grouping: quantities, by: \.quantityType).compactMapValues { samples in
      guard let type = samples.first?.quantityType else { return nil }
      let isCumulative = type.aggregationStyle == .cumulative
      return StatisticsCalculator(
        StatisticsInput(type: type, samples: samples),
        isCumulative
          ? [.cumulativeSum, .mostRecent]
          : [.discreteAverage, .discreteMin, .discreteMax, .mostRecent]
      ).whole()
    }
  }
}

extension [HKWorkoutEvent] {
  fileprivate var inOrder: Self { sorted { $0.dateInterval < $1.dateInterval } }
}

extension HKWorkoutActivity {
  /// The part with another end, or with more metadata.
  fileprivate func changed(end: Date? = nil, adding more: [String: Any] = [:]) -> HKWorkoutActivity
  {
    let all = (metadata ?? [:]).merging(more) { $1 }
    let changed = HKWorkoutActivity(
      uuid, workoutConfiguration, startDate, end ?? endDate, all.isEmpty ? nil : all)
    changed.workoutEvents = workoutEvents
    changed.allStatistics = allStatistics
    return changed
  }
}

extension StatisticsInput {
  /// Samples that are not in a store, as if one source had saved them.
  fileprivate init(type: HKQuantityType, samples: [HKQuantitySample]) {
    let unit = type.canonicalUnit
    self.init(type: type, sources: [0: .default()], priority: [0])
    self.samples = samples.sorted { $0.startDate < $1.startDate }.map { sample in
      let value = sample.quantity.doubleValue(for: unit)
      return StatisticsSample(
        start: sample.startDate.timeIntervalSinceReferenceDate,
        end: sample.endDate.timeIntervalSinceReferenceDate, value: value, count: sample.count,
        minimum: value, maximum: value, latest: value, source: 0)
    }
  }
}

/// A value that threads share, of a type that Apple does not mark as safe for that.
private final class UncheckedLock<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func read<Result>(_ body: (Value) -> Result) -> Result { lock.withLock { body(value) } }

  /// Changes the value, unless `body` throws.
  func change(_ body: (inout Value) throws -> Void) rethrows {
    try lock.withLock {
      var copy = value
      try body(&copy)
      value = copy
    }
  }
}
