// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioBluetooth

/// Decides which errors of readings are reported.
///
/// A lasting fault of a device is reported once, whatever becomes of others meanwhile, but a failure
/// to store readings again every minute.
struct ReportedErrors {
  private static let interval = Duration.seconds(60)
  /// How many devices are remembered; of more, all are forgotten.
  private static let capacity = 256

  /// The last error of each device, and of what is no device's matter.
  private var last: [UUID?: (error: BluetoothError, reportedAt: ContinuousClock.Instant)] = [:]

  mutating func isNew(
    _ error: BluetoothError, of device: UUID? = nil, at now: ContinuousClock.Instant
  ) -> Bool {
    let device = error.isOfStorage ? nil : device
    if let last = last[device], last.error == error,
      !error.isOfStorage || last.reportedAt.duration(to: now) < Self.interval
    {
      return false
    }
    if last.count >= Self.capacity { last = [:] }
    last[device] = (error, now)
    return true
  }

  /// A device was read: the same error of it, or of none, is reported again.
  mutating func forget(_ device: UUID? = nil) {
    last[device] = nil
    last[nil] = nil
  }
}

extension BluetoothError {
  /// Whether readings could not be stored.
  var isOfStorage: Bool { [.noUser, .submissionFailure].contains(code) }
}
