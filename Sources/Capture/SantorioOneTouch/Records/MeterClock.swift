// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import HealthRecords

/// Decides when a meter measured.
///
/// The kit sets the meter's clock itself and does not say how far it was off, so times are taken as
/// shown. One that cannot be true is no time of measurement; the limits are those for all devices,
/// see decision 54.
struct MeterClock {
  /// In which the meter's time is.
  let zone: TimeZone
  /// When the result was received.
  let received: Date

  private static let toleratedLead = 600.0
  private static let toleratedAge = 30 * 365 * 86_400.0
  /// A measurement of a New Year's Day that is read within this time is believed.
  private static let defaultAge = 30 * 86_400.0

  /// The time of a result.
  ///
  /// - Parameter shown: What the kit says.
  /// - Returns: The record's time.
  func time(_ shown: OneTouchMeterTime) -> RecordTime {
    let (local, instant) = parts(of: shown)
    let start = local.flatMap { local in instant.flatMap { isBelieved(local, $0) ? $0 : nil } }
    return RecordTime(
      start: start ?? received, utcOffsetSeconds: zone.secondsFromGMT(for: start ?? received),
      offsetOrigin: .source, origin: start == nil ? .received : .device,
      deviceTime: local.flatMap { $0.isPossible ? $0 : nil }, received: received)
  }

  /// By what time a result is recognised when it is read again, in whatever zone the phone is then.
  ///
  /// - Parameter shown: What the kit says.
  /// - Returns: The time; nil where there is none.
  func identityTime(_ shown: OneTouchMeterTime) -> LocalDateTime? {
    switch shown {
    case .local(let time): time
    case .instant(let date):
      date.timeIntervalSince1970.isFinite ? LocalDateTime(date, utcOffsetSeconds: 0) : nil
    }
  }

  private func parts(of shown: OneTouchMeterTime) -> (LocalDateTime?, Date?) {
    switch shown {
    case .local(let time): return (time, time.date(in: zone))
    case .instant(let date):
      guard date.timeIntervalSince1970.isFinite else { return (nil, nil) }
      // A date that far away has no local time.
      let isNear = abs(date.timeIntervalSince(received)) < 4e10
      let offset = isNear ? zone.secondsFromGMT(for: date) : 0
      return (LocalDateTime(date, utcOffsetSeconds: offset), date)
    }
  }

  private func isBelieved(_ local: LocalDateTime, _ instant: Date) -> Bool {
    let age = received.timeIntervalSince(instant)
    guard age >= -Self.toleratedLead, age <= Self.toleratedAge, local.year >= 2010 else {
      return false
    }
    // Clocks begin with some New Year after a change of the battery.
    return !(local.month == 1 && local.day == 1 && age > Self.defaultAge)
  }
}
