// SPDX-License-Identifier: Apache-2.0

internal import SantorioDBus

extension RadioError {
  /// The error for an attribute, from an error of bluetoothd (BlueZ, src/gatt-client.c).
  init(_ error: DBusError, isWrite: Bool) {
    self = Self.attribute(of: error, isWrite: isWrite).map(Self.attribute) ?? .system(.of(error))
  }

  private static func attribute(of error: DBusError, isWrite: Bool) -> CBATTError.Code? {
    let text = error.message.lowercased()
    switch error.shortName {
    case "NotPermitted":
      if text.contains("read not permitted") { return .readNotPermitted }
      if text.contains("paired") { return .insufficientAuthentication }
      return isWrite ? .writeNotPermitted : .readNotPermitted
    case "NotAuthorized": return .insufficientAuthorization
    case "NotSupported": return .requestNotSupported
    case "InvalidOffset": return .invalidOffset
    case "InvalidValueLength": return .invalidAttributeValueLength
    case "InvalidArguments":
      return text.contains("offset") ? .invalidOffset : .invalidAttributeValueLength
    case "UnknownObject", "UnknownMethod", "UnknownInterface", "DoesNotExist":
      return .invalidHandle
    case "AuthenticationFailed", "AuthenticationCanceled", "AuthenticationRejected",
      "AuthenticationTimeout":
      return .insufficientAuthentication
    default: return number(in: text)
    }
  }

  /// The number in "Operation failed with ATT error: 0x80".
  private static func number(in text: String) -> CBATTError.Code? {
    guard let start = text.range(of: "0x")?.upperBound else { return nil }
    let digits = text[start...].prefix { $0.isHexDigit }
    return UInt8(digits, radix: 16).flatMap { CBATTError.Code(rawValue: Int($0)) }
  }
}

extension CBError.Code {
  /// The error for a link, from an error of bluetoothd.
  static func of(_ error: DBusError) -> Self {
    switch error.shortName {
    case "NotConnected", "Disconnected", "NotReady": return .notConnected
    case "NoReply", "Timeout", "TimedOut", "ConnectionAttemptFailed": return .connectionTimeout
    case "DoesNotExist", "UnknownObject": return .unknownDevice
    case "NotSupported", "NotAvailable": return .operationNotSupported
    case "Failed" where error.message.lowercased().contains("not connected"): return .notConnected
    default: return .unknown
    }
  }
}

extension DBusError {
  /// The last part of the name, without the common prefix.
  var shortName: Substring { name.split(separator: ".").last ?? "" }

  /// Whether bluetoothd is busy with the same operation for another client.
  var isInProgress: Bool { shortName == "InProgress" }

  /// Whether the peer no longer has a key; only later versions of BlueZ report this.
  var isKeyMissing: Bool { message.contains("key-missing") }
}
