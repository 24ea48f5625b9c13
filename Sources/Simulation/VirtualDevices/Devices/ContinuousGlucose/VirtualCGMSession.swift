// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import HealthDevices
import HealthGATT

/// The session of a virtual sensor: the minutes that it counts, and when it began, as far as the
/// sensor was told.
struct VirtualCGMSession: Sendable {
  private let clock: VirtualClock
  private let minutesWorn: Int
  private let knowsTime: Bool
  /// Seconds of the sensor's own count; nil until it is switched on.
  private var began: Int?
  private var minutesAtEnd: UInt16?
  /// Seconds of local time, and the zone; nil until it is given the time.
  private var start: (seconds: Int, zone: LocalTimeInformation)?

  init(_ clock: VirtualClock, minutesWorn: Int, knowsTime: Bool) {
    self.clock = clock
    self.minutesWorn = minutesWorn
    self.knowsTime = knowsTime
  }

  var isStopped: Bool { minutesAtEnd != nil }

  /// What CGM Status says of the session.
  var status: CGMSensorStatus {
    var status: CGMSensorStatus = []
    if isStopped { status.insert(.sessionStopped) }
    if start == nil { status.insert(.timeSynchronizationRequired) }
    return status
  }

  /// The sensor is switched on: it was put on some time ago.
  mutating func begin(at time: DriverTime) {
    guard began == nil else { return }
    let seconds = clock.secondsSince1970(at: time) - minutesWorn * 60
    began = seconds
    guard knowsTime else { return }
    let zone = LocalTimeInformation(
      timeZone: Int8(clamping: time.utcOffsetSeconds / 900), daylightSavingTimeOffset: 0)
    start = (seconds, zone)
  }

  func minutes(at time: DriverTime) -> UInt16 {
    minutesAtEnd
      ?? UInt16(clamping: (clock.secondsSince1970(at: time) - (began ?? 0)) / 60)
  }

  /// The value of CGM Session Start Time; zeros until the sensor is given the time.
  func startTime(hasCRC: Bool) -> [UInt8] {
    let local = start.flatMap { DateTime(secondsSince1970: $0.seconds) }
    let unset = try? DateTime(year: nil, month: nil, day: nil, hours: 0, minutes: 0, seconds: 0)
    let zone =
      start?.zone ?? LocalTimeInformation(timeZone: 0, daylightSavingTimeOffset: 0)
    return (local ?? unset).map {
      CGMSessionStartTime(dateTime: $0, zone: zone, hasCRC: hasCRC).payload
    } ?? []
  }

  /// Takes the present time; false for one that is none.
  mutating func take(_ present: CGMSessionStartTime, offset: UInt16) -> Bool {
    guard let seconds = present.dateTime.secondsSince1970 else { return false }
    start = (seconds - Int(offset) * 60, present.zone)
    return true
  }

  /// Ends the session; false for one that has ended.
  mutating func stop(at time: DriverTime) -> Bool {
    guard !isStopped else { return false }
    minutesAtEnd = minutes(at: time)
    return true
  }

  /// Begins another session; false while one is running.
  mutating func startAnew(at time: DriverTime) -> Bool {
    guard isStopped else { return false }
    minutesAtEnd = nil
    began = clock.secondsSince1970(at: time)
    start = nil
    return true
  }
}
