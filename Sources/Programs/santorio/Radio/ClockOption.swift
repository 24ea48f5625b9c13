// SPDX-License-Identifier: Apache-2.0

import HealthDevices

/// What becomes of the times of a device whose clock is wrong.
enum ClockOption: String, CaseIterable {
  case corrected, shown

  static let option = CommandOption(
    "clock", "POLICY",
    help: "A wrong clock's times: corrected where they can be (if not given), or as shown.")

  /// The policy of the arguments; the usual one without the option.
  static func policy(_ arguments: Arguments) throws(UsageError) -> ClockPolicy {
    var policy = ClockPolicy()
    policy.correctsDrift = try arguments.choice("clock", of: ClockOption.self) != .shown
    return policy
  }
}
