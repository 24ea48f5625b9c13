// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Something that happened in a workout, such as a pause.
open class HKWorkoutEvent: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// What happened.
  public let type: HKWorkoutEventType
  /// When it happened, and how long it took.
  public let dateInterval: DateInterval
  /// What else is known of it.
  public let metadata: [String: Any]?
  /// When it happened.
  @available(iOS, introduced: 8.0, deprecated: 11.0)
  open var date: Date { dateInterval.start }

  /// Something that happened.
  public init(type: HKWorkoutEventType, dateInterval: DateInterval, metadata: [String: Any]?) {
    self.type = type
    self.dateInterval = dateInterval
    self.metadata = metadata
  }

  /// Something that happened at an instant.
  @available(iOS, introduced: 8.0, deprecated: 11.0)
  public convenience init(type: HKWorkoutEventType, date: Date) {
    self.init(type: type, dateInterval: DateInterval(start: date, duration: 0), metadata: nil)
  }

  /// Something that happened at an instant, with what is known of it.
  @available(iOS, introduced: 8.0, deprecated: 11.0)
  public convenience init(type: HKWorkoutEventType, date: Date, metadata: [String: Any]) {
    self.init(type: type, dateInterval: DateInterval(start: date, duration: 0), metadata: metadata)
  }

  /// Whether both are the same kind of event at the same time.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKWorkoutEvent else { return false }
    return other.type == type && other.dateInterval == dateInterval
  }

  /// A hash of the time.
  open override var hash: Int { dateInterval.hashValue }

  /// The event itself, which cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True: an object can be decoded with a list of classes.
  open class var supportsSecureCoding: Bool { true }

  /// Reads an event from an archive.
  public required init?(coder: NSCoder) {
    guard let type = HKWorkoutEventType(rawValue: coder.decodeInteger(forKey: "type")),
      let start = coder.instant("start"), let end = coder.instant("end"), end >= start
    else { return nil }
    self.type = type
    dateInterval = DateInterval(start: start, end: end)
    metadata = coder.text("metadata").flatMap { try? MetadataCoding.decode($0) }
  }

  /// Writes the event into an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(type.rawValue, forKey: "type")
    coder.encode(dateInterval.start, forKey: "start")
    coder.encode(dateInterval.end, forKey: "end")
    coder.encode(metadata.map { MetadataCoding.encode($0) as NSString }, forKey: "metadata")
  }
}
