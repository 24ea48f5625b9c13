// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import HealthDevices
package import HealthRecords

/// The time from which a device, or one of its slots, is a person's who was not the first to have it.
package struct OwnershipStart: Hashable, Sendable {
  /// Some devices show the minute of a measurement only.
  private static let precision: TimeInterval = 60

  /// The instant of the change of owner.
  package let date: Date
  /// Whether the device's whole memory was read for the person since then.
  package var isMemoryRead: Bool

  package init(_ date: Date, isMemoryRead: Bool = false) {
    self.date = date
    self.isMemoryRead = isMemoryRead
  }

  /// Returns whether a reading was certainly measured after the change.
  ///
  /// The time of receipt does not say when a device with a memory has measured. The clock of a device
  /// may have been ahead by as much as is tolerated, also where it is right now: it may have been set
  /// since. Once the whole memory was read after the change, a reading that was not in it is newer than
  /// the change; only a time that is disbelieved may be another one each time that the same reading is
  /// sent.
  ///
  /// - Parameters:
  ///   - time: The time of a reading that was not held before.
  ///   - policy: The policy by which the time was made.
  package func isCertainly(before time: RecordTime, by policy: ClockPolicy) -> Bool {
    guard !time.isDeviceTimeDisbelieved else { return false }
    if isMemoryRead { return time.start >= date }
    switch time.origin {
    case .received, .unknown, .user: return false
    case .deviceCorrected: return time.start >= date + Self.precision
    case .device:
      // Without a time of its own, the device says how long ago it has measured.
      let lead = time.deviceTime == nil ? 0 : policy.toleratedLead / .seconds(1)
      return time.start >= date + lead + Self.precision
    }
  }
}
