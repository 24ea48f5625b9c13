// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The last weeks of the ward, in its local time.
struct WardCalendar: Sendable {
  private static let secondsPerDay = 86_400.0
  /// The last measurement before the demonstration ended at least so long ago.
  private static let rest = 120.0

  /// When the demonstration begins.
  let now: Date
  private let utcOffset: Double

  init(now: Date) {
    self.now = now
    utcOffset = Double(TimeZone.autoupdatingCurrent.secondsFromGMT(for: now))
  }

  /// How many days before today's noon a date is; 0 for later ones.
  ///
  /// It is the same at each time of the day, and so is what the patients had in the last weeks.
  func daysAgo(_ date: Date) -> Double {
    let noon = midnight(daysAgo: 0).addingTimeInterval(Self.secondsPerDay / 2)
    return max(0, noon.timeIntervalSince(date) / Self.secondsPerDay)
  }

  /// The local time of day in hours, 0..<24.
  func hour(of date: Date) -> Double {
    let seconds = (date.timeIntervalSince1970 + utcOffset)
      .truncatingRemainder(dividingBy: Self.secondsPerDay)
    return seconds / 3600
  }

  /// Local midnight, some days before the day on which the demonstration begins.
  func midnight(daysAgo days: Int) -> Date {
    let local = now.timeIntervalSince1970 + utcOffset
    let today = (local / Self.secondsPerDay).rounded(.down)
    return Date(
      timeIntervalSince1970: (today - Double(days)) * Self.secondsPerDay - utcOffset)
  }

  /// The times that have passed of what is done at the same hours, oldest first.
  ///
  /// - Parameters:
  ///   - name: Whose times they are: nobody is punctual to the minute.
  ///   - days: The days before today.
  ///   - interval: The days from one to the next.
  ///   - hours: The local hours of a day.
  /// - Returns: The times, with their seconds.
  func times(
    _ name: String, days: ClosedRange<Int>, every interval: Int = 1, at hours: [Double]
  ) -> [Date] {
    days.reversed().filter { ($0 - days.lowerBound) % interval == 0 }
      .flatMap { day in
        hours.map { hour in
          let planned = midnight(daysAgo: day).addingTimeInterval(hour * 3600)
          var noise = WardNoise(name, at: planned)
          return planned.addingTimeInterval(noise.deviation(12 * 60).rounded())
        }
      }
      .filter { now.timeIntervalSince($0) >= Self.rest }
  }

  /// Times at a fixed interval up to the beginning, oldest first.
  func times(lastHours hours: Double, everyMinutes minutes: Double) -> [Date] {
    stride(from: hours * 60, through: minutes, by: -minutes)
      .map { now.addingTimeInterval(-60 * $0) }
  }
}
