// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

func isGood(_ code: CBATTError.Code) -> Bool {
  switch code {
  case .success: return true
  case .insufficientResources: return false
  }
}
