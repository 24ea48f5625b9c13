// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import HealthRecords

/// The beginning of a user's ownership of a device, or of one of its slots.
///
/// A device is a user's from now on: a reading is the user's if it was certainly measured after the
/// beginning; one that was certainly measured before any known user had the device is set aside, and every
/// other one waits for a decision. Decisions 81 and 82 say why.
package struct OwnershipStart: Hashable, Sendable, Codable {
  /// The instant from which the device is the user's.
  package let date: Date
  /// True where another user is known to have had it before.
  package let isChange: Bool
  /// The instant from which a known user had the device, where that is earlier: what was measured since
  /// may be one of theirs, and has not reached them.
  package let earliest: Date
  /// True where its memory was asked for: a reading from before the date waits for a decision.
  package var takesMemory: Bool
  /// True until a user has confirmed that a reading of the device is the owner's: all wait until then.
  package private(set) var waitsForConfirmation: Bool
  /// The first time at which the device had been read to its end since; nil before.
  package private(set) var readToEnd: Date?
  /// True where it had then been asked for all that it keeps.
  package private(set) var wasAskedForMemory = false
  /// The largest error of its clock that was read since, in seconds: it may have been set right.
  package private(set) var clockError: TimeInterval = 0

  /// The file has whole seconds; none before the change is the new user's.
  package init(
    _ date: Date, isChange: Bool, takesMemory: Bool = false, waitsForConfirmation: Bool = false,
    after earliest: Date? = nil
  ) {
    self.date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.up))
    self.earliest = min(self.date, earliest ?? self.date)
    self.isChange = isChange
    self.takesMemory = takesMemory
    self.waitsForConfirmation = waitsForConfirmation
  }

  /// Notes that the device was read to its end.
  ///
  /// - Parameters:
  ///   - date: The time.
  ///   - wasAskedForMemory: Whether it was asked for all that it keeps, and has said that there is no
  ///     more.
  package mutating func noteEnd(at date: Date, wasAskedForMemory: Bool) {
    guard readToEnd == nil || wasAskedForMemory && !self.wasAskedForMemory else { return }
    (readToEnd, self.wasAskedForMemory) = (date, wasAskedForMemory)
  }

  /// Notes by how many seconds the clock was ahead; negative where it was behind.
  package mutating func note(drift: TimeInterval) { clockError = max(clockError, abs(drift)) }

  /// The ownership as it began where the clock was wrong by some seconds since a time, and is right now.
  ///
  /// What was noted of the device since is not known any more: its times are wrong, too.
  package func moved(since begin: Date, by step: TimeInterval) -> OwnershipStart {
    guard date >= begin else { return self }
    return OwnershipStart(
      date + step, isChange: isChange, takesMemory: takesMemory,
      waitsForConfirmation: waitsForConfirmation,
      after: earliest >= begin ? earliest + step : earliest)
  }

  /// Notes that a reading of the device was confirmed to be the owner's.
  package mutating func confirm() { waitsForConfirmation = false }

  /// The ownership once the memory is asked for, too; nil where no other user had the device before.
  package var takingMemory: OwnershipStart? {
    guard isChange else { return nil }
    var taking = self
    taking.takesMemory = true
    return taking
  }

  /// The ownership with what was noted of the device in another one that has begun as late, or later.
  package func reading(as other: OwnershipStart?) -> OwnershipStart {
    guard let other, other.date >= date else { return self }
    var read = self
    (read.readToEnd, read.wasAskedForMemory) = (other.readToEnd, other.wasAskedForMemory)
    read.clockError = max(clockError, other.clockError)
    return read
  }

  // MARK: - Readings

  /// The relation of a reading to the beginning.
  package enum Claim: Hashable, Sendable {
    /// It is the user's.
    case own
    /// It may be either's, or its time says nothing.
    case pending
    /// It was measured before the device was the user's.
    case older
  }

  /// Some devices show the minute of a measurement only.
  private static let precision: TimeInterval = 60
  /// A clock that is not read may be of another time zone or day.
  private static let unreadLag: TimeInterval = 25 * 3600
  /// After a change of batteries a clock that is not read may be years behind.
  private static let unreadAge: TimeInterval = 2 * 365 * 86_400
  /// A clock that is not read stays an hour ahead when summer time ends.
  private static let unreadLead: TimeInterval = 3600

  /// The seconds by which the time of a measurement may be wrong, which is the longest time there is where
  /// it is not known at all.
  package static func uncertainty(
    of time: RecordTime, toleratedLead tolerated: TimeInterval
  ) -> TimeInterval {
    guard !time.isDeviceTimeDisbelieved else { return .infinity }
    switch time.origin {
    case .received, .unknown, .user: return .infinity
    case .deviceCorrected: return tolerated + precision
    case .device where time.deviceTime == nil: return precision
    case .device:
      return (time.clockDriftSeconds.map { max(tolerated, abs($0)) } ?? unreadLag) + precision
    }
  }

  /// The seconds by which the clock of a device may have been ahead when it measured, also where it is right
  /// now: it may have been set since.
  package static func longestLead(of time: RecordTime) -> TimeInterval {
    time.origin == .device && time.deviceTime != nil ? unreadLag : 0
  }

  /// Says whether a reading was measured since the beginning, for a person who confirms it; nil where the
  /// device's clock does not say.
  ///
  /// The clock is believed, other than by ``claim(on:toleratedLead:)``: the person has seen the measurement.
  package func isBegun(before time: RecordTime) -> Bool? {
    guard !time.isDeviceTimeDisbelieved else { return nil }
    // Of a device that shows the minute only.
    let precision = time.deviceTime?.second == 0 ? Self.precision : 1
    let earliest = date - precision
    switch time.origin {
    case .received, .unknown, .user: return nil
    case .deviceCorrected: return time.start > earliest
    case .device where time.deviceTime == nil: return time.start > earliest
    case .device: return time.clockDriftSeconds.map { time.start - max(0, $0) > earliest }
    }
  }

  /// Decides about a reading that was not held before.
  ///
  /// The time of receipt does not say when a device has measured that may keep readings. The clock of a
  /// device may have been ahead by as much as is tolerated, also where it is right now: it may have been
  /// set since. Once the whole memory was read, a reading that comes later was not in it, so it is newer
  /// than the beginning. A device that sends by itself may have been cut off before it had sent all; of
  /// one without a clock the next readings are taken for new all the same, or it would never have any.
  ///
  /// - Parameters:
  ///   - time: The time of the reading.
  ///   - tolerated: The seconds by which a clock may be ahead and is still believed.
  /// - Returns: The relation of the reading to the beginning.
  package func claim(on time: RecordTime, toleratedLead tolerated: TimeInterval) -> Claim {
    if isCertainlyAfter(time, tolerated) { return waitsForConfirmation ? .pending : .own }
    return isCertainlyBefore(time, tolerated) && !takesMemory ? .older : .pending
  }

  /// Returns true where the device had been read to its end before a reading was received.
  private func wasRead(before time: RecordTime) -> Bool {
    readToEnd.map { $0 < time.received } ?? false
  }

  private func isCertainlyAfter(_ time: RecordTime, _ tolerated: TimeInterval) -> Bool {
    let isLater = wasRead(before: time)
    // It may be another time each time that the same reading is sent.
    guard !time.isDeviceTimeDisbelieved else { return isLater && !isChange }
    if isLater, wasAskedForMemory {
      // The clock may be behind; by more than a day, the reading is one that was set aside and is sent again.
      return time.start >= date - (isChange ? 0 : Self.unreadLag)
    }
    switch time.origin {
    case .received, .unknown, .user:
      return (isLater || !isChange) && time.start >= date - (isChange ? 0 : Self.precision)
    case .device, .deviceCorrected:
      let margin = isChange ? lead(of: time, tolerated) + Self.precision : -Self.precision
      return time.start >= date + margin
    }
  }

  /// The time by which the device's clock may have been ahead.
  private func lead(of time: RecordTime, _ tolerated: TimeInterval) -> TimeInterval {
    // Without a time of its own, the device says how long ago it has measured.
    guard time.origin == .device, time.deviceTime != nil else { return 0 }
    guard let drift = time.clockDriftSeconds else {
      return max(tolerated + Self.unreadLead, clockError)
    }
    return max(tolerated, drift, clockError)
  }

  private func isCertainlyBefore(_ time: RecordTime, _ tolerated: TimeInterval) -> Bool {
    guard !time.isDeviceTimeDisbelieved,
      !wasRead(before: time) || time.origin == .device && time.clockDriftSeconds != nil
    else { return false }
    let lag: TimeInterval
    var age = TimeInterval.infinity
    switch time.origin {
    case .received, .unknown, .user: return false
    case .deviceCorrected: lag = max(tolerated, clockError)
    case .device where time.deviceTime == nil: lag = 0
    case .device:
      if let drift = time.clockDriftSeconds {
        lag = max(tolerated, abs(drift), clockError)
      } else {
        (lag, age) = (Self.unreadLag, Self.unreadAge)
      }
    }
    return time.start < earliest - lag - Self.precision && time.start > earliest - age
  }
}
