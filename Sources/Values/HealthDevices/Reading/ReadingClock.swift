// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
import HealthGATT
package import HealthRecords
package import CivilCalendar

/// Decides when a measurement was made, from the device's time and the receiver's clock.
package struct ReadingClock: Sendable {
  /// The receiver's time zone, which the device's local time is taken to be in.
  package let zone: TimeZone
  /// The device's clock minus the receiver's in seconds, where it was read.
  package let driftSeconds: Double?
  /// Whether the device says that its clock was never set.
  package var isUnset = false
  /// How far it is believed.
  package let policy: ClockPolicy

  package init(
    zone: TimeZone, driftSeconds: Double?, isUnset: Bool = false, policy: ClockPolicy = .init()
  ) {
    self.zone = zone
    self.driftSeconds = driftSeconds.flatMap { $0.isFinite ? $0 : nil }
    self.isUnset = isUnset
    self.policy = policy
  }

  /// The time of a measurement.
  ///
  /// - Parameters:
  ///   - deviceTime: What the device's clock showed; nil when it said nothing of use.
  ///   - received: When the measurement was received.
  /// - Returns: The record's time.
  package func time(_ deviceTime: LocalDateTime?, received: Date) -> RecordTime {
    time(deviceTime?.date(in: zone), as: deviceTime, received: received)
  }

  /// The time of a measurement of a device that keeps UTC.
  package func time(universal: Date, received: Date) -> RecordTime {
    guard universal.timeIntervalSince1970.isFinite else { return time(nil, received: received) }
    return time(universal, as: LocalDateTime(universal, utcOffsetSeconds: 0), received: received)
  }

  /// The time of a measurement of which the device says how long ago it was.
  package func time(age: Double, received: Date) -> RecordTime {
    guard age.isFinite, age <= policy.toleratedAge.inSeconds else {
      return time(nil, received: received)
    }
    let start = received.addingTimeInterval(-max(0, age))
    return RecordTime(
      start: start, utcOffsetSeconds: zone.secondsFromGMT(for: start), offsetOrigin: .source,
      origin: .device, received: received)
  }

  // `shown` is the instant that the device's clock showed, and `deviceTime` the same in its own
  // words.
  private func time(
    _ shown: Date?, as deviceTime: LocalDateTime?, received: Date
  ) -> RecordTime {
    let (start, origin) = start(shown, deviceTime, received: received)
    return RecordTime(
      start: start, utcOffsetSeconds: zone.secondsFromGMT(for: start), offsetOrigin: .source,
      origin: origin, deviceTime: deviceTime, received: received, clockDriftSeconds: driftSeconds)
  }

  private func start(
    _ shown: Date?, _ deviceTime: LocalDateTime?, received: Date
  ) -> (Date, RecordTime.Origin) {
    guard let shown, let deviceTime else { return (received, .received) }
    let isDrifting = abs(driftSeconds ?? 0) > policy.toleratedDrift.inSeconds
    let isCorrected = isDrifting && policy.correctsDrift
    // Without knowing how far it is off, the time of a clock that was never set means nothing.
    let isBelieved = !isUnset && !isDefault(deviceTime, before: received.timeIntervalSince(shown))
    guard isCorrected || isBelieved else { return (received, .received) }
    let start = isCorrected ? shown.addingTimeInterval(-(driftSeconds ?? 0)) : shown
    let lead = start.timeIntervalSince(received)
    guard lead <= policy.toleratedLead.inSeconds, lead >= -policy.toleratedAge.inSeconds else {
      return (received, .received)
    }
    return (start, isCorrected ? .deviceCorrected : .device)
  }

  /// Whether a time, some seconds before it was received, is one that devices show whose battery
  /// was changed: they begin with some New Year.
  private func isDefault(_ time: LocalDateTime, before age: TimeInterval) -> Bool {
    guard time.year >= 2010 else { return true }
    return [2010, 2014, 2016, 2022].contains(time.year) && time.month == 1 && time.day == 1
      && age > Self.defaultAgeSeconds
  }

  /// A measurement of a New Year's Day that is read within this time is believed.
  private static let defaultAgeSeconds = 30 * 86_400.0
}
