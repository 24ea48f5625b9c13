// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What is done in a workout, and where.
open class HKWorkoutConfiguration: NSObject, NSSecureCoding, NSCopying {
  /// What is done.
  open var activityType = HKWorkoutActivityType.other
  /// Indoors or outdoors.
  open var locationType = HKWorkoutSessionLocationType.unknown
  /// A pool or open water.
  open var swimmingLocationType = HKWorkoutSwimmingLocationType.unknown
  /// The length of the pool.
  open var lapLength: HKQuantity?

  /// A configuration of an activity of another kind, at an unknown place.
  public override init() {}

  /// A configuration that says the same, and can be changed apart.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = HKWorkoutConfiguration()
    copy.activityType = activityType
    copy.locationType = locationType
    copy.swimmingLocationType = swimmingLocationType
    copy.lapLength = lapLength
    return copy
  }

  /// Whether both say the same.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKWorkoutConfiguration else { return false }
    return activityType == other.activityType && locationType == other.locationType
      && swimmingLocationType == other.swimmingLocationType && lapLength == other.lapLength
  }

  /// A hash of the activity.
  open override var hash: Int { activityType.hashValue }

  /// True: an object can be decoded with a list of classes.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a configuration from an archive.
  public required init?(coder: NSCoder) {
    activityType =
      HKWorkoutActivityType(rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "activity")))
      ?? .other
    locationType =
      HKWorkoutSessionLocationType(rawValue: coder.decodeInteger(forKey: "location")) ?? .unknown
    swimmingLocationType =
      HKWorkoutSwimmingLocationType(rawValue: coder.decodeInteger(forKey: "water")) ?? .unknown
    lapLength = coder.decodeObject(of: HKQuantity.self, forKey: "lap")
  }

  /// Writes the configuration into an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(Int(bitPattern: activityType.rawValue), forKey: "activity")
    coder.encode(locationType.rawValue, forKey: "location")
    coder.encode(swimmingLocationType.rawValue, forKey: "water")
    coder.encode(lapLength, forKey: "lap")
  }
}

/// A part of a workout that has its own activity, such as the swim of a triathlon.
open class HKWorkoutActivity: NSObject, NSSecureCoding, NSCopying {
  /// The part's identifier.
  public let uuid: UUID
  /// What was done, and where.
  public let workoutConfiguration: HKWorkoutConfiguration
  /// The start.
  public let startDate: Date
  /// The end; nil while it goes on.
  public let endDate: Date?
  /// What else is known of it.
  public let metadata: [String: Any]?
  /// Pauses, laps and the like.
  open package(set) var workoutEvents: [HKWorkoutEvent] = []
  /// What was measured meanwhile, by type.
  open package(set) var allStatistics: [HKQuantityType: HKStatistics] = [:]

  /// How long it was done, without the pauses; 0 while it goes on.
  open var duration: TimeInterval {
    endDate.map { WorkoutClock.duration(from: startDate, to: $0, workoutEvents) } ?? 0
  }

  /// A part of a workout.
  public convenience init(
    workoutConfiguration: HKWorkoutConfiguration, start startDate: Date, end endDate: Date?,
    metadata: [String: Any]?
  ) {
    self.init(UUID(), workoutConfiguration, startDate, endDate, metadata)
  }

  package init(
    _ uuid: UUID, _ configuration: HKWorkoutConfiguration, _ start: Date, _ end: Date?,
    _ metadata: [String: Any]?
  ) {
    self.uuid = uuid
    workoutConfiguration = configuration.copy() as? HKWorkoutConfiguration ?? configuration
    startDate = start
    endDate = end
    self.metadata = metadata
  }

  /// What was measured of a type meanwhile; nil if nothing was.
  @discardableResult
  open func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
    allStatistics[quantityType]
  }

  /// The part itself, which cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both are the same part.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKWorkoutActivity)?.uuid == uuid
  }

  /// A hash of the identifier.
  open override var hash: Int { uuid.hashValue }

  /// True: an object can be decoded with a list of classes.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a part from an archive.
  public required convenience init?(coder: NSCoder) {
    guard let text = coder.text("activity"), let part = try? WorkoutCoding.activity(text) else {
      return nil
    }
    self.init(part.uuid, part.workoutConfiguration, part.startDate, part.endDate, part.metadata)
    workoutEvents = part.workoutEvents
    allStatistics = part.allStatistics
  }

  /// Writes the part into an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(WorkoutCoding.encode(self) as NSString, forKey: "activity")
  }
}
