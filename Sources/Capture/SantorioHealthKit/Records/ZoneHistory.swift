// SPDX-License-Identifier: Apache-2.0

public import CivilCalendar
public import Foundation

/// In which time zones a person was, and so which calendar day an instant belongs to.
///
/// A sample of HealthKit is an instant, and rarely says where it was taken. Days follow from the
/// zone that the phone had then: one who has travelled does not get other days for the past.
public struct ZoneHistory: Hashable, Sendable {
  /// A zone from an instant on.
  public struct Stay: Hashable, Sendable {
    /// When the phone came to the zone.
    public let start: Date
    /// The zone.
    public let zone: TimeZone

    /// Makes a stay.
    ///
    /// - Parameters:
    ///   - start: When the phone came to the zone.
    ///   - zone: The zone.
    public init(start: Date, zone: TimeZone) {
      self.start = start
      self.zone = zone
    }
  }

  /// The stays by time, each in another zone than the one before; the first begins with time itself.
  public private(set) var stays: [Stay]

  /// One zone at all times.
  ///
  /// - Parameter zone: The zone.
  public init(_ zone: TimeZone) { stays = [Stay(start: .distantPast, zone: zone)] }

  /// A zone, and the stays that followed.
  ///
  /// - Parameters:
  ///   - first: The zone before the first stay.
  ///   - stays: The stays, in any order.
  public init(_ first: TimeZone, _ stays: [Stay]) {
    self.init(first)
    for stay in stays.sorted(by: { $0.start < $1.start }) { arrive(in: stay.zone, at: stay.start) }
  }

  /// Notes that the phone is in a zone from an instant on, to a second; what was noted for later is
  /// dropped.
  ///
  /// - Parameters:
  ///   - zone: The zone.
  ///   - date: The instant.
  public mutating func arrive(in zone: TimeZone, at date: Date) {
    let first = stays[0].zone
    let date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    stays.removeAll { $0.start >= date }
    if stays.isEmpty { stays = [Stay(start: .distantPast, zone: first)] }
    if stays.last?.zone != zone { stays.append(Stay(start: date, zone: zone)) }
  }

  /// The zone at an instant.
  ///
  /// - Parameter date: The instant.
  /// - Returns: The zone.
  public func zone(at date: Date) -> TimeZone {
    stays.last { $0.start <= date }?.zone ?? stays[0].zone
  }

  /// Local time minus UTC at an instant, in seconds.
  ///
  /// - Parameter date: The instant.
  /// - Returns: The offset.
  public func utcOffsetSeconds(at date: Date) -> Int {
    zone(at: date).secondsFromGMT(for: date)
  }

  /// The calendar day that an instant belongs to.
  ///
  /// A day that has begun is not gone back from: one who flies over the date line to a place where it
  /// is still yesterday goes on with today.
  ///
  /// - Parameter date: The instant.
  /// - Returns: The day.
  public func day(of date: Date) -> CalendarDay {
    var day = CalendarDay(date, in: zone(at: date))
    // Of an earlier stay only its last instant can have been later in the calendar.
    for (stay, next) in zip(stays, stays.dropFirst()) where next.start <= date {
      day = max(day, CalendarDay(next.start.addingTimeInterval(-0.001), in: stay.zone))
    }
    return day
  }

  /// From when to when a calendar day lasted: the instants whose ``day(of:)`` it is.
  ///
  /// Days follow one another without a gap. One in which the clocks are changed has 23 or 25 hours,
  /// one of travel up to two days.
  ///
  /// - Parameter day: The day.
  /// - Returns: The time; nil for a day that was skipped over the date line.
  public func interval(of day: CalendarDay) -> DateInterval? {
    let (start, end) = (start(of: day), start(of: day.advanced(by: 1)))
    return end > start ? DateInterval(start: start, end: end) : nil
  }

  /// The days of the instants from one to another.
  ///
  /// - Parameters:
  ///   - start: The first instant.
  ///   - end: The last instant.
  /// - Returns: The days in their order, at least one.
  public func days(from start: Date, through end: Date) -> [CalendarDay] {
    let last = day(of: end)
    var days = [day(of: start)]
    while let day = days.last, day < last { days.append(day.advanced(by: 1)) }
    return days
  }

  /// The first instant at which a day or a later one has begun.
  private func start(of day: CalendarDay) -> Date {
    for (index, stay) in stays.enumerated() {
      let start = max(stay.start, day.start(in: stay.zone))
      guard index + 1 < stays.count, start >= stays[index + 1].start else { return start }
    }
    return .distantFuture
  }
}
