// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

// What Apple's umbrella header brings along.
func everything() -> [Any] {
  [
    Data(), UUID(), Date(), NSObject(), DispatchQueue.main, NSNumber(value: 1), RunLoop.main,
    URL(fileURLWithPath: "/"), CFAbsoluteTimeGetCurrent(), Notification.Name("x"),
  ]
}
