// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
package import HealthGATT

/// One session of a continuous glucose monitor: from when on the minutes of its records count.
///
/// A record is recognised by the start of its session and its Time Offset. A sensor whose time was
/// set again within a session says another start, some seconds off: the session is then known by
/// the start under which it was read first, which is kept as a checkpoint of its own.
package struct CGMSession: Hashable, Sendable {
  /// The time in which the start is counted.
  package enum Scale: String, Hashable, Sendable {
    case universal
    /// The sensor does not say its time zone.
    case local
  }

  /// Two sessions that begin no further apart than this are one: the warm-up of a sensor takes
  /// longer.
  package static let tolerance = 600

  /// Seconds since the beginning of 1970.
  package let start: Int
  package let scale: Scale

  package init(start: Int, scale: Scale) {
    self.start = start
    self.scale = scale
  }

  /// What a sensor says; nil for one that was not given the time.
  package init?(_ startTime: CGMSessionStartTime) {
    guard let local = startTime.dateTime.secondsSince1970 else { return nil }
    guard let minutes = startTime.utcOffsetMinutes else {
      self.init(start: local, scale: .local)
      return
    }
    self.init(start: local - minutes * 60, scale: .universal)
  }

  /// A session that has lasted some minutes, of a sensor that does not take the time.
  package init(minutesAgo minutes: UInt16, at time: DriverTime) {
    let now = Int(Self.bounded(time.secondsSince1970))
    self.init(start: now - Int(minutes) * 60, scale: .universal)
  }

  /// Where the start is kept.
  package var memory: String { "session, \(scale.rawValue)" }

  /// The same session by the start under which it was read before; nil for another session.
  package func continuing(_ checkpoint: SyncCheckpoint) -> CGMSession? {
    let shift = start.subtractingReportingOverflow(checkpoint.sequenceNumber)
    guard checkpoint.memory == memory, !shift.overflow,
      shift.partialValue.magnitude <= Self.tolerance
    else { return nil }
    return CGMSession(start: checkpoint.sequenceNumber, scale: scale)
  }

  /// The start, to be kept.
  package func checkpoint(key: CheckpointKey) -> SyncCheckpoint {
    SyncCheckpoint(memory: memory, sequenceNumber: start, payload: [UInt8](), key: key)
  }

  /// When a record was measured.
  package func clock(at timeOffset: UInt16) -> DeviceReading.Clock {
    let seconds = start + Int(timeOffset) * 60
    return switch scale {
    case .universal: .universal(Double(seconds))
    case .local: .local(LocalDateTime(secondsSince1970: seconds))
    }
  }

  /// By how many seconds the sensor's time is ahead when its offset is read; 0 within the minute for
  /// which the offset stands.
  package func drift(at timeOffset: UInt16, _ time: DriverTime) -> Double {
    let begin = Double(start + Int(timeOffset) * 60)
    let now = now(time)
    return (now < begin ? begin - now : min(begin + 60 - now, 0)).rounded()
  }

  /// The minutes that have passed since the start, by the receiver's clock.
  package func minutes(at time: DriverTime) -> UInt16 {
    UInt16(clamping: Int(Self.bounded((now(time) - Double(start)) / 60)))
  }

  private func now(_ time: DriverTime) -> Double {
    scale == .universal ? time.secondsSince1970 : time.localSecondsSince1970
  }

  private static func bounded(_ value: Double) -> Double {
    value.isFinite ? max(-1e12, min(value, 1e12)) : 0
  }
}
