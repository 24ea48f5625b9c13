// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import CivilCalendar

/// Writes instants as FHIR does, in the local time of the measurement.
struct FHIRTime {
  private let offset: Int?

  /// - Parameter utcOffsetSeconds: Local time minus UTC. An offset that FHIR cannot write (with
  ///   seconds, or beyond 14 hours) counts as unknown; then times are in UTC.
  init(utcOffsetSeconds: Int?) {
    offset = utcOffsetSeconds.flatMap { $0 % 60 == 0 && (-50_400...50_400).contains($0) ? $0 : nil }
  }

  /// The instant, rounded to milliseconds, which are left out when they are zero.
  ///
  /// An instant outside the possible range becomes its nearest bound.
  func text(_ date: Date) -> String {
    let seconds = min(
      max(Self.possible.lowerBound, date.timeIntervalSince1970), Self.possible.upperBound)
    let milliseconds = Int((seconds * 1000).rounded())
    let fraction = (milliseconds % 1000 + 1000) % 1000
    let local = LocalDateTime(
      secondsSince1970: (milliseconds - fraction) / 1000 + (offset ?? 0))
    let digits = fraction == 0 ? "" : ".\(String(fraction + 1000).dropFirst())"
    return "\(local)\(digits)\(offset.map { UTCOffset.text(minutes: $0 / 60) } ?? "Z")"
  }

  /// Whether the instant lies in the years 1600 to 9999 in any offset: before them calendars
  /// disagree, after them FHIR has no date.
  static func isPossible(_ date: Date) -> Bool { possible.contains(date.timeIntervalSince1970) }

  private static let possible = -11_676_000_000.0...253_402_200_000
}
