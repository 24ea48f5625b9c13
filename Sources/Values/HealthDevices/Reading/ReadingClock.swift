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
  /// What is known of it from earlier connections.
  package var earlier: EarlierClock?
  /// How far it is believed.
  package let policy: ClockPolicy

  package init(
    zone: TimeZone, driftSeconds: Double?, isUnset: Bool = false, earlier: EarlierClock? = nil,
    policy: ClockPolicy = .init()
  ) {
    self.zone = zone
    self.driftSeconds = driftSeconds.flatMap { $0.isFinite ? $0 : nil }
    self.isUnset = isUnset
    self.earlier = earlier
    self.policy = policy
  }

  /// The time of a measurement.
  ///
  /// - Parameters:
  ///   - deviceTime: What the device's clock showed; nil when it said nothing of use.
  ///   - received: When the measurement was received.
  /// - Returns: The record's time.
  package func time(_ deviceTime: LocalDateTime?, received: Date) -> RecordTime {
    time(
      deviceTime.flatMap {
        Shown($0, instant: $0.date(in: zone), zone.secondsFromGMT(for: received))
      },
      deviceTime, received: received)
  }

  /// The time of a measurement of a device that keeps UTC.
  package func time(universal: Date, received: Date) -> RecordTime {
    guard universal.timeIntervalSince1970.isFinite else { return time(nil, received: received) }
    let deviceTime = LocalDateTime(universal, utcOffsetSeconds: 0)
    return time(Shown(deviceTime, instant: universal, 0), deviceTime, received: received)
  }

  /// The time of a measurement of which the device says how long ago it was.
  ///
  /// Of an age that cannot be true, the device's time is the one that it stands for.
  package func time(age: Double, received: Date) -> RecordTime {
    guard age.isFinite else { return time(nil, received: received) }
    guard isPossible(received.addingTimeInterval(-age), received: received) else {
      return disbelieved(age: age, received: received)
    }
    let start = received.addingTimeInterval(-max(0, age))
    return RecordTime(
      start: start, utcOffsetSeconds: zone.secondsFromGMT(for: start), offsetOrigin: .source,
      origin: .device, received: received)
  }

  private func disbelieved(age: Double, received: Date) -> RecordTime {
    let offset = zone.secondsFromGMT(for: received)
    // A record has no earlier and no later time.
    let instant = min(
      max(received.timeIntervalSince1970 - age, Self.writable.lowerBound), Self.writable.upperBound)
    return RecordTime(
      start: received, utcOffsetSeconds: offset, offsetOrigin: .source, origin: .received,
      deviceTime: LocalDateTime(
        Date(timeIntervalSince1970: instant), utcOffsetSeconds: offset),
      received: received, clockDriftSeconds: driftSeconds)
  }

  /// The years 1600 to 9998.
  private static let writable = -11_676_096_000.0...253_370_764_799

  /// A time that a device's clock showed.
  private struct Shown {
    let time: LocalDateTime
    /// The instant that it stands for, if the clock was right.
    let instant: Date
    /// The same as seconds of the clock's own time since the beginning of 1970.
    let seconds: Double
    /// The clock's own time minus UTC when it was received, in seconds.
    let offsetNow: Double

    init?(_ time: LocalDateTime, instant: Date?, _ offsetNow: Int) {
      guard let instant, let seconds = time.secondsSince1970 else { return nil }
      self.time = time
      self.instant = instant
      self.seconds = Double(seconds)
      self.offsetNow = Double(offsetNow)
    }
  }

  private func time(
    _ shown: Shown?, _ deviceTime: LocalDateTime?, received: Date
  ) -> RecordTime {
    let (start, origin) = shown.map { self.start($0, received: received) } ?? (received, .received)
    return RecordTime(
      start: start, utcOffsetSeconds: zone.secondsFromGMT(for: start), offsetOrigin: .source,
      origin: origin, deviceTime: deviceTime, received: received, clockDriftSeconds: driftSeconds)
  }

  private func start(_ shown: Shown, received: Date) -> (Date, RecordTime.Origin) {
    if policy.correctsDrift, let corrected = corrected(shown, received: received) {
      return isPossible(corrected, received: received)
        ? (corrected, .deviceCorrected) : (received, .received)
    }
    // Without knowing how far it is off, the time of a clock that was never set means nothing.
    guard !isUnset, !isDefault(shown, received: received),
      isPossible(shown.instant, received: received)
    else { return (received, .received) }
    return (shown.instant, .device)
  }

  private func isPossible(_ start: Date, received: Date) -> Bool {
    let lead = start.timeIntervalSince(received)
    return lead <= policy.toleratedLead.inSeconds && lead >= -policy.toleratedAge.inSeconds
  }

  // MARK: - Drift

  /// When it was by the time that has passed on the device's clock since then; nil where the clock
  /// cannot be shown to have been off as it is now.
  private func corrected(_ shown: Shown, received: Date) -> Date? {
    guard let drift = driftSeconds, abs(drift) > policy.toleratedDrift.inSeconds else { return nil }
    let shownNow = received.timeIntervalSince1970 + shown.offsetNow + drift
    let age = shownNow - shown.seconds
    let lead = policy.toleratedLead.inSeconds
    guard age >= -lead else { return nil }
    let corrected = Date(timeIntervalSince1970: shown.seconds - shown.offsetNow - drift)
    let isKnown =
      age <= Self.recentSeconds || heldDriftSince.map { corrected >= $0 } ?? false
      || shown.instant.timeIntervalSince(received) > lead
      || hasBegunAnew(before: shown, now: shownNow)
    return isKnown ? corrected : nil
  }

  /// Since when the clock has been off as it is now, by what was seen at an earlier connection.
  private var heldDriftSince: Date? {
    guard let earlier, let driftSeconds,
      abs(earlier.driftSeconds - driftSeconds) <= policy.toleratedDrift.inSeconds
    else { return nil }
    return earlier.since
  }

  /// Whether the clock has counted from a New Year, past a time, to what it shows now: a clock that
  /// is so far behind was not set since its battery was changed.
  private func hasBegunAnew(before shown: Shown, now: Double) -> Bool {
    guard isUnset || (driftSeconds ?? 0) < -Self.defaultAgeSeconds, abs(now) < 1e11,
      shown.seconds <= now
    else { return false }
    return LocalDateTime(secondsSince1970: Int(now)).year == shown.time.year
  }

  // MARK: - Default dates

  /// Whether a time is one that devices show whose battery was changed: they begin with some New
  /// Year.
  ///
  /// Believed is a New Year's Day on which the clock was watched, and one that is not long ago.
  private func isDefault(_ shown: Shown, received: Date) -> Bool {
    guard shown.time.year >= 2010 else { return true }
    return shown.time.month == 1 && shown.time.day == 1
      && received.timeIntervalSince(shown.instant) > Self.defaultAgeSeconds
      && !(heldDriftSince.map { shown.instant >= $0 } ?? false)
  }

  /// A measurement of a New Year's Day that is read within this time is believed.
  private static let defaultAgeSeconds = 30 * 86_400.0
  /// A measurement that is received within this time was made by the clock as it is now: clocks are
  /// hardly ever set in between.
  private static let recentSeconds = 3600.0
}

/// What is known of a device's clock from earlier connections.
package struct EarlierClock: Hashable, Sendable {
  /// The device's clock minus the receiver's in seconds, as it was left.
  package let driftSeconds: Double
  /// Since when it has been off by that, by the receiver's clock.
  package let since: Date

  package init(driftSeconds: Double, since: Date) {
    self.driftSeconds = driftSeconds
    self.since = since
  }
}
