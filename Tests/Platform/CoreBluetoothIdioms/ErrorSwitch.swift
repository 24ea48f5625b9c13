// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

func isFinal(_ error: CBError) -> Bool {
  switch error.code {
  case .invalidParameters, .invalidHandle, .uuidNotAllowed, .operationNotSupported: return true
  case .peerRemovedPairingInformation, .encryptionTimedOut: return true
  default: return false
  }
}

func isPairing(_ code: CBATTError.Code) -> Bool {
  switch code {
  case .insufficientAuthentication, .insufficientEncryption: return true
  default: return false
  }
}
