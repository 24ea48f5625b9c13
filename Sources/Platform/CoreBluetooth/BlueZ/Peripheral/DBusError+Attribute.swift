// SPDX-License-Identifier: Apache-2.0

internal import SantorioDBus

extension DBusError {
  /// The error that bluetoothd maps to a code (BlueZ 5.66, dbus_error_to_att_ecode).
  ///
  /// It has names for a few codes and numbers for those of applications, 0x80 through 0x9F; for all
  /// others the client gets 0x0E, an unlikely error. bluetoothd itself chooses 0x02 for a read and
  /// 0x03 for a write.
  init(_ code: CBATTError.Code) {
    let name =
      switch code {
      case .readNotPermitted, .writeNotPermitted: "NotPermitted"
      case .requestNotSupported: "NotSupported"
      case .invalidOffset: "InvalidOffset"
      case .insufficientAuthorization: "NotAuthorized"
      case .invalidAttributeValueLength: "InvalidValueLength"
      default: Self.name(ofNumber: code.rawValue)
      }
    self.init(
      name: "org.bluez.Error." + name, message: "0x" + String(code.rawValue, radix: 16))
  }

  private static func name(ofNumber number: Int) -> String {
    switch number {
    case 0x80...0x9F: "Failed"
    case 0xFE: "InProgress"
    // Not a name that bluetoothd knows.
    default: "Unlikely"
    }
  }

  /// The error for the answer of an application.
  init(_ error: RadioError) {
    switch error {
    case .attribute(let code): self.init(code)
    case .system: self.init(.unlikelyError)
    }
  }
}

extension RadioError {
  /// Why bluetoothd does not publish or advertise (BlueZ 5.66, src/gatt-database.c,
  /// src/advertising.c).
  init(publishing error: DBusError) {
    switch error.shortName {
    case "InvalidArguments", "InvalidLength": self = .system(.invalidParameters)
    case "AlreadyExists": self = .system(.alreadyAdvertising)
    // All advertising instances of the adapter are in use.
    case "NotPermitted": self = .system(.outOfSpace)
    case "NotSupported", "AccessDenied", "UnknownMethod", "UnknownInterface":
      self = .system(.operationNotSupported)
    default: self = .system(.unknown)
    }
  }
}
