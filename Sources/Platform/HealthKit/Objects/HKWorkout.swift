// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A workout: what was done, how long, and what was measured meanwhile.
open class HKWorkout: HKSample, @unchecked Sendable {
  /// What was done.
  open var workoutActivityType: HKWorkoutActivityType { content.activity }
  /// How long it was done, without the pauses.
  open var duration: TimeInterval { content.duration }
  /// Pauses, laps and the like, in the order of time; nil without any.
  open var workoutEvents: [HKWorkoutEvent]? { content.events.isEmpty ? nil : content.events }
  /// The parts of a workout of several activities.
  open var workoutActivities: [HKWorkoutActivity] { content.activities }
  /// The active energy.
  open var totalEnergyBurned: HKQuantity? {
    content.energy ?? statistics(for: HKQuantityType(.activeEnergyBurned))?.sumQuantity()
  }
  /// The distance.
  open var totalDistance: HKQuantity? {
    content.distance
      ?? Self.distances.lazy.compactMap { self.statistics(for: $0)?.sumQuantity() }.first
  }
  /// The strokes of a swim.
  open var totalSwimmingStrokeCount: HKQuantity? {
    content.strokes ?? statistics(for: HKQuantityType(.swimmingStrokeCount))?.sumQuantity()
  }
  /// The flights of stairs.
  open var totalFlightsClimbed: HKQuantity? {
    content.flights ?? statistics(for: HKQuantityType(.flightsClimbed))?.sumQuantity()
  }
  /// What was measured meanwhile, by type.
  open var allStatistics: [HKQuantityType: HKStatistics] { content.statistics }

