// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// The time of a TaiDoc device's clock, or of a record, to the minute: four bytes of data.
///
/// ```
/// // 0427                          25    0D
/// // YYYYYYYM MMMDDDDD since 2000  MIN   HOUR
/// ```
///
/// The upper bits of minute and hour are flags by some models (an average, an irregular heartbeat)
/// and are kept as sent. Source: glucometers-tech/glucometer-protocols, TaiDoc TD-42xx;
/// advmeds-service/advmeds-bluetooth-lib (flags).
package struct TaiDocDateTime: CharacteristicValue {
  private let date: UInt16
  private let minute: UInt8
  private let hour: UInt8

  /// Creates the bytes of a time; its seconds are dropped.
  ///
  /// - Throws: `outOfRange` for an impossible date, and outside the years 2000...2127.
  package init(_ time: LocalDateTime) throws(PayloadError) {
    guard time.isPossible, (2000...2127).contains(time.year) else {
      throw PayloadError(
        .outOfRange, field: "Date", message: "A day of the years 2000...2127 is needed.")
    }
    let stamp = Timestamp(time)
    date = (stamp.year - 2000) << 9 | UInt16(stamp.month) << 5 | UInt16(stamp.day)
    minute = stamp.minutes
    hour = stamp.hours
  }

  /// Reads date, minute and hour.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    date = try reader.uint16(field: "Date")
    minute = try reader.uint8(field: "Minute")
    hour = try reader.uint8(field: "Hour")
  }

  /// Writes the four bytes.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint16(date)
    writer.uint8(minute)
    writer.uint8(hour)
  }

  /// The time; nil when there is no such month, hour or minute.
  ///
  /// A month or a day of 0 is unknown.
  package var dateTime: DateTime? {
    try? DateTime(
      year: 2000 + Int(date >> 9), month: Int(date >> 5 & 0x0F), day: Int(date & 0x1F),
      hours: Int(hour & 0x1F), minutes: Int(minute & 0x3F), seconds: 0)
  }

  /// The two upper bits of the minute, which some models use as flags.
  package var minuteFlags: UInt8 { minute >> 6 }
  /// The three upper bits of the hour, which some models use as flags.
  package var hourFlags: UInt8 { hour >> 5 }

  func frame(_ command: TaiDocCommand, _ direction: TaiDocFrame.Direction) -> TaiDocFrame {
    TaiDocFrame(
      command, direction, UInt8(truncatingIfNeeded: date), UInt8(truncatingIfNeeded: date >> 8),
      minute, hour)
  }
}
