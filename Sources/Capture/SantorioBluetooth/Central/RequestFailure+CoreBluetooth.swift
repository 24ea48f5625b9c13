// SPDX-License-Identifier: Apache-2.0

import HealthDevices

#if SimulatedBluetooth
  import SimulatedCoreBluetooth
#else
  import CoreBluetooth
#endif

extension RequestFailure {
  /// Sorts what Core Bluetooth reports.
  init(_ error: (any Error)?) {
    let message = error?.localizedDescription ?? ""
    if let error = error as? CBATTError {
      let code = UInt8(exactly: error.code.rawValue)
      switch error.code {
      case .insufficientAuthentication, .insufficientAuthorization:
        self.init(.notPaired, message, code: code)
      case .insufficientEncryption, .insufficientEncryptionKeySize:
        self.init(.notEncrypted, message)
      default: self.init(.other, message, code: code)
      }
    } else if let error = error as? CBError {
      switch error.code {
      case .peerRemovedPairingInformation: self.init(.bondLost, message)
      case .encryptionTimedOut: self.init(.encryptionTimedOut, message)
      case .tooManyLEPairedDevices: self.init(.noBondFree, message)
      case .peripheralDisconnected, .notConnected: self.init(.disconnected, message)
      case .connectionLimitReached: self.init(.noRoom, message)
      default: self.init(.other, message)
      }
    } else {
      self.init(.other, message)
    }
  }
}
