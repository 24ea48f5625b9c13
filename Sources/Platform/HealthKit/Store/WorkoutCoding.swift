// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Workouts, their parts and statistics as texts.
enum WorkoutCoding {
  struct Quantity: Codable {
    let value: Double
    let unit: String

    init(_ quantity: HKQuantity) {
      value = quantity.doubleValue(for: quantity.unit)
      unit = quantity.unit.unitString
    }

    var quantity: HKQuantity { HKQuantity(unit: HKUnit(from: unit), doubleValue: value) }
  }

  struct Event: Codable {
    let type: Int
    let start: Double
    let end: Double
    let metadata: [String: MetadataValue]?

    init(_ event: HKWorkoutEvent) {
      type = event.type.rawValue
      start = event.dateInterval.start.timeIntervalSinceReferenceDate
      end = event.dateInterval.end.timeIntervalSinceReferenceDate
      metadata = event.metadata?.compactMapValues(MetadataValue.init)
    }

    var event: HKWorkoutEvent? {
      guard let type = HKWorkoutEventType(rawValue: type), end >= start else { return nil }
      return HKWorkoutEvent(
        type: type,
        dateInterval: DateInterval(
          start: Date(timeIntervalSinceReferenceDate: start),
          end: Date(timeIntervalSinceReferenceDate: end)),
        metadata: metadata?.mapValues(\.value))
    }
  }

  struct Figures: Codable {
    var sum: Quantity?
    var average: Quantity?
    var minimum: Quantity?
    var maximum: Quantity?
    var latest: Quantity?
    var latestStart: Double?
    var latestEnd: Double?
    var duration: Quantity?

    init(_ figures: HKStatistics.Figures) {
      sum = figures.sum.map(Quantity.init)
      average = figures.average.map(Quantity.init)
      minimum = figures.minimum.map(Quantity.init)
      maximum = figures.maximum.map(Quantity.init)
      latest = figures.mostRecent.map(Quantity.init)
      latestStart = figures.mostRecentInterval?.start.timeIntervalSinceReferenceDate
      latestEnd = figures.mostRecentInterval?.end.timeIntervalSinceReferenceDate
      duration = figures.duration.map(Quantity.init)
    }

    var figures: HKStatistics.Figures {
      var figures = HKStatistics.Figures()
      figures.sum = sum?.quantity
      figures.average = average?.quantity
      figures.minimum = minimum?.quantity
      figures.maximum = maximum?.quantity
      figures.mostRecent = latest?.quantity
      if let latestStart, let latestEnd, latestEnd >= latestStart {
        figures.mostRecentInterval = DateInterval(
          start: Date(timeIntervalSinceReferenceDate: latestStart),
          end: Date(timeIntervalSinceReferenceDate: latestEnd))
      }
      figures.duration = duration?.quantity
      return figures
    }
  }

  struct Statistics: Codable {
    let type: String
    let start: Double
    let end: Double
    let figures: Figures
    let sources: [SourceFigures]?

    struct SourceFigures: Codable {
      let name: String
      let bundle: String
      let figures: Figures
    }

    init(_ statistics: HKStatistics) {
      type = statistics.quantityType.identifier
      start = statistics.startDate.timeIntervalSinceReferenceDate
      end = statistics.endDate.timeIntervalSinceReferenceDate
      figures = Figures(statistics.figures)
      sources = statistics.bySource.map { figures in
        figures.sorted { $0.key.bundleIdentifier < $1.key.bundleIdentifier }.map {
          SourceFigures(
            name: $0.key.name, bundle: $0.key.bundleIdentifier, figures: Figures($0.value))
        }
      }
    }

    private var quantityType: HKQuantityType {
      let unit = (figures.sum ?? figures.average ?? figures.maximum)?.quantity.unit
      return HKQuantityType.known(type)
        ?? HKQuantityType(identifier: type, canonicalUnit: unit ?? .count())
    }

    var statistics: HKStatistics {
      HKStatistics(
        quantityType, Date(timeIntervalSinceReferenceDate: start),
        Date(timeIntervalSinceReferenceDate: end), figures.figures,
        bySource: sources.map { sources in
          Dictionary(
            sources.map {
              (HKSource(name: $0.name, bundleIdentifier: $0.bundle), $0.figures.figures)
            }, uniquingKeysWith: { $1 })
        })
    }
  }

