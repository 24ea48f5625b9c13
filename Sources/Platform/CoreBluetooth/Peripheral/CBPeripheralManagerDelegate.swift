// SPDX-License-Identifier: Apache-2.0

/// The events of a peripheral manager, delivered on the manager's queue.
///
/// All methods but the first are optional. Implement them in the class that conforms, not in a
/// subclass of it.
public protocol CBPeripheralManagerDelegate: NSObjectProtocol {
  /// The state has changed; the first call comes soon after the manager was made.
  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager)
  /// The state of the manager before the process ended; called before the first state update.
  func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any])
  /// Advertising has begun, or could not.
  func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?)
  /// A service was published, or could not be.
  func peripheralManager(
    _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?
  )
  /// A central has subscribed to the characteristic's changes.
  func peripheralManager(
    _ peripheral: CBPeripheralManager,
    central: CBCentral,
    didSubscribeTo characteristic: CBCharacteristic
  )
  /// A central has unsubscribed or disconnected.
  func peripheralManager(
    _ peripheral: CBPeripheralManager,
    central: CBCentral,
    didUnsubscribeFrom characteristic: CBCharacteristic
  )
  /// A central reads; respond once, with the value from the request's offset on.
  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest)
  /// A central writes, all or nothing; respond once, with the first request.
  func peripheralManager(
    _ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]
  )
  /// Updates can be queued again.
  func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager)
  /// A channel was published, or could not be.
  func peripheralManager(
    _ peripheral: CBPeripheralManager, didPublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
  )
  /// A channel is no longer published.
  func peripheralManager(
    _ peripheral: CBPeripheralManager, didUnpublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
  )
  /// A central opened a channel, or could not.
  func peripheralManager(
    _ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?
  )
}

extension CBPeripheralManagerDelegate {
  /// Optional: does nothing.
  public func peripheralManager(
    _ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]
  ) {
    OptionalRequirement.missing(self, "willRestoreState")
  }

  /// Optional: does nothing.
  public func peripheralManagerDidStartAdvertising(
    _ peripheral: CBPeripheralManager, error: (any Error)?
  ) {
    OptionalRequirement.missing(self, "didStartAdvertising")
  }

  /// Optional: does nothing.
  public func peripheralManager(
    _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?
  ) {
    OptionalRequirement.missing(self, "didAdd")
  }

  /// Optional: does nothing.
  public func peripheralManager(
    _ peripheral: CBPeripheralManager,
    central: CBCentral,
    didSubscribeTo characteristic: CBCharacteristic
  ) {
    OptionalRequirement.missing(self, "didSubscribe")
  }

  /// Optional: does nothing.
  public func peripheralManager(
    _ peripheral: CBPeripheralManager,
    central: CBCentral,
    didUnsubscribeFrom characteristic: CBCharacteristic
  ) {
    OptionalRequirement.missing(self, "didUnsubscribe")
  }

  /// Optional: does nothing.
  public func peripheralManager(
    _ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest
  ) {
    OptionalRequirement.missing(self, "didReceiveRead")
  }

  /// Optional: does nothing.
  public func peripheralManager(
    _ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]
  ) {
    OptionalRequirement.missing(self, "didReceiveWrite")
  }

  /// Optional: does nothing.
  public func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
    OptionalRequirement.missing(self, "isReadyToUpdate")
  }

  /// Optional: does nothing.
  public func peripheralManager(
    _ peripheral: CBPeripheralManager, didPublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
  ) {
    OptionalRequirement.missing(self, "didPublishChannel")
  }

  /// Optional: does nothing.
  public func peripheralManager(
    _ peripheral: CBPeripheralManager, didUnpublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
  ) {
    OptionalRequirement.missing(self, "didUnpublishChannel")
  }

  /// Optional: does nothing.
  public func peripheralManager(
    _ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?
  ) {
    OptionalRequirement.missing(self, "didOpenChannel")
  }
}

