// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One condition on objects of the store.
///
/// It can be evaluated with an object, as every predicate, and most conditions can be put into SQL.
/// Conditions are combined with Foundation's own `NSCompoundPredicate`.
final class HealthPredicate: NSPredicate {
  let condition: Condition

  init(_ condition: Condition) {
    self.condition = condition
    super.init(value: true)
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) { nil }

  override func evaluate(with object: Any?) -> Bool { condition.holds(for: object) }

  override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool
  {
    condition.holds(for: object)
  }

  // Foundation's copy would be a plain predicate without the condition.
  override func copy(with zone: NSZone? = nil) -> Any { self }

  override func isEqual(_ object: Any?) -> Bool { self === object as? HealthPredicate }

  override var hash: Int { ObjectIdentifier(self).hashValue }
}

/// How a value is compared.
enum Comparison {
  case less, lessOrEqual, equal, notEqual, greaterOrEqual, greater

  /// The comparison of Foundation's operator; Apple's framework raises an exception for the others.
  init(_ operator: NSComparisonPredicate.Operator) {
    switch `operator` {
    case .lessThan: self = .less
    case .lessThanOrEqualTo: self = .lessOrEqual
    case .equalTo: self = .equal
    case .notEqualTo: self = .notEqual
    case .greaterThanOrEqualTo: self = .greaterOrEqual
    case .greaterThan: self = .greater
    default: preconditionFailure("A health predicate compares by <, <=, ==, !=, >= or > only.")
    }
  }

  var sql: String {
    switch self {
    case .less: "<"
    case .lessOrEqual: "<="
    case .equal: "="
    case .notEqual: "<>"
    case .greaterOrEqual: ">="
    case .greater: ">"
    }
  }

  func holds<Value: Comparable>(_ value: Value, _ limit: Value) -> Bool {
    switch self {
    case .less: value < limit
    case .lessOrEqual: value <= limit
    case .equal: value == limit
    case .notEqual: value != limit
    case .greaterOrEqual: value >= limit
    case .greater: value > limit
    }
  }

  func holds(_ quantity: HKQuantity?, _ limit: HKQuantity) -> Bool {
    guard let quantity, limit.is(compatibleWith: quantity.unit) else { return false }
    return holds(quantity.doubleValue(for: limit.unit), limit.doubleValue(for: limit.unit))
  }
}

/// What a predicate of the store asks.
enum Condition {
  case time(start: Date?, end: Date?, HKQueryOptions)
  case identifiers(Set<UUID>)
  case sources(Set<HKSource>)
  case revisions(Set<HKSourceRevision>)
  case devices(Set<HKDevice>)
  case deviceProperty(String, Set<String>)
  case partOf(HKWorkout)
  case metadata(String, MetadataTest)
  case withoutCorrelation
  /// What stands for the two conditions on what belongs together, when it is evaluated with objects.
  case rows(Set<Int64>)
  case category(Comparison, Int)
  case oneOfCategory(Set<Int>)
  case quantity(Comparison, HKQuantity)
  case workout(WorkoutTest)
  case activity(WorkoutTest)
  case someActivity(NSPredicate)
  case day(from: DateComponents, to: DateComponents)

  enum MetadataTest {
    case present
    case oneOf([Any])
    case compared(Comparison, Any)
  }

  /// What is asked of a workout or of a part of it.
  enum WorkoutTest {
    case kind(HKWorkoutActivityType)
    case time(start: Date?, end: Date?, HKQueryOptions)
    case duration(Comparison, TimeInterval)
    case total(WorkoutTotal, Comparison, HKQuantity)
    case statistics(HKQuantityType, StatisticsFigure, Comparison, HKQuantity)
  }

  enum WorkoutTotal {
    case energy, distance, strokes, flights
  }

  enum StatisticsFigure {
    case sum, average, minimum, maximum

    func value(_ statistics: HKStatistics?) -> HKQuantity? {
      switch self {
      case .sum: statistics?.sumQuantity()
      case .average: statistics?.averageQuantity()
      case .minimum: statistics?.minimumQuantity()
      case .maximum: statistics?.maximumQuantity()
      }
    }
  }
}

// MARK: - Evaluation

extension Condition {
  /// Whether the condition holds for an object; false for one that it cannot be asked of.
  func holds(for object: Any?) -> Bool {
    if let part = object as? HKWorkoutActivity, case .activity(let test) = self {
      return test.holds(for: part)
    }
    if let summary = object as? HKActivitySummary, case .day(let from, let to) = self {
      return summary.isBetween(from, to)
    }
    guard let object = object as? HKObject else { return false }
    switch self {
    case .identifiers(let identifiers): return identifiers.contains(object.uuid)
    case .sources(let sources): return sources.contains(object.sourceRevision.source)
    case .revisions(let revisions):
      return revisions.contains { $0.includes(object.sourceRevision) }
    case .devices(let devices): return object.device.map(devices.contains) ?? false
    case .deviceProperty(let key, let values):
      return object.device?.property(key).map(values.contains) ?? false
    case .metadata(let key, let test): return test.holds(for: object.metadata?[key])
    case .rows(let rows): return object.row.map(rows.contains) ?? false
    case .partOf: return false
    case .withoutCorrelation: return true
    default: return (object as? HKSample).map(holds(for:)) ?? false
    }
  }

