// SPDX-License-Identifier: Apache-2.0

/// The events of a central manager, delivered on the manager's queue.
///
/// All methods but the first are optional. Implement them in the class that conforms, not in a
/// subclass of it.
public protocol CBCentralManagerDelegate: NSObjectProtocol {
  /// The state has changed; the first call comes soon after the manager was made.
  func centralManagerDidUpdateState(_ central: CBCentralManager)
  /// The state of the manager before the process ended; called before the first state update.
  func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any])
  /// A scan found a peripheral, which must be retained to connect; an RSSI of 127 is "not known".
  func centralManager(
    _ central: CBCentralManager,
    didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any],
    rssi RSSI: NSNumber
  )
  /// A connection is up.
  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral)
  /// A connection could not be made.
  func centralManager(
    _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
  )
  /// A connection has ended, without an error when it was cancelled.
  func centralManager(
    _ central: CBCentralManager,
    didDisconnectPeripheral peripheral: CBPeripheral,
    error: (any Error)?
  )
  /// A connection has ended; called when the method without a time stamp is missing.
  func centralManager(
    _ central: CBCentralManager,
    didDisconnectPeripheral peripheral: CBPeripheral,
    timestamp: CFAbsoluteTime,
    isReconnecting: Bool,
    error: (any Error)?
  )
  /// A program on this host has connected to a watched peer, or lost the connection.
  func centralManager(
    _ central: CBCentralManager,
    connectionEventDidOccur event: CBConnectionEvent,
    for peripheral: CBPeripheral
  )
  /// Never called on Linux, which has no Apple notification service.
  func centralManager(
    _ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral
  )
}

extension CBCentralManagerDelegate {
  /// Optional: does nothing.
  public func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
    OptionalRequirement.missing(self, "willRestoreState")
  }

  /// Optional: does nothing.
  public func centralManager(
    _ central: CBCentralManager,
    didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    OptionalRequirement.missing(self, "didDiscover")
  }

  /// Optional: does nothing.
  public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    OptionalRequirement.missing(self, "didConnect")
  }

  /// Optional: does nothing.
  public func centralManager(
    _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
  ) {
    OptionalRequirement.missing(self, "didFailToConnect")
  }

  /// Optional: does nothing.
  public func centralManager(
    _ central: CBCentralManager,
    didDisconnectPeripheral peripheral: CBPeripheral,
    error: (any Error)?
  ) {
    OptionalRequirement.missing(self, "didDisconnectPeripheral")
  }

  /// Optional: does nothing.
  public func centralManager(
    _ central: CBCentralManager,
    didDisconnectPeripheral peripheral: CBPeripheral,
    timestamp: CFAbsoluteTime,
    isReconnecting: Bool,
    error: (any Error)?
  ) {
    OptionalRequirement.missing(self, "didDisconnectPeripheralTimestamp")
  }

  /// Optional: does nothing.
  public func centralManager(
    _ central: CBCentralManager,
    connectionEventDidOccur event: CBConnectionEvent,
    for peripheral: CBPeripheral
  ) {
    OptionalRequirement.missing(self, "connectionEventDidOccur")
  }

  /// Optional: does nothing.
  public func centralManager(
    _ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral
  ) {
    OptionalRequirement.missing(self, "didUpdateANCSAuthorization")
  }
}

// What stands for Objective-C's optional call, `delegate?.centralManager?(...)`.
extension CBCentralManagerDelegate {
  /// The optional methods of the name `centralManager`, for a call with `?`.
  @_disfavoredOverload
  public var centralManager: CentralManagerCalls? { CentralManagerCalls(delegate: self) }
}

/// Calls the optional methods of the name `centralManager`.
public struct CentralManagerCalls {
  let delegate: any CBCentralManagerDelegate

  /// The state of the manager before the process ended; called before the first state update.
  public func callAsFunction(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
    delegate.centralManager(central, willRestoreState: dict)
  }

  /// A scan found a peripheral, which must be retained to connect; an RSSI of 127 is "not known".
  public func callAsFunction(
    _ central: CBCentralManager,
    didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    delegate.centralManager(
      central, didDiscover: peripheral, advertisementData: advertisementData, rssi: RSSI)
  }

  /// A connection is up.
  public func callAsFunction(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    delegate.centralManager(central, didConnect: peripheral)
  }

  /// A connection could not be made.
  public func callAsFunction(
    _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
  ) {
    delegate.centralManager(central, didFailToConnect: peripheral, error: error)
  }

  /// A connection has ended, without an error when it was cancelled.
  public func callAsFunction(
    _ central: CBCentralManager,
    didDisconnectPeripheral peripheral: CBPeripheral,
    error: (any Error)?
  ) {
    delegate.centralManager(central, didDisconnectPeripheral: peripheral, error: error)
  }

  /// A connection has ended; called when the method without a time stamp is missing.
  public func callAsFunction(
    _ central: CBCentralManager,
    didDisconnectPeripheral peripheral: CBPeripheral,
    timestamp: CFAbsoluteTime,
    isReconnecting: Bool,
    error: (any Error)?
  ) {
    delegate.centralManager(
      central, didDisconnectPeripheral: peripheral, timestamp: timestamp,
      isReconnecting: isReconnecting, error: error)
  }

  /// A program on this host has connected to a watched peer, or lost the connection.
  public func callAsFunction(
    _ central: CBCentralManager,
    connectionEventDidOccur event: CBConnectionEvent,
    for peripheral: CBPeripheral
  ) {
    delegate.centralManager(central, connectionEventDidOccur: event, for: peripheral)
  }

  /// Never called on Linux, which has no Apple notification service.
  public func callAsFunction(
    _ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral
  ) {
    delegate.centralManager(central, didUpdateANCSAuthorizationFor: peripheral)
  }
}
