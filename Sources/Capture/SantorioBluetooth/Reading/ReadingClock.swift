// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import HealthRecords

/// Decides when a measurement was made, from the device's word and the receiver's clock.
struct ReadingClock: Sendable {
  /// The receiver's time zone, which the device's local time is taken to be in.
  let zone: TimeZone
  /// The device's clock minus the receiver's in seconds, where it was read.
  let driftSeconds: Double?

  /// A drift up to this is left alone, so that reading twice makes the same time twice.
  static let toleratedDriftSeconds = 600.0
  /// How far ahead of the receiver a device's time may be before it is disbelieved.
  static let toleratedLeadSeconds = 86_400.0

  /// The time of a measurement.
  ///
  /// - Parameters:
  ///   - deviceTime: What the device's clock showed; nil when it said nothing of use.
  ///   - received: When the measurement was received.
  /// - Returns: The record's time.
  func time(_ deviceTime: LocalDateTime?, received: Date) -> RecordTime {
    let (start, origin) = start(deviceTime, received: received)
    return RecordTime(
      start: start, utcOffsetSeconds: zone.secondsFromGMT(for: start), offsetOrigin: .source,
      origin: origin, deviceTime: deviceTime, received: received, clockDriftSeconds: driftSeconds)
  }

  private func start(
    _ deviceTime: LocalDateTime?, received: Date
  ) -> (Date, RecordTime.Origin) {
    guard let shown = deviceTime?.date(in: zone) else { return (received, .received) }
    let isDrifting = abs(driftSeconds ?? 0) > Self.toleratedDriftSeconds
    let start = isDrifting ? shown.addingTimeInterval(-(driftSeconds ?? 0)) : shown
    guard start.timeIntervalSince(received) <= Self.toleratedLeadSeconds else {
      return (received, .received)
    }
    return (start, isDrifting ? .deviceCorrected : .device)
  }
}
