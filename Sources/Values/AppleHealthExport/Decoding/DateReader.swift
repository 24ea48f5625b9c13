// SPDX-License-Identifier: Apache-2.0

/// Reads dates, most of which have the day and the offset of the one before.
struct DateReader {
  // "2019-05-" and "9-05-14 " of the last date, and " -0400": what stands around the time of day.
  private var yearAndMonth: UInt64 = 0
  private var monthAndDay: UInt64 = 0
  private var zone: UInt64 = 0
  /// Seconds from 2001 to the beginning of the last date's day on a local clock.
  private var day = 0
  private var utcOffset = 0

  /// The date in an attribute's value; nil when it is none.
  @inline(__always)
  mutating func read(_ view: ByteView) -> ExportedInstant? {
    if view.count == 25, view.word(at: 0) == yearAndMonth, view.word(at: 3) == monthAndDay,
      view.word(at: 17) &>> 16 == zone, let time = Self.timeOfDay(view.word(at: 11))
    {
      return ExportedInstant(seconds: day &+ time &- utcOffset, utcOffsetSeconds: utcOffset)
    }
    return readAnew(view)
  }

  private mutating func readAnew(_ view: ByteView) -> ExportedInstant? {
    guard let instant = view.instant else { return nil }
    if view.count == 25, let time = Self.timeOfDay(view.word(at: 11)) {
      yearAndMonth = view.word(at: 0)
      monthAndDay = view.word(at: 3)
      zone = view.word(at: 17) &>> 16
      utcOffset = instant.utcOffsetSeconds
      day = instant.seconds + utcOffset - time
    }
    return instant
  }

  /// The seconds since midnight of a time such as `20:37:51`; nil when it is none.
  @inline(__always)
  private static func timeOfDay(_ text: UInt64) -> Int? {
    // Without the pattern "00:00:00" digits are 0...9, and the colons are 0.
    let digits = text ^ 0x3030_3A30_303A_3030
    // Six more than nine is the first number of two hexadecimal digits.
    let isWrong = (digits | (digits &+ 0x0606_0006_0600_0606)) & 0xF0F0_FFF0_F0FF_F0F0 != 0
    // Ten times each digit and the one after it.
    let pairs = digits &* 10 &+ digits &>> 8
    let hour = Int(truncatingIfNeeded: pairs & 0xFF)
    let minute = Int(truncatingIfNeeded: pairs &>> 24 & 0xFF)
    let second = Int(truncatingIfNeeded: pairs &>> 48 & 0xFF)
    guard !isWrong, hour < 24, minute < 60, second < 60 else { return nil }
    return (hour &* 60 &+ minute) &* 60 &+ second
  }
}
