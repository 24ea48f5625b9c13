// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

func code(of error: (any Error)?) -> Int? {
  if let error = error as? CBError { return error.code.rawValue }
  if let error = error as? CBATTError, error.code == .insufficientEncryption { return 15 }
  return (error as? CBError)?.errorCode
}

func isOfRadio(_ error: any Error) -> Bool {
  error is CBError || error is CBATTError || (error as NSError).domain == CBErrorDomain
}
