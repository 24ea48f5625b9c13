// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

func text(_ state: CBManagerState) -> String {
  switch state {
  case .unknown: return "unknown"
  case .resetting: return "resetting"
  case .unsupported: return "unsupported"
  case .unauthorized: return "unauthorized"
  case .poweredOff: return "off"
  case .poweredOn: return "on"
  @unknown default: return "new"
  }
}
