// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

func name(_ code: CBATTError.Code) -> String {
  switch code {
  case .success, .invalidHandle, .readNotPermitted, .writeNotPermitted, .invalidPdu: return "a"
  case .insufficientAuthentication, .requestNotSupported, .invalidOffset: return "b"
  case .insufficientAuthorization, .prepareQueueFull, .attributeNotFound: return "c"
  case .attributeNotLong, .insufficientEncryptionKeySize, .invalidAttributeValueLength: return "d"
  case .unlikelyError, .insufficientEncryption, .unsupportedGroupType: return "e"
  case .insufficientResources: return "f"
  @unknown default: return "g"
  }
}
