// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

func isAllowed(_ authorization: CBManagerAuthorization) -> Bool {
  switch authorization {
  case .allowedAlways: return true
  case .denied: return false
  @unknown default: return false
  }
}

func isOn(_ state: CBManagerState) -> Bool {
  switch state {
  case .poweredOn: return true
  case .poweredOff: return false
  }
}