  private func holds(for sample: HKSample) -> Bool {
    switch self {
    case .time(let start, let end, let options):
      return Self.holds(sample.startDate, sample.endDate, start, end, options)
    case .category(let comparison, let value):
      return (sample as? HKCategorySample).map { comparison.holds($0.value, value) } ?? false
    case .oneOfCategory(let values):
      return (sample as? HKCategorySample).map { values.contains($0.value) } ?? false
    case .quantity(let comparison, let limit):
      return comparison.holds((sample as? HKQuantitySample)?.quantity, limit)
    case .workout(let test): return (sample as? HKWorkout).map(test.holds(for:)) ?? false
    case .someActivity(let predicate):
      return (sample as? HKWorkout)?.workoutActivities.contains { predicate.evaluate(with: $0) }
        ?? false
    default: return false
    }
  }

  /// Whether a time fits to what is asked of it: it overlaps, starts or ends there.
  static func holds(
    _ sampleStart: Date, _ sampleEnd: Date, _ start: Date?, _ end: Date?, _ options: HKQueryOptions
  ) -> Bool {
    let (start, end) = (start ?? .distantPast, end ?? .distantFuture)
    if options.isEmpty { return sampleStart < end && sampleEnd >= start }
    if options.contains(.strictStartDate), !(sampleStart >= start && sampleStart < end) {
      return false
    }
    if options.contains(.strictEndDate), !(sampleEnd >= start && sampleEnd < end) { return false }
    return true
  }
}

extension Condition.MetadataTest {
  func holds(for value: Any?) -> Bool {
    guard let value = value.flatMap(MetadataValue.init) else { return false }
    switch self {
    case .present: return true
    case .oneOf(let values):
      return values.contains { MetadataValue($0).map { value.isSame(as: $0) } ?? false }
    case .compared(let comparison, let limit):
      return MetadataValue(limit).map { value.holds(comparison, $0) } ?? false
    }
  }
}

extension MetadataValue {
  /// The value as a number, where it is one; a flag is 0 or 1.
  private var asNumber: Double? {
    switch self {
    case .flag(let flag): flag ? 1 : 0
    case .integer(let integer): Double(integer)
    case .number(let number): number
    case .date(let date): date
    default: nil
    }
  }

  func isSame(as other: MetadataValue) -> Bool { holds(.equal, other) }

  func holds(_ comparison: Comparison, _ limit: MetadataValue) -> Bool {
    if let number = asNumber, let other = limit.asNumber { return comparison.holds(number, other) }
    switch (self, limit) {
    case (.text(let text), .text(let other)): return comparison.holds(text, other)
    case (.quantity, .quantity):
      guard let quantity = value as? HKQuantity, let other = limit.value as? HKQuantity else {
        return false
      }
      return comparison.holds(quantity, other)
    default: return false
    }
  }
}

extension Condition.WorkoutTest {
  func holds(for workout: HKWorkout) -> Bool {
    switch self {
    case .kind(let kind): workout.workoutActivityType == kind
    case .time(let start, let end, let options):
      Condition.holds(workout.startDate, workout.endDate, start, end, options)
    case .duration(let comparison, let limit): comparison.holds(workout.duration, limit)
    case .total(let total, let comparison, let limit):
      comparison.holds(total.value(workout), limit)
    case .statistics(let type, let figure, let comparison, let limit):
      comparison.holds(figure.value(workout.statistics(for: type)), limit)
    }
  }

  func holds(for part: HKWorkoutActivity) -> Bool {
    switch self {
    case .kind(let kind): part.workoutConfiguration.activityType == kind
    case .time(let start, let end, let options):
      Condition.holds(part.startDate, part.endDate ?? .distantFuture, start, end, options)
    case .duration(let comparison, let limit): comparison.holds(part.duration, limit)
    case .total: false
    case .statistics(let type, let figure, let comparison, let limit):
      comparison.holds(figure.value(part.statistics(for: type)), limit)
    }
  }
}

extension Condition.WorkoutTotal {
  func value(_ workout: HKWorkout) -> HKQuantity? {
    switch self {
    case .energy: workout.totalEnergyBurned
    case .distance: workout.totalDistance
    case .strokes: workout.totalSwimmingStrokeCount
    case .flights: workout.totalFlightsClimbed
    }
  }
}

extension HKSourceRevision {
  /// Whether a revision is meant by this one, in which parts may stand for any.
  func includes(_ other: HKSourceRevision) -> Bool {
    source == other.source
      && (version == HKSourceRevisionAnyVersion || version == other.version)
      && (productType == HKSourceRevisionAnyProductType || productType == other.productType)
      && (operatingSystemVersion.majorVersion < 0 || systemText == other.systemText)
  }
}

extension HKDevice {
  /// The property that a key of `HKDevicePropertyKey…` names.
  func property(_ key: String) -> String? {
    switch key {
    case HKDevicePropertyKeyName: name
    case HKDevicePropertyKeyManufacturer: manufacturer
    case HKDevicePropertyKeyModel: model
    case HKDevicePropertyKeyHardwareVersion: hardwareVersion
    case HKDevicePropertyKeyFirmwareVersion: firmwareVersion
    case HKDevicePropertyKeySoftwareVersion: softwareVersion
    case HKDevicePropertyKeyLocalIdentifier: localIdentifier
    case HKDevicePropertyKeyUDIDeviceIdentifier: udiDeviceIdentifier
    default: nil
    }
  }
}
