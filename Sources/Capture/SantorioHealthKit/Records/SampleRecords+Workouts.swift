// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthRecords
public import HealthKit

extension SampleRecords {
  /// The heart rates of a workout that has none in its own statistics.
  ///
  /// Other apps than Apple's save a workout without them, and the samples lie beside it.
  ///
  /// - Parameter workout: The workout.
  /// - Returns: The predicate for a query of statistics of heart rates; nil where none is needed.
  public static func predicateForHeartRates(of workout: HKWorkout) -> NSPredicate? {
    guard workout.statistics(for: HKQuantityType(.heartRate))?.averageQuantity() == nil else {
      return nil
    }
    return HKQuery.predicateForSamples(withStart: workout.startDate, end: workout.endDate)
  }

  /// The record of a workout.
  ///
  /// The active duration has no pauses, so that it may be shorter than the time. The distance is that
  /// of the type that fits the activity (cycling, swimming, wheelchair, downhill snow sports, else
  /// walking and running; of several activities their sum), the energy is the active one; where the
  /// workout has no statistics, both are its totals.
  ///
  /// - Parameters:
  ///   - workout: The workout.
  ///   - heartRate: The heart rates of the workout's time, where it has none in its own statistics.
  ///   - received: When it was read.
  /// - Returns: The record; nil for a workout that this app wrote itself.
  public func record(
    of workout: HKWorkout, heartRate: HKStatistics?, received: Date
  ) -> HealthRecord? {
    guard !isOwn(workout) else { return nil }
    let isManual = workout.isUserEntered
    let figures = figures(of: workout, heartRate)
    let metrics = figures.map { Metric($0.0, $0.1, origin: isManual ? .manual : .device) }
    var record = record(of: workout, .workout, metrics, isManual: isManual, received: received)
    let activity = WorkoutActivity(workout.workoutActivityType)
    record?.category = activity.name
    record?.name = workout.text(HKMetadataKeyWorkoutBrandName) ?? activity.displayName
    record?.add(tag: "indoor", workout.flag(HKMetadataKeyIndoorWorkout).map { "\($0)" })
    return record
  }

  private func figures(
    of workout: HKWorkout, _ heartRate: HKStatistics?
  ) -> [(MetricType, Double)] {
    func own(_ type: HKQuantityTypeIdentifier) -> HKStatistics? {
      workout.statistics(for: HKQuantityType(type))
    }
    let rates =
      own(.heartRate).flatMap { $0.averageQuantity() == nil ? nil : $0 } ?? heartRate
    let quantities: [(MetricType, HKQuantity?)] = [
      (.distance, distance(of: workout)),
      (.energyBurned, own(.activeEnergyBurned)?.sumQuantity() ?? workout.totalEnergyBurned),
      (.elevation, workout.metadata?[HKMetadataKeyElevationAscended] as? HKQuantity),
      (.averageHeartRate, rates?.averageQuantity()),
      (.minimumHeartRate, rates?.minimumQuantity()),
      (.maximumHeartRate, rates?.maximumQuantity()),
    ]
    return [(.activeDuration, (workout.duration * 1000).rounded() / 1000)]
      + quantities.compactMap { type, quantity in
        quantity?.value(as: type).map { (type, $0) }
      }
  }

  private func distance(of workout: HKWorkout) -> HKQuantity? {
    let types = WorkoutActivity(workout.workoutActivityType).distances
    let parts = types.compactMap { type in
      workout.statistics(for: HKQuantityType(type))?.sumQuantity()
    }.filter { $0.is(compatibleWith: .meter()) }
    guard !parts.isEmpty else { return workout.totalDistance }
    let meters = parts.reduce(0) { $0 + $1.doubleValue(for: .meter()) }
    return HKQuantity(unit: .meter(), doubleValue: meters)
  }
}
