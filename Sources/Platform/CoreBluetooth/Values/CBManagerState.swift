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
