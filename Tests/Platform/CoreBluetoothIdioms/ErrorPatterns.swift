// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

func isLoss(_ error: (any Error)?) -> Bool {
  if case CBError.connectionTimeout? = error { return true }
  if case CBError.peripheralDisconnected? = error { return true }
  switch error {
  case CBATTError.unlikelyError?: return true
  case let error as CBError: return error.code ~= error
  default: return false
  }
}
