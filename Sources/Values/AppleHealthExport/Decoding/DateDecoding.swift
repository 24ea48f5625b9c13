// SPDX-License-Identifier: Apache-2.0

extension ByteView {
  /// The bytes as a date, `2019-05-14 20:37:51 -0400`.
  ///
  /// A fraction of a second is dropped; the offset may also be `-04:00`, `-04` or `Z`.
  ///
  /// - Returns: nil when this is no date, or one that no calendar has.
  var instant: ExportedInstant? {
    guard count >= 20, let day = date(at: 0),
      self[10] == UInt8(ascii: " ") || self[10] == UInt8(ascii: "T"),
      self[13] == UInt8(ascii: ":"), self[16] == UInt8(ascii: ":")
    else { return nil }
    let (hour, minute, second) = (twoDigits(at: 11), twoDigits(at: 14), twoDigits(at: 17))
    guard hour < 24, minute < 60, second < 60, let offset = utcOffset(from: 19) else { return nil }
    let local = ((day.daysSince2001 * 24 + hour) * 60 + minute) * 60 + second
    return ExportedInstant(seconds: local - offset, utcOffsetSeconds: offset)
  }

  /// The bytes as a day, `2016-11-15`.
  var day: ExportedDay? { count == 10 ? date(at: 0) : nil }

  /// A clock time in seconds since midnight: `7:47:41.86 PM`, `19:47:41.86` or `19:47:41,86`.
  var timeOfDay: Double? {
    var index = 0
    guard let hour = digits(at: &index), skip(":", at: &index), let minute = digits(at: &index),
      skip(":", at: &index), let second = digits(at: &index), minute < 60, second < 60
    else { return nil }
    var fraction = 0.0
    if skip(".", at: &index) || skip(",", at: &index) {
      let begin = index
      guard let number = digits(at: &index) else { return nil }
      for _ in begin..<index { fraction = fraction == 0 ? 0.1 : fraction / 10 }
      fraction *= Double(number)
    }
    guard let hour = hour24(hour, suffix: self[index..<count]) else { return nil }
    return Double((hour * 60 + minute) * 60 + second) + fraction
  }

  private func hour24(_ hour: Int, suffix: ByteView) -> Int? {
    guard suffix.count > 0 else { return hour < 24 ? hour : nil }
    // A narrow no-break space before it in later versions.
    let half = suffix.text.drop { !$0.isLetter }
    guard (1...12).contains(hour) else { return nil }
    return switch half {
    case "AM": hour % 12
    case "PM": hour % 12 + 12
    default: nil
    }
  }

  private func skip(_ character: Unicode.Scalar, at index: inout Int) -> Bool {
    guard index < count, self[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  /// A number of up to nine digits.
  private func digits(at index: inout Int) -> Int? {
    let begin = index
    var number = 0
    while index < count, index - begin < 9, (48...57).contains(self[index]) {
      number = number * 10 + Int(self[index] - 48)
      index += 1
    }
    return index > begin ? number : nil
  }

  private func date(at index: Int) -> ExportedDay? {
    guard self[index + 4] == UInt8(ascii: "-"), self[index + 7] == UInt8(ascii: "-") else {
      return nil
    }
    let year = twoDigits(at: index) * 100 + twoDigits(at: index + 2)
    let day = ExportedDay(
      year: year, month: twoDigits(at: index + 5), day: twoDigits(at: index + 8))
    return year <= 9999 && day.isPossible ? day : nil
  }

  private func utcOffset(from index: Int) -> Int? {
    var index = index
    if self[index] == UInt8(ascii: ".") || self[index] == UInt8(ascii: ",") {
      repeat { index += 1 } while index < count && (48...57).contains(self[index])
    }
    if index < count, self[index] == UInt8(ascii: " ") { index += 1 }
    guard index < count else { return nil }
    let rest = count - index
    let sign: Int
    switch self[index] {
    case UInt8(ascii: "Z"): return rest == 1 ? 0 : nil
    case UInt8(ascii: "+"): sign = 1
    case UInt8(ascii: "-"): sign = -1
    default: return nil
    }
    guard rest == 5 || rest == 3 || rest == 6 && self[index + 3] == UInt8(ascii: ":") else {
      return nil
    }
    let hours = twoDigits(at: index + 1)
    let minutes = rest == 3 ? 0 : twoDigits(at: count - 2)
    // No place on Earth is farther from UTC than 14 hours; clocks can be set to 18.
    guard hours <= 18, minutes < 60 else { return nil }
    return sign * (hours * 60 + minutes) * 60
  }

  /// A number of two digits; 100 or more when they are not digits.
  @inline(__always)
  private func twoDigits(at index: Int) -> Int {
    let (tens, ones) = (self[index] &- 48, self[index + 1] &- 48)
    return tens <= 9 && ones <= 9 ? Int(tens) * 10 + Int(ones) : 10_000
  }
}

extension ExportedDay {
  var isPossible: Bool {
    guard year >= 1, (1...12).contains(month), day >= 1 else { return false }
    if day <= 28 { return true }
    let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
    switch month {
    case 2: return day == 29 && isLeap
    case 4, 6, 9, 11: return day <= 30
    default: return day <= 31
    }
  }

  /// Days from the first day of 2001 to this one.
  package var daysSince2001: Int {
    // Years begin in March here, so that the leap day is the last of its year.
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 730_791
  }
}
