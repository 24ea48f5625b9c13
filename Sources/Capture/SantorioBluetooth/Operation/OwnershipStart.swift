// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import HealthDevices
package import HealthRecords

/// The time from which a device, or one of its slots, is a person's who was not the first to have it.
package struct OwnershipStart: Hashable, Sendable {
  /// Some devices show the minute of a measurement only.
  private static let precision: TimeInterval = 60

  /// The extent to which the device was read for the owner since then.
  package enum Reading: Hashable, Sendable {
    case none
    /// It has sent what it wanted to send.
    case once
    /// It was asked for all that it keeps, and has said that there is no more.
    case wholeMemory
  }

  /// The instant of the change of owner.
  package let date: Date
  package var reading: Reading

  package init(_ date: Date, reading: Reading = .none) {
    self.date = date
    self.reading = reading
  }

  /// Returns whether a reading was certainly measured after the change.
  ///
  /// The time of receipt does not say when a device has measured that may keep readings. The clock of a
  /// device may have been ahead by as much as is tolerated, also where it is right now: it may have been
  /// set since. Once the whole memory was read after the change, a reading that was not in it is newer
  /// than the change. A device that sends by itself may have been cut off before it had sent all; of one
  /// without a clock the next readings are taken for new all the same, or it would never have any. Only a
  /// time that is disbelieved may be another one each time that the same reading is sent.
  ///
  /// - Parameters:
  ///   - time: The time of a reading that was not held before.
  ///   - policy: The policy by which the time was made.
  /// - Returns: False also where it is not certain.
  package func isCertainly(before time: RecordTime, by policy: ClockPolicy) -> Bool {
    guard !time.isDeviceTimeDisbelieved else { return false }
    guard reading != .wholeMemory else { return time.start >= date }
    switch time.origin {
    case .received, .unknown, .user: return reading == .once && time.start >= date
    case .deviceCorrected: return time.start >= date + Self.precision
    case .device:
      return time.start >= date + Self.lead(of: time, by: policy) + Self.precision
    }
  }

  /// The time by which the device's clock may have been ahead.
  private static func lead(of time: RecordTime, by policy: ClockPolicy) -> TimeInterval {
    // Without a time of its own, the device says how long ago it has measured.
    guard time.deviceTime != nil else { return 0 }
    let tolerated = policy.toleratedLead / .seconds(1)
    // A clock that nobody reads stays an hour ahead when summer time ends.
    return time.clockDriftSeconds.map { max(tolerated, $0) } ?? tolerated + 3600
  }
}
