// SPDX-License-Identifier: Apache-2.0

import Foundation

// Apple's factories take the operators of NSComparisonPredicate, which Foundation marks as deprecated
// on Linux though they work.

extension HKQuery {
  // MARK: - Objects

  /// The object of an identifier.
  @discardableResult
  public class func predicateForObject(with UUID: UUID) -> NSPredicate {
    HealthPredicate(.identifiers([UUID]))
  }

  /// The objects of identifiers.
  @discardableResult
  public class func predicateForObjects(with UUIDs: Set<UUID>) -> NSPredicate {
    HealthPredicate(.identifiers(UUIDs))
  }

  /// What a source saved.
  @discardableResult
  public class func predicateForObjects(from source: HKSource) -> NSPredicate {
    HealthPredicate(.sources([source]))
  }

  /// What some sources saved.
  @discardableResult
  public class func predicateForObjects(from sources: Set<HKSource>) -> NSPredicate {
    HealthPredicate(.sources(sources))
  }

  /// What some revisions of sources saved.
  @discardableResult
  public class func predicateForObjects(from sourceRevisions: Set<HKSourceRevision>) -> NSPredicate
  {
    HealthPredicate(.revisions(sourceRevisions))
  }

  /// What some devices generated.
  @discardableResult
  public class func predicateForObjects(from devices: Set<HKDevice>) -> NSPredicate {
    HealthPredicate(.devices(devices))
  }

  /// What devices generated that have one of some values, for a key of `HKDevicePropertyKey…`.
  @discardableResult
  public class func predicateForObjects(
    withDeviceProperty key: String, allowedValues: Set<String>
  ) -> NSPredicate {
    HealthPredicate(.deviceProperty(key, allowedValues))
  }

  /// What belongs to a workout.
  @discardableResult
  public class func predicateForObjects(from workout: HKWorkout) -> NSPredicate {
    HealthPredicate(.partOf(workout))
  }

  /// What belongs to no correlation.
  @discardableResult
  public class func predicateForObjectsWithNoCorrelation() -> NSPredicate {
    HealthPredicate(.withoutCorrelation)
  }

  /// What has a key in its metadata.
  @discardableResult
  public class func predicateForObjects(withMetadataKey key: String) -> NSPredicate {
    HealthPredicate(.metadata(key, .present))
  }

  /// What has one of some values for a key in its metadata.
  @discardableResult
  public class func predicateForObjects(
    withMetadataKey key: String, allowedValues: [Any]
  ) -> NSPredicate {
    HealthPredicate(.metadata(key, .oneOf(allowedValues)))
  }

  /// What has a value for a key in its metadata that compares so with another one.
  @discardableResult
  public class func predicateForObjects(
    withMetadataKey key: String, operatorType: NSComparisonPredicate.Operator, value: Any
  ) -> NSPredicate {
    HealthPredicate(.metadata(key, .compared(Comparison(operatorType), value)))
  }

  // MARK: - Samples

  /// Samples of a time: those that overlap it, or by the options those that start or end in it.
  ///
  /// - Parameters:
  ///   - startDate: The start, which is part of the time; nil for none.
  ///   - endDate: The end, which is not; nil for none.
  ///   - options: Whether a sample has to start or to end in the time.
  /// - Returns: The predicate.
  @discardableResult
  public class func predicateForSamples(
    withStart startDate: Date?, end endDate: Date?, options: HKQueryOptions = []
  ) -> NSPredicate {
    HealthPredicate(.time(start: startDate, end: endDate, options))
  }

  /// Quantities that compare so with another one.
  @discardableResult
  public class func predicateForQuantitySamples(
    with operatorType: NSComparisonPredicate.Operator, quantity: HKQuantity
  ) -> NSPredicate {
    HealthPredicate(.quantity(Comparison(operatorType), quantity))
  }

  /// Categories whose value compares so with another one.
  @discardableResult
  public class func predicateForCategorySamples(
    with operatorType: NSComparisonPredicate.Operator, value: Int
  ) -> NSPredicate {
    HealthPredicate(.category(Comparison(operatorType), value))
  }

  // MARK: - Workouts

  /// Workouts of an activity.
  @discardableResult
  public class func predicateForWorkouts(
    with workoutActivityType: HKWorkoutActivityType
  ) -> NSPredicate {
    HealthPredicate(.workout(.kind(workoutActivityType)))
  }

  /// Workouts whose duration compares so with another one.
  @discardableResult
  public class func predicateForWorkouts(
    with operatorType: NSComparisonPredicate.Operator, duration: TimeInterval
  ) -> NSPredicate {
    HealthPredicate(.workout(.duration(Comparison(operatorType), duration)))
  }

  /// Workouts whose energy compares so with another one.
  @discardableResult
  public class func predicateForWorkouts(
    with operatorType: NSComparisonPredicate.Operator, totalEnergyBurned: HKQuantity
  ) -> NSPredicate {
    HealthPredicate(.workout(.total(.energy, Comparison(operatorType), totalEnergyBurned)))
  }

  /// Workouts whose distance compares so with another one.
  @discardableResult
  public class func predicateForWorkouts(
    with operatorType: NSComparisonPredicate.Operator, totalDistance: HKQuantity
  ) -> NSPredicate {
    HealthPredicate(.workout(.total(.distance, Comparison(operatorType), totalDistance)))
  }

  /// Workouts whose number of strokes compares so with another one.
  @discardableResult
  public class func predicateForWorkouts(
    with operatorType: NSComparisonPredicate.Operator, totalSwimmingStrokeCount: HKQuantity
  ) -> NSPredicate {
    HealthPredicate(.workout(.total(.strokes, Comparison(operatorType), totalSwimmingStrokeCount)))
  }

