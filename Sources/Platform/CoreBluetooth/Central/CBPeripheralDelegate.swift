// SPDX-License-Identifier: Apache-2.0

/// The events of a peripheral, delivered on the manager's queue.
///
/// All methods are optional. Implement them in the class that conforms, not in a subclass of it.
public protocol CBPeripheralDelegate: NSObjectProtocol {
  /// The name has changed.
  func peripheralDidUpdateName(_ peripheral: CBPeripheral)
  /// These services are no longer valid; discover them again.
  func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService])
  /// The older answer to a read of the signal strength.
  @available(iOS, introduced: 5.0, deprecated: 8.0)
  @available(macOS, introduced: 10.7, deprecated: 10.13)
  func peripheralDidUpdateRSSI(_ peripheral: CBPeripheral, error: (any Error)?)
  /// The answer to a read of the signal strength, in dBm.
  func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?)
  /// The services asked for are in the peripheral's list.
  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?)
  /// The included services asked for are in the service's list.
  func peripheral(
    _ peripheral: CBPeripheral,
    didDiscoverIncludedServicesFor service: CBService,
    error: (any Error)?
  )
  /// The characteristics asked for are in the service's list.
  func peripheral(
    _ peripheral: CBPeripheral,
    didDiscoverCharacteristicsFor service: CBService,
    error: (any Error)?
  )
  /// A value was read or notified; the two cannot be distinguished.
  func peripheral(
    _ peripheral: CBPeripheral,
    didUpdateValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  )
  /// A write with response has been answered.
  func peripheral(
    _ peripheral: CBPeripheral,
    didWriteValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  )
  /// A subscription has been made or ended, or could not be.
  func peripheral(
    _ peripheral: CBPeripheral,
    didUpdateNotificationStateFor characteristic: CBCharacteristic,
    error: (any Error)?
  )
  /// The descriptors are in the characteristic's list.
  func peripheral(
    _ peripheral: CBPeripheral,
    didDiscoverDescriptorsFor characteristic: CBCharacteristic,
    error: (any Error)?
  )
  /// A descriptor's value was read.
  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?
  )
  /// A descriptor's value was written.
  func peripheral(
    _ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?
  )
  /// Writes without response can be queued again.
  func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral)
  /// A channel was opened, or could not be.
  func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?)
}

extension CBPeripheralDelegate {
  /// Optional: does nothing.
  public func peripheralDidUpdateName(_ peripheral: CBPeripheral) {
    OptionalRequirement.missing(self, "didUpdateName")
  }

  /// Optional: does nothing.
  public func peripheral(
    _ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]
  ) {
    OptionalRequirement.missing(self, "didModifyServices")
  }

  /// Optional: does nothing.
  @available(iOS, introduced: 5.0, deprecated: 8.0)
  @available(macOS, introduced: 10.7, deprecated: 10.13)
  public func peripheralDidUpdateRSSI(_ peripheral: CBPeripheral, error: (any Error)?) {
    OptionalRequirement.missing(self, "didUpdateRSSI")
  }

  /// Optional: does nothing.
  public func peripheral(
    _ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?
  ) {
    OptionalRequirement.missing(self, "didReadRSSI")
  }

  /// Optional: does nothing.
  public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    OptionalRequirement.missing(self, "didDiscoverServices")
  }

  /// Optional: does nothing.
  public func peripheral(
    _ peripheral: CBPeripheral,
    didDiscoverIncludedServicesFor service: CBService,
    error: (any Error)?
  ) {
    OptionalRequirement.missing(self, "didDiscoverIncludedServices")
  }

  /// Optional: does nothing.
  public func peripheral(
    _ peripheral: CBPeripheral,
    didDiscoverCharacteristicsFor service: CBService,
    error: (any Error)?
  ) {
    OptionalRequirement.missing(self, "didDiscoverCharacteristics")
  }

  /// Optional: does nothing.
  public func peripheral(
    _ peripheral: CBPeripheral,
    didUpdateValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    OptionalRequirement.missing(self, "didUpdateValueForCharacteristic")
  }

  /// Optional: does nothing.
  public func peripheral(
    _ peripheral: CBPeripheral,
    didWriteValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    OptionalRequirement.missing(self, "didWriteValueForCharacteristic")
  }

  /// Optional: does nothing.
  public func peripheral(
    _ peripheral: CBPeripheral,
    didUpdateNotificationStateFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    OptionalRequirement.missing(self, "didUpdateNotificationState")
  }

  /// Optional: does nothing.
  public func peripheral(
    _ peripheral: CBPeripheral,
    didDiscoverDescriptorsFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    OptionalRequirement.missing(self, "didDiscoverDescriptors")
  }

  /// Optional: does nothing.
  public func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?
  ) {
    OptionalRequirement.missing(self, "didUpdateValueForDescriptor")
  }

  /// Optional: does nothing.
  public func peripheral(
    _ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?
  ) {
    OptionalRequirement.missing(self, "didWriteValueForDescriptor")
  }

  /// Optional: does nothing.
  public func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
    OptionalRequirement.missing(self, "isReadyToSend")
  }

  /// Optional: does nothing.
  public func peripheral(
    _ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?
  ) {
    OptionalRequirement.missing(self, "didOpenChannel")
  }
}

