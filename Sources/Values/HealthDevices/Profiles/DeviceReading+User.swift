// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceReading {
  /// Notes whose measurement it is, by the device; nil where it does not say.
  mutating func note(_ user: UserID?) {
    isUserUnknown = user == .unknown
    userSlot = user.flatMap { $0 == .unknown ? nil : Int($0.rawValue) }
  }
}