  /// What was measured of a type meanwhile; nil if nothing was.
  @discardableResult
  open func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
    content.statistics[quantityType]
  }

  private static let distances: [HKQuantityType] = [
    HKQuantityType(.distanceWalkingRunning), HKQuantityType(.distanceCycling),
    HKQuantityType(.distanceSwimming), HKQuantityType(.distanceWheelchair),
    HKQuantityType(.distanceDownhillSnowSports),
  ]

  /// What a workout is made of.
  package struct Content {
    package var activity: HKWorkoutActivityType
    package var duration: TimeInterval
    package var energy: HKQuantity?
    package var distance: HKQuantity?
    package var strokes: HKQuantity?
    package var flights: HKQuantity?
    package var events: [HKWorkoutEvent] = []
    package var activities: [HKWorkoutActivity] = []
    package var statistics: [HKQuantityType: HKStatistics] = [:]

    package init(_ activity: HKWorkoutActivityType, duration: TimeInterval) {
      self.activity = activity
      self.duration = duration
    }
  }

  package let content: Content

  package init(_ content: Content, _ start: Date, _ end: Date, _ facts: ObjectFacts) {
    self.content = content
    super.init(.workoutType(), start, end, facts)
  }

  private convenience init(
    _ activity: HKWorkoutActivityType, _ start: Date, _ end: Date, duration: TimeInterval?,
    events: [HKWorkoutEvent]? = nil, _ device: HKDevice?, _ metadata: [String: Any]?,
    _ totals: (inout Content) -> Void = { _ in }
  ) {
    let events = (events ?? []).sorted { $0.dateInterval < $1.dateInterval }
    var content = Content(
      activity, duration: duration ?? WorkoutClock.duration(from: start, to: end, events))
    content.events = events
    totals(&content)
    self.init(content, start, end, ObjectFacts(device: device, metadata: metadata))
  }

  /// A workout without a pause, of which nothing was measured.
  public convenience init(
    activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
    end endDate: Date
  ) {
    self.init(workoutActivityType, startDate, endDate, duration: nil, nil, nil)
  }

  /// A workout whose duration follows from its pauses.
  public convenience init(
    activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
    end endDate: Date, workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?,
    totalDistance: HKQuantity?, metadata: [String: Any]?
  ) {
    self.init(
      activityType: workoutActivityType, start: startDate, end: endDate,
      workoutEvents: workoutEvents, totalEnergyBurned: totalEnergyBurned,
      totalDistance: totalDistance, device: nil, metadata: metadata)
  }

  /// A workout whose duration follows from its pauses, with its device.
  public convenience init(
    activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
    end endDate: Date, workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?,
    totalDistance: HKQuantity?, device: HKDevice?, metadata: [String: Any]?
  ) {
    self.init(
      workoutActivityType, startDate, endDate, duration: nil, events: workoutEvents, device,
      metadata
    ) {
      $0.energy = totalEnergyBurned
      $0.distance = totalDistance
    }
  }

  /// A workout with the strokes of a swim.
  public convenience init(
    activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
    end endDate: Date, workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?,
    totalDistance: HKQuantity?, totalSwimmingStrokeCount: HKQuantity?, device: HKDevice?,
    metadata: [String: Any]?
  ) {
    self.init(
      workoutActivityType, startDate, endDate, duration: nil, events: workoutEvents, device,
      metadata
    ) {
      $0.energy = totalEnergyBurned
      $0.distance = totalDistance
      $0.strokes = totalSwimmingStrokeCount
    }
  }

  /// A workout with flights of stairs.
  public convenience init(
    activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
    end endDate: Date, workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?,
    totalDistance: HKQuantity?, totalFlightsClimbed: HKQuantity?, device: HKDevice?,
    metadata: [String: Any]?
  ) {
    self.init(
      workoutActivityType, startDate, endDate, duration: nil, events: workoutEvents, device,
      metadata
    ) {
      $0.energy = totalEnergyBurned
      $0.distance = totalDistance
      $0.flights = totalFlightsClimbed
    }
  }

  /// A workout of a known duration.
  public convenience init(
    activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
    end endDate: Date, duration: TimeInterval, totalEnergyBurned: HKQuantity?,
    totalDistance: HKQuantity?, metadata: [String: Any]?
  ) {
    self.init(
      activityType: workoutActivityType, start: startDate, end: endDate, duration: duration,
      totalEnergyBurned: totalEnergyBurned, totalDistance: totalDistance, device: nil,
      metadata: metadata)
  }

  /// A workout of a known duration, with its device.
  public convenience init(
    activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
    end endDate: Date, duration: TimeInterval, totalEnergyBurned: HKQuantity?,
    totalDistance: HKQuantity?, device: HKDevice?, metadata: [String: Any]?
  ) {
    self.init(workoutActivityType, startDate, endDate, duration: duration, device, metadata) {
      $0.energy = totalEnergyBurned
      $0.distance = totalDistance
    }
  }

  /// The activity, the time and the duration.
  open override var description: String {
    let name = ExportNames.name(of: workoutActivityType) ?? "\(workoutActivityType.rawValue)"
    return "\(name) (\(startDate) - \(endDate)), \(duration) s"
  }

  /// Reads a workout from an archive.
  public required init?(coder: NSCoder) {
    guard let text = coder.text("workout"), let content = try? WorkoutCoding.decode(text) else {
      return nil
    }
    self.content = content
    super.init(coder: coder)
  }

  /// Writes the workout into an archive.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(WorkoutCoding.encode(content) as NSString, forKey: "workout")
  }
}

/// How long something was done that has pauses.
enum WorkoutClock {
  /// The time from start to end without what lies between a pause and the next resumption.
  static func duration(from start: Date, to end: Date, _ events: [HKWorkoutEvent]) -> TimeInterval {
    var paused: TimeInterval = 0
    var since: Date?
    for event in events {
      switch event.type {
      case .pause where since == nil, .motionPaused where since == nil:
        since = event.dateInterval.start
      case .resume, .motionResumed:
        if let began = since { paused += event.dateInterval.start.timeIntervalSince(began) }
        since = nil
      default: break
      }
    }
    if let since { paused += end.timeIntervalSince(since) }
    return max(0, end.timeIntervalSince(start) - max(0, paused))
  }
}
