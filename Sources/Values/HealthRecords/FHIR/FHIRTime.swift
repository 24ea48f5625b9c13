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
  /// One that is not possible is told as the bound of what is.
  func text(_ date: Date) -> String {
    let seconds = min(
      max(Self.possible.lowerBound, date.timeIntervalSince1970), Self.possible.upperBound)
    let milliseconds = Int((seconds * 1000).rounded())
    let fraction = milliseconds - milliseconds.flooredToThousands
    let second = Date(timeIntervalSince1970: Double(milliseconds.flooredToThousands / 1000))
    let digits = fraction == 0 ? "" : ".\(String(fraction + 1000).dropFirst())"
    return "\(LocalDateTime(second, utcOffsetSeconds: offset ?? 0))\(digits)\(zone)"
  }

  private var zone: String {
    guard let offset else { return "Z" }
    let minutes = abs(offset) / 60
    let digits = [minutes / 60, minutes % 60].map { String($0 + 100).dropFirst() }
    return (offset < 0 ? "-" : "+") + digits.joined(separator: ":")
  }

  /// Whether the instant lies in the years 1600 to 9999 in any offset: before them calendars
  /// disagree, after them FHIR has no date.
  static func isPossible(_ date: Date) -> Bool { possible.contains(date.timeIntervalSince1970) }

  private static let possible = -11_676_000_000.0...253_402_200_000
}

extension Int {
  fileprivate var flooredToThousands: Int {
    let rest = self % 1000
    return self - (rest < 0 ? rest + 1000 : rest)
  }
}
