// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How long a server asks to wait (RFC 9110 §10.2.3): in seconds or until an HTTP-date.
enum RetryAfter {
  /// The maximum wait.
  static let longest = Duration.seconds(3600)

  /// The wait that an answer asks for, within 0...``longest``; nil when it asks for none.
  ///
  /// A date is measured from the answer's own `Date`, so the two clocks need not agree.
  static func wait(_ response: TransportResponse, now: Date) -> Duration? {
    guard let text = response.header("Retry-After") else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) {
      return Int(text).map { min(.seconds($0), longest) } ?? longest
    }
    guard let until = HTTPDate.secondsSince1970(text) else { return nil }
    let sent = response.header("Date").flatMap(HTTPDate.secondsSince1970)
    let seconds = until - (sent ?? Int(now.timeIntervalSince1970))
    return min(max(.seconds(seconds), .zero), longest)
  }
}

/// A time in HTTP format (RFC 9110 §5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Reads the preferred format, the only one that may be sent today.
  static func secondsSince1970(_ text: String) -> Int? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", let day = Int(words[1]), (1...31).contains(day),
      let month = months.firstIndex(where: { $0 == words[2] }), let year = Int(words[3]),
      (1970...9999).contains(year)
    else { return nil }
    let clock = words[4].split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    return daysSince1970(year, month + 1, day) * 86_400 + hour * 3600 + minute * 60 + second
  }

  /// Counts the days of the Gregorian calendar with years that begin in March.
  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }
}
