// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

func wrong() {
  _ = CBUUID("180D")
  _ = CBUUID(string: "180D") ?? CBUUID()
  _ = CBCentralManager(nil, queue: nil)
  _ = CBMutableService(type: "180D", primary: true)
}
