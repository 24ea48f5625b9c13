// SPDX-License-Identifier: Apache-2.0

import AppleHealthExport
import Foundation
import HealthKit

extension HKWorkout.Content {
  /// The content of an exported workout; what has a unit that is none is left out.
  init(_ workout: ExportedWorkout, _ strings: InternedStrings) {
    let start = workout.sample.start.date
    let end = max(start, workout.sample.end.date)
    let activity = ExportNames.workoutActivity(named: strings[workout.sample.type]) ?? .other
    let duration = workout.duration?.quantity(strings)?.seconds
    self.init(activity, duration: duration ?? end.timeIntervalSince(start))
    energy = workout.totalEnergyBurned?.quantity(strings)
    distance = workout.totalDistance?.quantity(strings)
    flights = workout.totalFlightsClimbed?.quantity(strings)
    strokes = workout.totalSwimmingStrokeCount?.quantity(strings)
    events = workout.events.compactMap { HKWorkoutEvent.exported($0, strings) }
    statistics = HKStatistics.exported(workout.statistics, strings)
    activities = workout.activities.map { HKWorkoutActivity.exported($0, activity, strings) }
  }
}

extension ExportedInstant {
  var date: Date { Date(timeIntervalSinceReferenceDate: Double(seconds)) }
}

extension ExportedWorkout.Quantity {
  /// The quantity; nil with a unit that is none.
  func quantity(_ strings: InternedStrings) -> HKQuantity? {
    guard let unit = try? HKUnit(parsing: unit.map { strings[$0] } ?? "count") else { return nil }
    return HKQuantity(unit: unit, doubleValue: value)
  }
}

extension HKQuantity {
  /// The seconds of a time; nil of anything else.
  fileprivate var seconds: Double? {
    `is`(compatibleWith: .second()) ? doubleValue(for: .second()) : nil
  }
}

extension HKWorkoutEvent {
  fileprivate static func exported(
    _ event: ExportedWorkout.Event, _ strings: InternedStrings
  ) -> HKWorkoutEvent? {
    guard let type = ExportNames.workoutEvent(named: strings[event.type]) else { return nil }
    let duration = event.duration?.quantity(strings)?.seconds ?? 0
    return HKWorkoutEvent(
      type: type, dateInterval: DateInterval(start: event.date.date, duration: max(0, duration)),
      metadata: event.metadata.isEmpty ? nil : ImportNames.dictionary(event.metadata, strings))
  }
}

extension HKStatistics {
  fileprivate static func exported(
    _ statistics: [ExportedWorkout.Statistics], _ strings: InternedStrings
  ) -> [HKQuantityType: HKStatistics] {
    var found: [HKQuantityType: HKStatistics] = [:]
    for statistics in statistics {
      guard let unit = try? HKUnit(parsing: statistics.unit.map { strings[$0] } ?? ""),
        let type = HKObjectType.named(strings[statistics.type], unit: unit) as? HKQuantityType
      else { continue }
      func quantity(_ value: Double?) -> HKQuantity? {
        value.map { HKQuantity(unit: unit, doubleValue: $0) }
      }
      var figures = Figures()
      figures.sum = quantity(statistics.sum)
      figures.average = quantity(statistics.average)
      figures.minimum = quantity(statistics.minimum)
      figures.maximum = quantity(statistics.maximum)
      found[type] = HKStatistics(
        type, statistics.start.date, max(statistics.start.date, statistics.end.date), figures)
    }
    return found
  }
}

extension HKWorkoutActivity {
  fileprivate static func exported(
    _ part: ExportedWorkout.Activity, _ activity: HKWorkoutActivityType, _ strings: InternedStrings
  ) -> HKWorkoutActivity {
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = activity
    let exported = HKWorkoutActivity(
      UUID(uuidString: part.identifier) ?? UUID(), configuration, part.start.date, part.end?.date,
      part.metadata.isEmpty ? nil : ImportNames.dictionary(part.metadata, strings))
    exported.workoutEvents = part.events.compactMap { HKWorkoutEvent.exported($0, strings) }
    exported.allStatistics = HKStatistics.exported(part.statistics, strings)
    return exported
  }
}

extension HKActivitySummary {
  /// The summary of an export; nil without a day.
  convenience init?(_ exported: ExportedActivitySummary, _ strings: InternedStrings) {
    guard let exportedDay = exported.day else { return nil }
    self.init()
    day = DateComponents(
      year: exportedDay.year, month: exportedDay.month, day: exportedDay.day)
    let energy = exported.activeEnergyUnit.flatMap { try? HKUnit(parsing: strings[$0]) }
    let energyUnit = energy?.isCompatible(with: .joule()) == true ? energy : nil
    func quantity(_ unit: HKUnit, _ value: Double?) -> HKQuantity? {
      value.map { HKQuantity(unit: unit, doubleValue: $0) }
    }
    let unit = energyUnit ?? .kilocalorie()
    activeEnergyBurned = quantity(unit, exported.activeEnergy.amount) ?? activeEnergyBurned
    activeEnergyBurnedGoal = quantity(unit, exported.activeEnergy.goal) ?? activeEnergyBurnedGoal
    appleMoveTime = quantity(.minute(), exported.moveTime.amount) ?? appleMoveTime
    appleMoveTimeGoal = quantity(.minute(), exported.moveTime.goal) ?? appleMoveTimeGoal
    appleExerciseTime = quantity(.minute(), exported.exerciseTime.amount) ?? appleExerciseTime
    exerciseTimeGoal = quantity(.minute(), exported.exerciseTime.goal)
    appleStandHours = quantity(.count(), exported.standHours.amount) ?? appleStandHours
    standHoursGoal = quantity(.count(), exported.standHours.goal)
  }
}
