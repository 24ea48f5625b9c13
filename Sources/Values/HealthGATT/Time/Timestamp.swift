// SPDX-License-Identifier: Apache-2.0

public import CivilCalendar

/// The Time Stamp of a measurement: seven bytes that usually are a Date Time.
///
/// A device whose clock is damaged still measures. So a measurement with an impossible time (month
/// 13, hour 24, all 0xFF) is kept together with these bytes, and only `dateTime` is nil. Read
/// alone, as characteristic 2A08, the same bytes are refused.
public struct Timestamp: Hashable, Sendable {
  package static let byteCount = 7

  package let year: UInt16
  package let month: UInt8
  package let day: UInt8
  package let hours: UInt8
  package let minutes: UInt8
  package let seconds: UInt8

  package init(
    year: UInt16, month: UInt8, day: UInt8, hours: UInt8, minutes: UInt8, seconds: UInt8
  ) {
    self.year = year
    self.month = month
    self.day = day
    self.hours = hours
    self.minutes = minutes
    self.seconds = seconds
  }

  /// Creates the time stamp that a device with a sound clock sends.
  public init(_ dateTime: DateTime) {
    self = dateTime.timestamp
  }

  /// Creates the time stamp of a clock's time; a number that its field cannot hold becomes the
  /// nearest that it can.
  public init(_ local: LocalDateTime) {
    self.init(
      year: UInt16(clamping: local.year), month: UInt8(clamping: local.month),
      day: UInt8(clamping: local.day), hours: UInt8(clamping: local.hour),
      minutes: UInt8(clamping: local.minute), seconds: UInt8(clamping: local.second))
  }

  /// The seven bytes as sent.
  public var bytes: [UInt8] {
    var writer = PayloadWriter()
    writer.timestamp(self)
    return writer.bytes
  }

  /// The time on the device's clock; nil when a component is out of range.
  public var dateTime: DateTime? { try? DateTime(self, at: nil) }

  /// The time on the device's clock; nil when a component is out of range or unknown.
  public var localDateTime: LocalDateTime? { dateTime?.localDateTime }
}
