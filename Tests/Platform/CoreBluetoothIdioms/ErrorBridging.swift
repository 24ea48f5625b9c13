// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

func object(_ error: CBError) -> NSError { error as NSError }

func value(_ object: NSError) -> CBATTError? {
  let forced = object as any Error
  if object.domain == CBATTError.errorDomain { return CBATTError(_nsError: object) }
  return forced as? CBATTError
}

func reason(_ error: any Error) -> Any? {
  (error as NSError).userInfo[NSLocalizedDescriptionKey]
}