// What stands for Objective-C's optional call, `delegate?.peripheral?(...)`.
extension CBPeripheralDelegate {
  /// The optional methods of the name `peripheralDidUpdateName`, for a call with `?`.
  @_disfavoredOverload
  public var peripheralDidUpdateName: PeripheralDidUpdateNameCalls? {
    PeripheralDidUpdateNameCalls(delegate: self)
  }

  /// The optional methods of the name `peripheral`, for a call with `?`.
  @_disfavoredOverload
  public var peripheral: PeripheralCalls? { PeripheralCalls(delegate: self) }

  /// The optional methods of the name `peripheralDidUpdateRSSI`, for a call with `?`.
  @_disfavoredOverload
  public var peripheralDidUpdateRSSI: PeripheralDidUpdateRSSICalls? {
    PeripheralDidUpdateRSSICalls(delegate: self)
  }

  /// The optional methods of the name `peripheralIsReady`, for a call with `?`.
  @_disfavoredOverload
  public var peripheralIsReady: PeripheralIsReadyCalls? { PeripheralIsReadyCalls(delegate: self) }
}

/// Calls the optional methods of the name `peripheralDidUpdateName`.
public struct PeripheralDidUpdateNameCalls {
  let delegate: any CBPeripheralDelegate

  /// The name has changed.
  public func callAsFunction(_ peripheral: CBPeripheral) {
    delegate.peripheralDidUpdateName(peripheral)
  }
}

/// Calls the optional methods of the name `peripheral`.
public struct PeripheralCalls {
  let delegate: any CBPeripheralDelegate

  /// These services are no longer valid; discover them again.
  public func callAsFunction(
    _ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]
  ) {
    delegate.peripheral(peripheral, didModifyServices: invalidatedServices)
  }

  /// The answer to a read of the signal strength, in dBm.
  public func callAsFunction(
    _ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?
  ) {
    delegate.peripheral(peripheral, didReadRSSI: RSSI, error: error)
  }

  /// The services asked for are in the peripheral's list.
  public func callAsFunction(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    delegate.peripheral(peripheral, didDiscoverServices: error)
  }

  /// The included services asked for are in the service's list.
  public func callAsFunction(
    _ peripheral: CBPeripheral,
    didDiscoverIncludedServicesFor service: CBService,
    error: (any Error)?
  ) {
    delegate.peripheral(peripheral, didDiscoverIncludedServicesFor: service, error: error)
  }

  /// The characteristics asked for are in the service's list.
  public func callAsFunction(
    _ peripheral: CBPeripheral,
    didDiscoverCharacteristicsFor service: CBService,
    error: (any Error)?
  ) {
    delegate.peripheral(peripheral, didDiscoverCharacteristicsFor: service, error: error)
  }

  /// A value was read or notified; the two cannot be distinguished.
  public func callAsFunction(
    _ peripheral: CBPeripheral,
    didUpdateValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    delegate.peripheral(peripheral, didUpdateValueFor: characteristic, error: error)
  }

  /// A write with response has been answered.
  public func callAsFunction(
    _ peripheral: CBPeripheral,
    didWriteValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    delegate.peripheral(peripheral, didWriteValueFor: characteristic, error: error)
  }

  /// A subscription has been made or ended, or could not be.
  public func callAsFunction(
    _ peripheral: CBPeripheral,
    didUpdateNotificationStateFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    delegate.peripheral(peripheral, didUpdateNotificationStateFor: characteristic, error: error)
  }

  /// The descriptors are in the characteristic's list.
  public func callAsFunction(
    _ peripheral: CBPeripheral,
    didDiscoverDescriptorsFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    delegate.peripheral(peripheral, didDiscoverDescriptorsFor: characteristic, error: error)
  }

  /// A descriptor's value was read.
  public func callAsFunction(
    _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?
  ) {
    delegate.peripheral(peripheral, didUpdateValueFor: descriptor, error: error)
  }

  /// A descriptor's value was written.
  public func callAsFunction(
    _ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?
  ) {
    delegate.peripheral(peripheral, didWriteValueFor: descriptor, error: error)
  }

  /// A channel was opened, or could not be.
  public func callAsFunction(
    _ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?
  ) {
    delegate.peripheral(peripheral, didOpen: channel, error: error)
  }
}

/// Calls the optional methods of the name `peripheralDidUpdateRSSI`.
public struct PeripheralDidUpdateRSSICalls {
  let delegate: any CBPeripheralDelegate

  /// The older answer to a read of the signal strength.
  @available(iOS, introduced: 5.0, deprecated: 8.0)
  @available(macOS, introduced: 10.7, deprecated: 10.13)
  public func callAsFunction(_ peripheral: CBPeripheral, error: (any Error)?) {
    delegate.peripheralDidUpdateRSSI(peripheral, error: error)
  }
}

/// Calls the optional methods of the name `peripheralIsReady`.
public struct PeripheralIsReadyCalls {
  let delegate: any CBPeripheralDelegate

  /// Writes without response can be queued again.
  public func callAsFunction(toSendWriteWithoutResponse peripheral: CBPeripheral) {
    delegate.peripheralIsReady(toSendWriteWithoutResponse: peripheral)
  }
}
