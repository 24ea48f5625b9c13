// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension RecordAccessProcedure {
  /// Takes an event of a service's control point.
  ///
  /// - Parameters:
  ///   - event: What happened; what does not concern the control point is ignored.
  ///   - controlPoint: The control point, which is subscribed to last.
  ///   - time: When it happened.
  /// - Returns: What to do now.
  package mutating func step(
    _ event: DriverEvent, on controlPoint: GATTAttribute, at time: DriverTime
  ) -> Step {
    switch event {
    case .value(controlPoint, let bytes): indicated(bytes, at: time.elapsed)
    case .writeFailed(controlPoint, let failure): refused(failure, at: time.elapsed)
    // After the last subscription, also when it failed: the device reports the failure again when
    // records are requested.
    case .subscribed(controlPoint), .subscriptionFailed(controlPoint, _):
      subscribed(at: time.elapsed)
    case .timeReached: timeReached(time.elapsed)
    default: .none
    }
  }
}
