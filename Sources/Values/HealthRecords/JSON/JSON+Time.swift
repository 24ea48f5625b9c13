// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
import SantorioJSON
package import CivilCalendar

extension JSONReader {
  /// An instant in ISO 8601, in UTC or with an offset, with or without a fraction of a second.
  ///
  /// Read here since Foundation's parser takes 31 April for 1 May. A leap second, the second 60 at
  /// the end of a day of UTC, is taken for the second before.
  package func instant() throws(RecordError) -> Date {
    let text = try string()
    guard var time = Self.dateAndTime(text) else { throw invalid(Self.isNoInstant) }
    let isLeapSecond = time.second == 60
    if isLeapSecond { time.second = 59 }
    guard let seconds = time.secondsSince1970,
      let (fraction, offset) = Self.fractionAndOffset(text.dropFirst(19)),
      !isLeapSecond || (seconds - offset + 1) % 86_400 == 0
    else { throw invalid(Self.isNoInstant) }
    return Date(timeIntervalSince1970: Double(seconds - offset) + fraction)
  }

  private static let isNoInstant = "must be an ISO 8601 time such as 2018-04-17T15:51:00Z"

  /// The date and the time at the beginning of a text, also with a small `t`.
  private static func dateAndTime(_ text: String) -> LocalDateTime? {
    let text = String(text.prefix(19))
    return LocalDateTime(text) ?? LocalDateTime(text.uppercased())
  }

  /// Reads what follows the seconds: `Z`, `.250Z`, `+02:00`.
  private static func fractionAndOffset(_ text: Substring) -> (Double, Int)? {
    let zone = text.drop { $0 == "." || $0.isNumber }
    let digits = text[..<zone.startIndex]
    guard digits.isEmpty || digits.utf8.count > 1, let fraction = Double("0" + digits) else {
      return nil
    }
    if zone == "Z" || zone == "z" { return (fraction, 0) }
    let midnight = LocalDateTime("1970-01-01T\(zone.dropFirst()):00")
    guard let seconds = midnight?.secondsSince1970, let sign = zone.first,
      sign == "+" || sign == "-"
    else { return nil }
    return (fraction, sign == "+" ? seconds : -seconds)
  }

  /// A local time with or without the offset of its zone in whole minutes.
  func zonedTime() throws(RecordError) -> (time: LocalDateTime, offsetMinutes: Int?) {
    let text = try string()
    guard let time = Self.dateAndTime(text) else {
      throw invalid("must be an ISO 8601 time such as 2018-04-17T15:51:00+02:00")
    }
    let zone = text.dropFirst(19)
    if zone.isEmpty { return (time, nil) }
    guard let (_, offset) = Self.fractionAndOffset(zone) else {
      throw invalid("must end with the offset from UTC, such as +02:00")
    }
    return (time, offset / 60)
  }

  /// A local time without zone.
  package func localTime() throws(RecordError) -> LocalDateTime {
    guard let time = LocalDateTime(try string()) else {
      throw invalid("must be a local time such as 2018-04-17T15:51:00")
    }
    return time
  }
}

extension Date {
  /// The instant in ISO 8601 and UTC, with milliseconds where they are not zero.
  ///
  /// Rounded to the nearest millisecond, so that a text that is read is written again as it was;
  /// Foundation's formatter rounds down and makes .006 of .007. An instant before the year 1 or
  /// after 9999 becomes the nearest that has a text.
  package var informText: String {
    var bytes = ByteBuffer(capacity: 24)
    writeInform(to: &bytes)
    return bytes.text
  }

  /// Writes the bytes of ``informText``.
  func writeInform(to bytes: inout ByteBuffer) {
    let bounded = min(max(timeIntervalSince1970, -62_135_596_800), 253_402_300_799)
    let milliseconds = Int((bounded.isNaN ? 0 : bounded * 1000).rounded())
    let fraction = (milliseconds % 1000 + 1000) % 1000
    LocalDateTime(secondsSince1970: (milliseconds - fraction) / 1000).write(to: &bytes)
    if fraction > 0 {
      bytes.append(UInt8(ascii: "."))
      bytes.append(fraction, width: 3)
    }
    bytes.append(UInt8(ascii: "Z"))
  }
}

extension JSONWriter {
  /// Writes an instant in UTC, with milliseconds where they are not zero.
  package mutating func instant(_ date: Date) {
    plain { bytes in date.writeInform(to: &bytes) }
  }

  /// Writes a member whose value is an instant in UTC, if there is one.
  package mutating func optional(_ name: StaticString, _ value: Date?) {
    guard let value else { return }
    key(name)
    instant(value)
  }
}

/// The text of an offset from UTC.
package enum UTCOffset {
  /// The offset as `+02:00`.
  package static func text(minutes: Int) -> String {
    func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let absolute = abs(minutes)
    return "\(minutes < 0 ? "-" : "+")\(pad(absolute / 60)):\(pad(absolute % 60))"
  }

  /// The minutes of an offset such as `+02:00` or `-0330`.
  ///
  /// - Parameter text: The offset.
  /// - Returns: The minutes; nil for another text.
  package static func minutes(of text: String) -> Int? {
    let digits = text.dropFirst().filter { $0 != ":" }
    guard let sign = text.first, "+-".contains(sign), digits.count == 4,
      digits.allSatisfy({ ("0"..."9").contains($0) }),
      let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2)),
      hours < 24, minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (sign == "-" ? -1 : 1)
  }
}