  /// Workouts whose number of flights compares so with another one.
  @discardableResult
  public class func predicateForWorkouts(
    with operatorType: NSComparisonPredicate.Operator, totalFlightsClimbed: HKQuantity
  ) -> NSPredicate {
    HealthPredicate(.workout(.total(.flights, Comparison(operatorType), totalFlightsClimbed)))
  }

  /// Workouts in which the sum of a quantity compares so with another one.
  @discardableResult
  public class func predicateForWorkouts(
    operatorType: NSComparisonPredicate.Operator, quantityType: HKQuantityType,
    sumQuantity: HKQuantity
  ) -> NSPredicate {
    figure(.workout, .sum, operatorType, quantityType, sumQuantity)
  }

  /// Workouts in which the average of a quantity compares so with another one.
  @discardableResult
  public class func predicateForWorkouts(
    operatorType: NSComparisonPredicate.Operator, quantityType: HKQuantityType,
    averageQuantity: HKQuantity
  ) -> NSPredicate {
    figure(.workout, .average, operatorType, quantityType, averageQuantity)
  }

  /// Workouts in which the lowest of a quantity compares so with another one.
  @discardableResult
  public class func predicateForWorkouts(
    operatorType: NSComparisonPredicate.Operator, quantityType: HKQuantityType,
    minimumQuantity: HKQuantity
  ) -> NSPredicate {
    figure(.workout, .minimum, operatorType, quantityType, minimumQuantity)
  }

  /// Workouts in which the highest of a quantity compares so with another one.
  @discardableResult
  public class func predicateForWorkouts(
    operatorType: NSComparisonPredicate.Operator, quantityType: HKQuantityType,
    maximumQuantity: HKQuantity
  ) -> NSPredicate {
    figure(.workout, .maximum, operatorType, quantityType, maximumQuantity)
  }

  /// Workouts that have a part for which a predicate of parts holds.
  @discardableResult
  public class func predicateForWorkouts(activityPredicate: NSPredicate) -> NSPredicate {
    HealthPredicate(.someActivity(activityPredicate))
  }

  // MARK: - Parts of workouts

  /// Parts of workouts, of an activity.
  @discardableResult
  public class func predicateForWorkoutActivities(
    workoutActivityType: HKWorkoutActivityType
  ) -> NSPredicate {
    HealthPredicate(.activity(.kind(workoutActivityType)))
  }

  /// Parts of workouts, of a time.
  @discardableResult
  public class func predicateForWorkoutActivities(
    start startDate: Date?, end endDate: Date?, options: HKQueryOptions = []
  ) -> NSPredicate {
    HealthPredicate(.activity(.time(start: startDate, end: endDate, options)))
  }

  /// Parts of workouts whose duration compares so with another one.
  @discardableResult
  public class func predicateForWorkoutActivities(
    operatorType: NSComparisonPredicate.Operator, duration: TimeInterval
  ) -> NSPredicate {
    HealthPredicate(.activity(.duration(Comparison(operatorType), duration)))
  }

  /// Parts of workouts in which the sum of a quantity compares so with another one.
  @discardableResult
  public class func predicateForWorkoutActivities(
    operatorType: NSComparisonPredicate.Operator, quantityType: HKQuantityType,
    sumQuantity: HKQuantity
  ) -> NSPredicate {
    figure(.activity, .sum, operatorType, quantityType, sumQuantity)
  }

  /// Parts of workouts in which the average of a quantity compares so with another one.
  @discardableResult
  public class func predicateForWorkoutActivities(
    operatorType: NSComparisonPredicate.Operator, quantityType: HKQuantityType,
    averageQuantity: HKQuantity
  ) -> NSPredicate {
    figure(.activity, .average, operatorType, quantityType, averageQuantity)
  }

  /// Parts of workouts in which the lowest of a quantity compares so with another one.
  @discardableResult
  public class func predicateForWorkoutActivities(
    operatorType: NSComparisonPredicate.Operator, quantityType: HKQuantityType,
    minimumQuantity: HKQuantity
  ) -> NSPredicate {
    figure(.activity, .minimum, operatorType, quantityType, minimumQuantity)
  }

  /// Parts of workouts in which the highest of a quantity compares so with another one.
  @discardableResult
  public class func predicateForWorkoutActivities(
    operatorType: NSComparisonPredicate.Operator, quantityType: HKQuantityType,
    maximumQuantity: HKQuantity
  ) -> NSPredicate {
    figure(.activity, .maximum, operatorType, quantityType, maximumQuantity)
  }

  private enum Whole { case workout, activity }

  private class func figure(
    _ whole: Whole, _ figure: Condition.StatisticsFigure,
    _ operator: NSComparisonPredicate.Operator, _ type: HKQuantityType, _ limit: HKQuantity
  ) -> NSPredicate {
    let test = Condition.WorkoutTest.statistics(type, figure, Comparison(`operator`), limit)
    return HealthPredicate(whole == .workout ? .workout(test) : .activity(test))
  }

  // MARK: - Activity summaries

  /// The activity summary of a day, whose components name their calendar.
  @discardableResult
  public class func predicateForActivitySummary(with dateComponents: DateComponents) -> NSPredicate
  {
    HealthPredicate(.day(from: dateComponents, to: dateComponents))
  }

  /// The activity summaries of days from one to another, both of them included.
  @discardableResult
  public class func predicate(
    forActivitySummariesBetweenStart startDateComponents: DateComponents,
    end endDateComponents: DateComponents
  ) -> NSPredicate {
    HealthPredicate(.day(from: startDateComponents, to: endDateComponents))
  }
}
