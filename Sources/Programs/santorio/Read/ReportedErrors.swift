// SPDX-License-Identifier: Apache-2.0

import SantorioBluetooth

/// Decides which errors of readings are reported.
///
/// A lasting fault is reported once, but a failure to store readings again every minute.
struct ReportedErrors {
  private static let interval = Duration.seconds(60)

  private var last: (error: BluetoothError, reportedAt: ContinuousClock.Instant)?

  mutating func isNew(_ error: BluetoothError, at now: ContinuousClock.Instant) -> Bool {
    if let last, last.error == error,
      !error.isOfStorage || last.reportedAt.duration(to: now) < Self.interval
    {
      return false
    }
    last = (error, now)
    return true
  }

  /// A reading has succeeded: the same error is reported again.
  mutating func forget() { last = nil }
}

extension BluetoothError {
  /// Whether readings could not be stored.
  var isOfStorage: Bool { [.noUser, .submissionFailure].contains(code) }
}