// What stands for Objective-C's optional call, `delegate?.peripheralManager?(...)`.
extension CBPeripheralManagerDelegate {
  /// The optional methods of the name `peripheralManager`, for a call with `?`.
  @_disfavoredOverload
  public var peripheralManager: PeripheralManagerCalls? { PeripheralManagerCalls(delegate: self) }

  /// The optional methods of the name `peripheralManagerDidStartAdvertising`, for a call with `?`.
  @_disfavoredOverload
  public var peripheralManagerDidStartAdvertising: PeripheralManagerDidStartAdvertisingCalls? {
    PeripheralManagerDidStartAdvertisingCalls(delegate: self)
  }

  /// The optional methods of the name `peripheralManagerIsReady`, for a call with `?`.
  @_disfavoredOverload
  public var peripheralManagerIsReady: PeripheralManagerIsReadyCalls? {
    PeripheralManagerIsReadyCalls(delegate: self)
  }
}

/// Calls the optional methods of the name `peripheralManager`.
public struct PeripheralManagerCalls {
  let delegate: any CBPeripheralManagerDelegate

  /// The state of the manager before the process ended; called before the first state update.
  public func callAsFunction(
    _ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]
  ) {
    delegate.peripheralManager(peripheral, willRestoreState: dict)
  }

  /// A service was published, or could not be.
  public func callAsFunction(
    _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?
  ) {
    delegate.peripheralManager(peripheral, didAdd: service, error: error)
  }

  /// A central has subscribed to the characteristic's changes.
  public func callAsFunction(
    _ peripheral: CBPeripheralManager,
    central: CBCentral,
    didSubscribeTo characteristic: CBCharacteristic
  ) {
    delegate.peripheralManager(peripheral, central: central, didSubscribeTo: characteristic)
  }

  /// A central has unsubscribed or disconnected.
  public func callAsFunction(
    _ peripheral: CBPeripheralManager,
    central: CBCentral,
    didUnsubscribeFrom characteristic: CBCharacteristic
  ) {
    delegate.peripheralManager(peripheral, central: central, didUnsubscribeFrom: characteristic)
  }

  /// A central reads; respond once, with the value from the request's offset on.
  public func callAsFunction(
    _ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest
  ) {
    delegate.peripheralManager(peripheral, didReceiveRead: request)
  }

  /// A central writes, all or nothing; respond once, with the first request.
  public func callAsFunction(
    _ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]
  ) {
    delegate.peripheralManager(peripheral, didReceiveWrite: requests)
  }

  /// A channel was published, or could not be.
  public func callAsFunction(
    _ peripheral: CBPeripheralManager, didPublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
  ) {
    delegate.peripheralManager(peripheral, didPublishL2CAPChannel: PSM, error: error)
  }

  /// A channel is no longer published.
  public func callAsFunction(
    _ peripheral: CBPeripheralManager, didUnpublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
  ) {
    delegate.peripheralManager(peripheral, didUnpublishL2CAPChannel: PSM, error: error)
  }

  /// A central opened a channel, or could not.
  public func callAsFunction(
    _ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?
  ) {
    delegate.peripheralManager(peripheral, didOpen: channel, error: error)
  }
}

/// Calls the optional methods of the name `peripheralManagerDidStartAdvertising`.
public struct PeripheralManagerDidStartAdvertisingCalls {
  let delegate: any CBPeripheralManagerDelegate

  /// Advertising has begun, or could not.
  public func callAsFunction(_ peripheral: CBPeripheralManager, error: (any Error)?) {
    delegate.peripheralManagerDidStartAdvertising(peripheral, error: error)
  }
}

/// Calls the optional methods of the name `peripheralManagerIsReady`.
public struct PeripheralManagerIsReadyCalls {
  let delegate: any CBPeripheralManagerDelegate

  /// Updates can be queued again.
  public func callAsFunction(toUpdateSubscribers peripheral: CBPeripheralManager) {
    delegate.peripheralManagerIsReady(toUpdateSubscribers: peripheral)
  }
}