  struct Activity: Codable {
    let uuid: UUID
    let activity: UInt
    let location: Int
    let water: Int
    let lap: Quantity?
    let start: Double
    let end: Double?
    let metadata: [String: MetadataValue]?
    let events: [Event]
    let statistics: [Statistics]

    init(_ activity: HKWorkoutActivity) {
      let configuration = activity.workoutConfiguration
      uuid = activity.uuid
      self.activity = configuration.activityType.rawValue
      location = configuration.locationType.rawValue
      water = configuration.swimmingLocationType.rawValue
      lap = configuration.lapLength.map(Quantity.init)
      start = activity.startDate.timeIntervalSinceReferenceDate
      end = activity.endDate?.timeIntervalSinceReferenceDate
      metadata = activity.metadata?.compactMapValues(MetadataValue.init)
      events = activity.workoutEvents.map(Event.init)
      statistics = WorkoutCoding.list(activity.allStatistics)
    }

    var part: HKWorkoutActivity {
      let configuration = HKWorkoutConfiguration()
      configuration.activityType = HKWorkoutActivityType(rawValue: activity) ?? .other
      configuration.locationType = HKWorkoutSessionLocationType(rawValue: location) ?? .unknown
      configuration.swimmingLocationType =
        HKWorkoutSwimmingLocationType(rawValue: water) ?? .unknown
      configuration.lapLength = lap?.quantity
      let part = HKWorkoutActivity(
        uuid, configuration, Date(timeIntervalSinceReferenceDate: start),
        end.map(Date.init(timeIntervalSinceReferenceDate:)), metadata?.mapValues(\.value))
      part.workoutEvents = events.compactMap(\.event)
      part.allStatistics = WorkoutCoding.dictionary(statistics)
      return part
    }
  }

  struct Workout: Codable {
    let activity: UInt
    let duration: Double
    let energy: Quantity?
    let distance: Quantity?
    let strokes: Quantity?
    let flights: Quantity?
    let events: [Event]?
    let activities: [Activity]?
    let statistics: [Statistics]?
  }

  private static func list(_ statistics: [HKQuantityType: HKStatistics]) -> [Statistics] {
    statistics.values.sorted { $0.quantityType.identifier < $1.quantityType.identifier }
      .map(Statistics.init)
  }

  private static func dictionary(_ list: [Statistics]) -> [HKQuantityType: HKStatistics] {
    Dictionary(
      list.map(\.statistics).map { ($0.quantityType, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The text of a workout's content.
  static func encode(_ content: HKWorkout.Content) -> String {
    MetadataCoding.text(
      Workout(
        activity: content.activity.rawValue, duration: content.duration,
        energy: content.energy.map(Quantity.init), distance: content.distance.map(Quantity.init),
        strokes: content.strokes.map(Quantity.init), flights: content.flights.map(Quantity.init),
        events: content.events.isEmpty ? nil : content.events.map(Event.init),
        activities: content.activities.isEmpty ? nil : content.activities.map(Activity.init),
        statistics: content.statistics.isEmpty ? nil : list(content.statistics)))
  }

  /// The content of a workout's text.
  static func decode(_ text: String) throws -> HKWorkout.Content {
    let workout = try MetadataCoding.value(text, as: Workout.self)
    var content = HKWorkout.Content(
      HKWorkoutActivityType(rawValue: workout.activity) ?? .other, duration: workout.duration)
    content.energy = workout.energy?.quantity
    content.distance = workout.distance?.quantity
    content.strokes = workout.strokes?.quantity
    content.flights = workout.flights?.quantity
    content.events = (workout.events ?? []).compactMap(\.event)
    content.activities = (workout.activities ?? []).map(\.part)
    content.statistics = dictionary(workout.statistics ?? [])
    return content
  }

  /// The text of a workout's part.
  static func encode(_ activity: HKWorkoutActivity) -> String {
    MetadataCoding.text(Activity(activity))
  }

  /// The part of a text.
  static func activity(_ text: String) throws -> HKWorkoutActivity {
    try MetadataCoding.value(text, as: Activity.self).part
  }

  /// The text of statistics.
  static func encode(_ statistics: HKStatistics) -> String {
    MetadataCoding.text(Statistics(statistics))
  }

  /// The statistics of a text.
  static func statistics(_ text: String) throws -> HKStatistics {
    try MetadataCoding.value(text, as: Statistics.self).statistics
  }
}
