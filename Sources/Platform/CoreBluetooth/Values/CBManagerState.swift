// SPDX-License-Identifier: Apache-2.0

/// The state of a manager's radio.
@nonexhaustive
public enum CBManagerState: Int, @unchecked Sendable {
  case unknown = 0
  case resetting = 1
  case unsupported = 2
  case unauthorized = 3
  case poweredOff = 4
  case poweredOn = 5
}

/// Whether the process may use Bluetooth.
@nonexhaustive
public enum CBManagerAuthorization: Int, @unchecked Sendable {
  case notDetermined = 0
  case restricted = 1
  case denied = 2
  case allowedAlways = 3
}

/// The older name of a central manager's state.
@nonexhaustive
@available(iOS, introduced: 5.0, deprecated: 10.0, message: "Use CBManagerState instead")
@available(macOS, introduced: 10.7, deprecated: 10.13, message: "Use CBManagerState instead")
public enum CBCentralManagerState: Int, @unchecked Sendable {
  case unknown = 0
  case resetting = 1
  case unsupported = 2
  case unauthorized = 3
  case poweredOff = 4
  case poweredOn = 5
}

/// The older name of a peripheral manager's state.
@nonexhaustive
@available(iOS, introduced: 6.0, deprecated: 10.0, message: "Use CBManagerState instead")
@available(macOS, introduced: 10.9, deprecated: 10.13, message: "Use CBManagerState instead")
public enum CBPeripheralManagerState: Int, @unchecked Sendable {
  case unknown = 0
  case resetting = 1
  case unsupported = 2
  case unauthorized = 3
  case poweredOff = 4
  case poweredOn = 5
}

/// The older name of a peripheral manager's authorization.
@nonexhaustive
@available(iOS, introduced: 7.0, deprecated: 13.0, message: "Use CBManagerAuthorization instead")
@available(
  macOS, introduced: 10.9, deprecated: 10.15, message: "Use CBManagerAuthorization instead"
)
public enum CBPeripheralManagerAuthorizationStatus: Int, @unchecked Sendable {
  case notDetermined = 0
  case restricted = 1
  case denied = 2
  case authorized = 3
}

/// What a peripheral manager asks of a connection's pace.
@nonexhaustive
public enum CBPeripheralManagerConnectionLatency: Int, @unchecked Sendable {
  case low = 0
  case medium = 1
  case high = 2
}

/// A change of a watched connection.
@nonexhaustive
public enum CBConnectionEvent: Int, @unchecked Sendable {
  case peerDisconnected = 0
  case peerConnected = 1
}

/// The state of a connection to a peripheral.
@nonexhaustive
public enum CBPeripheralState: Int, @unchecked Sendable {
  case disconnected = 0
  case connecting = 1
  case connected = 2
  case disconnecting = 3
}

/// Whether a write is confirmed.
@nonexhaustive
public enum CBCharacteristicWriteType: Int, @unchecked Sendable {
  case withResponse = 0
  case withoutResponse = 1
}

/// What can be done with a characteristic.
public struct CBCharacteristicProperties: OptionSet, Hashable, @unchecked Sendable {
  /// The bits; those up to 0x80 as in the specification.
  public let rawValue: UInt

  /// A set of these bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// Broadcast through the server's configuration; not for local characteristics.
  public static let broadcast = Self(rawValue: 0x01)
  /// Read.
  public static let read = Self(rawValue: 0x02)
  /// Write without a response.
  public static let writeWithoutResponse = Self(rawValue: 0x04)
  /// Write with a response.
  public static let write = Self(rawValue: 0x08)
  /// Notifications, which nobody confirms.
  public static let notify = Self(rawValue: 0x10)
  /// Indications, which the client confirms.
  public static let indicate = Self(rawValue: 0x20)
  /// Signed writes without a response.
  public static let authenticatedSignedWrites = Self(rawValue: 0x40)
  /// More in the extended properties descriptor; not for local characteristics.
  public static let extendedProperties = Self(rawValue: 0x80)
  /// Notifications for trusted clients only.
  public static let notifyEncryptionRequired = Self(rawValue: 0x100)
  /// Indications for trusted clients only.
  public static let indicateEncryptionRequired = Self(rawValue: 0x200)
}

/// What clients may do with a local attribute.
public struct CBAttributePermissions: OptionSet, Hashable, @unchecked Sendable {
  /// The bits.
  public let rawValue: UInt

  /// A set of these bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// Read.
  public static let readable = Self(rawValue: 0x01)
  /// Write.
  public static let writeable = Self(rawValue: 0x02)
  /// Read by trusted clients.
  public static let readEncryptionRequired = Self(rawValue: 0x04)
  /// Write by trusted clients.
  public static let writeEncryptionRequired = Self(rawValue: 0x08)
}
