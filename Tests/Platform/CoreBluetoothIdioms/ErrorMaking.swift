// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

func fail(_ number: Int) throws -> Data {
  switch number {
  case 0: throw CBError(.connectionFailed)
  case 1: throw CBATTError(.invalidOffset, userInfo: [NSLocalizedDescriptionKey: "too far"])
  case 2: throw NSError(domain: CBErrorDomain, code: CBError.Code.unknown.rawValue)
  default: return Data()
  }
}

func result(_ error: CBError?) -> Result<Data, CBError> {
  error.map(Result.failure) ?? .success(Data())
}

let attempts: Set<CBError.Code> = [.connectionTimeout, .peripheralDisconnected]
let application = CBATTError.Code(rawValue: 0x80)
